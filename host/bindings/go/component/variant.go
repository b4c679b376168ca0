// Types with cases in the canonical ABI.
//
// Docs: Component Model, "Canonical ABI"; what cases carry is in shape.go.

package component

import "reflect"

// variant is the number of a case, and what the case carries. Enums, options and results are variants too: how they look in Go is up to choice.
type variant struct {
	choice
	// cases are what they carry; a case that carries nothing has an empty record.
	cases []shape
	// tag is the number of the case, offset where what it carries begins.
	tag                  scalar
	offset, total, align uint32
	flats                int
}

// choice is a Go type that has cases.
type choice interface {
	// chosen returns the case of a value, and what it carries.
	chosen(value reflect.Value) (int, reflect.Value)
	// choose sets a value to a case; load reads what the case carries into it.
	choose(value reflect.Value, number int, load func(carried reflect.Value))
}

func newVariant(choice choice, cases []shape) *variant {
	made := &variant{choice: choice, cases: cases, tag: tagOf(len(cases))}
	made.align = uint32(made.tag)
	for _, carried := range cases {
		size, align := carried.size()
		made.total, made.align = max(made.total, size), max(made.align, align)
		made.offset = max(made.offset, align)
		made.flats = max(made.flats, carried.width())
	}
	made.offset = aligned(uint32(made.tag), max(made.offset, 1))
	made.total = aligned(made.offset+made.total, made.align)
	return made
}

func tagOf(cases int) scalar {
	switch {
	case cases <= 1<<8:
		return 1
	case cases <= 1<<16:
		return 2
	default:
		return 4
	}
}

func (s *variant) size() (uint32, uint32) { return s.total, s.align }
func (s *variant) width() int             { return 1 + s.flats }

func (s *variant) load(memory []byte, at uint32, into reflect.Value) {
	number := int(s.tag.read(memory[at:]))
	carried := s.cases[number]
	s.choose(into, number, func(value reflect.Value) { carried.load(memory, at+s.offset, value) })
}

func (s *variant) store(guest allocator, bytes []byte, from reflect.Value) {
	number, carried := s.chosen(from)
	s.tag.write(bytes, uint64(number))
	s.cases[number].store(guest, bytes[s.offset:], carried)
}

// flatten fills up with zeros: all cases take as many core values as the widest. Their types need no conversion, as the runtime has 64 bits for each.
func (s *variant) flatten(bytes []byte, flat []uint64) []uint64 {
	number, end := s.tag.read(bytes), len(flat)+s.width()
	flat = s.cases[number].flatten(bytes[s.offset:], append(flat, number))
	return append(flat, make([]uint64, end-len(flat))...)
}

// sealed is an interface that a type for each case implements.
type sealed struct {
	of      reflect.Type
	cases   []reflect.Type
	numbers map[reflect.Type]int
}

func (c sealed) chosen(value reflect.Value) (int, reflect.Value) {
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if !value.IsValid() {
		unusable("%s is nil: set it to one of its cases", c.of)
	}
	number, ok := c.numbers[value.Type()]
	if !ok {
		unusable("%s is not a case of %s: use a value, not a pointer", value.Type(), c.of)
	}
	return number, value
}

func (c sealed) choose(value reflect.Value, number int, load func(reflect.Value)) {
	carried := reflect.New(c.cases[number]).Elem()
	load(carried)
	value.Set(carried)
}

// numbered is a uint8 type of this many cases.
type numbered int

func (c numbered) chosen(value reflect.Value) (int, reflect.Value) {
	if value.Uint() >= uint64(c) {
		unusable("%d is not a %s: use one of its constants", value.Uint(), value.Type())
	}
	return int(value.Uint()), nothing
}

func (numbered) choose(value reflect.Value, number int, _ func(reflect.Value)) {
	value.SetUint(uint64(number))
}

// optional is a pointer that may be nil.
type optional struct{}

func (optional) chosen(value reflect.Value) (int, reflect.Value) {
	if value.IsNil() {
		return 0, nothing
	}
	return 1, value.Elem()
}

func (optional) choose(value reflect.Value, number int, load func(reflect.Value)) {
	if number == 0 {
		value.SetZero()
		return
	}
	value.Set(reflect.New(value.Type().Elem()))
	load(value.Elem())
}

// either is a [Result]: a field for each case.
type either struct{}

func (either) chosen(value reflect.Value) (int, reflect.Value) {
	succeeded, failed := value.Field(0), value.Field(1)
	if succeeded.IsNil() == failed.IsNil() {
		unusable("%s must have either a value or an error", value.Type())
	}
	if failed.IsNil() {
		return 0, succeeded.Elem()
	}
	return 1, failed.Elem()
}

func (either) choose(value reflect.Value, number int, load func(reflect.Value)) {
	value.SetZero()
	optional{}.choose(value.Field(number), 1, load)
}

// nothing is what a case without a value carries.
var nothing = reflect.ValueOf(None{})
