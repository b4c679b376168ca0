// Which shape a Go type has.
//
// Docs: [Interface] says how Go types stand for WIT types.

package component

import (
	"fmt"
	"reflect"
)

// shapes finds the shape of each type once.
type shapes struct {
	table *Interface
	known map[reflect.Type]shape
}

// signature is a function as it is called.
type signature struct {
	parameters *record
	arguments  []reflect.Type
	result     shape
	answer     reflect.Type
}

func signatures(table *Interface) (map[string]signature, error) {
	found := shapes{table: table, known: map[reflect.Type]shape{}}
	all := map[string]signature{}
	for _, function := range table.Functions {
		made, err := found.signature(function.Go)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", function.Name, err)
		}
		all[function.Name] = made
	}
	return all, nil
}

func (s *shapes) signature(function reflect.Type) (signature, error) {
	made := signature{}
	var parameters []shape
	for number := range function.NumIn() {
		parameter, err := s.of(function.In(number))
		if err != nil {
			return made, err
		}
		parameters = append(parameters, parameter)
		made.arguments = append(made.arguments, function.In(number))
	}
	made.parameters = newRecord(parameters)
	if function.NumOut() == 0 {
		return made, nil
	}
	var err error
	made.answer = function.Out(0)
	made.result, err = s.of(made.answer)
	return made, err
}

func (s *shapes) of(of reflect.Type) (shape, error) {
	if known, ok := s.known[of]; ok {
		return known, nil
	}
	made, err := s.make(of)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", of, err)
	}
	s.known[of] = made
	return made, nil
}

func (s *shapes) make(of reflect.Type) (shape, error) {
	switch of.Kind() {
	case reflect.Bool:
		return scalar(1), nil
	case reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int64, reflect.Float64:
		return scalar(of.Size()), nil
	case reflect.String:
		return text{}, nil
	case reflect.Slice:
		item, err := s.of(of.Elem())
		return list{item: item}, err
	case reflect.Pointer:
		return s.cases(optional{}, nil, of.Elem())
	case reflect.Struct:
		if of.Implements(reflect.TypeFor[interface{ isResult() }]()) {
			return s.cases(either{}, of.Field(0).Type.Elem(), of.Field(1).Type.Elem())
		}
		return s.record(of)
	case reflect.Uint8, reflect.Interface:
		return s.named(of)
	default:
		return nil, fmt.Errorf("no WIT type looks like this in Go")
	}
}

func (s *shapes) record(of reflect.Type) (shape, error) {
	var fields []shape
	for number := range of.NumField() {
		field, err := s.of(of.Field(number).Type)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	return newRecord(fields), nil
}

// named returns the shape of an enum or a variant.
func (s *shapes) named(of reflect.Type) (shape, error) {
	named, ok := s.table.Type(of)
	if !ok {
		return nil, fmt.Errorf("it is not in the table of the interface")
	}
	types := make([]reflect.Type, len(named.Cases))
	numbers := map[reflect.Type]int{}
	for number, named := range named.Cases {
		types[number] = named.Go
		numbers[named.Go] = number
	}
	if of.Kind() == reflect.Uint8 {
		return s.cases(numbered(len(types)), types...)
	}
	return s.cases(sealed{of: of, cases: types, numbers: numbers}, types...)
}

// cases returns the shape of a choice between types; a case without a type carries nothing.
func (s *shapes) cases(choice choice, types ...reflect.Type) (shape, error) {
	var cases []shape
	for _, carried := range types {
		if carried == nil {
			carried = reflect.TypeFor[None]()
		}
		made, err := s.of(carried)
		if err != nil {
			return nil, err
		}
		cases = append(cases, made)
	}
	return newVariant(choice, cases), nil
}
