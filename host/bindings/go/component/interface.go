// Package component calls the functions of a WebAssembly component that imports nothing, with Go values in and out.
//
// It knows no component: an [Interface], which is generated from WIT, says which Go types stand for which WIT types. Values cross the boundary as the
// Component Model's canonical ABI lays them out.
package component

import (
	"fmt"
	"reflect"
)

// Interface says which Go types stand for the types of a WIT interface. Make one with [NewInterface].
//
//   - A record is a struct whose fields have their names in the tag wit; a tuple is a struct without such tags.
//   - A variant is an interface, and each case a type that implements it and has the shape of what the case carries.
//   - An enum is a uint8 type.
//   - An option is a pointer, a list a slice, a result a [Result].
type Interface struct {
	// Name is the name under which a component exports it: jobsmith:controllers/manager@0.3.0.
	Name string
	// Types are its types in their order.
	Types []Type
	// Functions are its functions in their order.
	Functions []Function

	types map[reflect.Type]Type
	cases map[reflect.Type]string
}

// Type is a type that has a name.
type Type struct {
	// Name is its name in WIT.
	Name string
	// Go is its type in Go.
	Go reflect.Type
	// Cases are the cases of a variant or an enum.
	Cases []Case
}

// Case is a case of a variant or an enum.
type Case struct {
	// Name is its name in WIT.
	Name string
	// Go is the type of a variant's case; nil for an enum's.
	Go reflect.Type
}

// Function is a function of an interface.
type Function struct {
	// Name is its name in WIT.
	Name string
	// Go is the type that it has in Go.
	Go reflect.Type
}

// None stands for no value, in a case or a [Result].
type None = struct{}

// Result is a WIT result: exactly one of the two is set.
type Result[Value, Error any] struct {
	Value *Value
	Error *Error
}

func (Result[Value, Error]) isResult() {}

// NewInterface makes the table of an interface.
func NewInterface(name string, types []Type, functions []Function) *Interface {
	table := &Interface{Name: name, Types: types, Functions: functions, types: map[reflect.Type]Type{}, cases: map[reflect.Type]string{}}
	for _, named := range types {
		table.types[named.Go] = named
		for _, of := range named.Cases {
			if of.Go != nil {
				table.cases[of.Go] = of.Name
			}
		}
	}
	return table
}

// Record is a record that T stands for.
func Record[T any](name string) Type {
	return Type{Name: name, Go: reflect.TypeFor[T]()}
}

// Variant is a variant that the interface T stands for.
func Variant[T any](name string, cases ...Case) Type {
	return Type{Name: name, Go: reflect.TypeFor[T](), Cases: cases}
}

// CaseOf is a case that T stands for.
func CaseOf[T any](name string) Case {
	return Case{Name: name, Go: reflect.TypeFor[T]()}
}

// Enum is an enum that T stands for.
func Enum[T ~uint8](name string, cases ...string) Type {
	named := Type{Name: name, Go: reflect.TypeFor[T]()}
	for _, name := range cases {
		named.Cases = append(named.Cases, Case{Name: name})
	}
	return named
}

// FunctionOf is a function whose type in Go is F.
func FunctionOf[F any](name string) Function {
	return Function{Name: name, Go: reflect.TypeFor[F]()}
}

// Type returns what stands behind a Go type, if it has a name.
func (table *Interface) Type(of reflect.Type) (Type, bool) {
	named, ok := table.types[of]
	return named, ok
}

// EnumCase returns the WIT name of an enum's case.
func (table *Interface) EnumCase(value any) string {
	number := reflect.ValueOf(value)
	cases := table.types[number.Type()].Cases
	if number.Uint() >= uint64(len(cases)) {
		return fmt.Sprintf("%s(%d)", number.Type().Name(), number.Uint())
	}
	return cases[number.Uint()].Name
}

// VariantCase returns the WIT name of a variant's case; empty if the value is not a case.
func (table *Interface) VariantCase(value any) string {
	return table.cases[reflect.TypeOf(value)]
}
