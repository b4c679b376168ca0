// Numbers, strings, lists and records in the canonical ABI.
//
// Docs: Component Model, "Canonical ABI"; types with cases are in variant.go.

package component

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// shape is a type as the canonical ABI lays it out.
type shape interface {
	// size returns the size and the alignment of a value in memory, in bytes.
	size() (size, align uint32)
	// width returns how many core values it takes as a parameter.
	width() int
	// load reads the value at an address.
	load(memory []byte, at uint32, into reflect.Value)
	// store writes a value to the beginning of some bytes; what does not fit in there goes to the guest's memory.
	store(guest allocator, bytes []byte, from reflect.Value)
	// flatten appends the core values of what store has written.
	flatten(bytes []byte, flat []uint64) []uint64
}

// allocator takes bytes into the guest's memory and returns where they are.
type allocator interface {
	put(bytes []byte, align uint32) uint32
}

// misuse is a panic with what is wrong with a Go value.
type misuse string

// scalar is a number or a boolean of this many bytes.
type scalar uint32

func (s scalar) size() (uint32, uint32) { return uint32(s), uint32(s) }
func (s scalar) width() int             { return 1 }

func (s scalar) load(memory []byte, at uint32, into reflect.Value) {
	bits := s.read(memory[at:])
	switch into.Kind() {
	case reflect.Bool:
		into.SetBool(bits != 0)
	case reflect.Int64:
		into.SetInt(int64(bits))
	case reflect.Float64:
		into.SetFloat(math.Float64frombits(bits))
	default:
		into.SetUint(bits)
	}
}

func (s scalar) store(_ allocator, bytes []byte, from reflect.Value) {
	var bits uint64
	switch from.Kind() {
	case reflect.Bool:
		if from.Bool() {
			bits = 1
		}
	case reflect.Int64:
		bits = uint64(from.Int())
	case reflect.Float64:
		bits = math.Float64bits(from.Float())
	default:
		bits = from.Uint()
	}
	s.write(bytes, bits)
}

func (s scalar) flatten(bytes []byte, flat []uint64) []uint64 {
	return append(flat, s.read(bytes))
}

func (s scalar) read(bytes []byte) uint64 {
	switch s {
	case 1:
		return uint64(bytes[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(bytes))
	case 4:
		return uint64(binary.LittleEndian.Uint32(bytes))
	default:
		return binary.LittleEndian.Uint64(bytes)
	}
}

func (s scalar) write(bytes []byte, bits uint64) {
	switch s {
	case 1:
		bytes[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(bytes, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(bytes, uint32(bits))
	default:
		binary.LittleEndian.PutUint64(bytes, bits)
	}
}

// span is an address and a length: what strings and lists have in common.
type span struct{}

func (span) size() (uint32, uint32) { return 8, 4 }
func (span) width() int             { return 2 }

func (span) flatten(bytes []byte, flat []uint64) []uint64 {
	return append(flat, scalar(4).read(bytes), scalar(4).read(bytes[4:]))
}

func (span) read(memory []byte, at uint32) (address, length uint32) {
	return binary.LittleEndian.Uint32(memory[at:]), binary.LittleEndian.Uint32(memory[at+4:])
}

func (span) write(bytes []byte, address, length uint32) {
	binary.LittleEndian.PutUint32(bytes, address)
	binary.LittleEndian.PutUint32(bytes[4:], length)
}

// text is a string.
type text struct{ span }

func (s text) load(memory []byte, at uint32, into reflect.Value) {
	address, length := s.read(memory, at)
	into.SetString(string(memory[address:][:length]))
}

func (s text) store(guest allocator, bytes []byte, from reflect.Value) {
	valid := strings.ToValidUTF8(from.String(), "\uFFFD")
	s.write(bytes, guest.put([]byte(valid), 1), uint32(len(valid)))
}

// list is a list of items.
type list struct {
	span
	item shape
}

func (s list) load(memory []byte, at uint32, into reflect.Value) {
	address, length := s.read(memory, at)
	size, _ := s.item.size()
	items := reflect.MakeSlice(into.Type(), int(length), int(length))
	for number := range length {
		s.item.load(memory, address+number*size, items.Index(int(number)))
	}
	into.Set(items)
}

func (s list) store(guest allocator, bytes []byte, from reflect.Value) {
	size, align := s.item.size()
	items := make([]byte, from.Len()*int(size))
	for number := range from.Len() {
		s.item.store(guest, items[number*int(size):], from.Index(number))
	}
	s.write(bytes, guest.put(items, align), uint32(from.Len()))
}

// record is the fields of a struct one after the other.
type record struct {
	fields  []shape
	offsets []uint32
	// total and align are its size, flats its width.
	total, align uint32
	flats        int
}

func newRecord(fields []shape) *record {
	made := &record{fields: fields, align: 1}
	for _, field := range fields {
		size, align := field.size()
		made.offsets = append(made.offsets, aligned(made.total, align))
		made.total = aligned(made.total, align) + size
		made.align = max(made.align, align)
		made.flats += field.width()
	}
	made.total = aligned(made.total, made.align)
	return made
}

func (s *record) size() (uint32, uint32) { return s.total, s.align }
func (s *record) width() int             { return s.flats }

func (s *record) load(memory []byte, at uint32, into reflect.Value) {
	for number, field := range s.fields {
		field.load(memory, at+s.offsets[number], into.Field(number))
	}
}

func (s *record) store(guest allocator, bytes []byte, from reflect.Value) {
	for number, field := range s.fields {
		field.store(guest, bytes[s.offsets[number]:], from.Field(number))
	}
}

func (s *record) flatten(bytes []byte, flat []uint64) []uint64 {
	for number, field := range s.fields {
		flat = field.flatten(bytes[s.offsets[number]:], flat)
	}
	return flat
}

func aligned(offset, align uint32) uint32 { return (offset + align - 1) / align * align }

func unusable(format string, arguments ...any) {
	panic(misuse(fmt.Sprintf(format, arguments...)))
}
