// Values of the contract as JSON, by reflection over the generated types.
//
// Docs: ../../README.md, "Values as JSON".

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"jobsmith.dev/controllers"
)

// tagged is a variant or a result.
type tagged struct {
	Tag   string          `json:"tag"`
	Value json.RawMessage `json:"val"`
}

// read sets a value to what JSON says.
func read(text json.RawMessage, into reflect.Value) error {
	switch into.Kind() {
	case reflect.Int64, reflect.Uint64, reflect.Float64:
		return readNumber(text, into)
	case reflect.Uint8:
		return readEnum(text, into)
	case reflect.Slice:
		return readList(text, into)
	case reflect.Pointer:
		if len(text) == 0 || string(text) == "null" {
			return nil
		}
		into.Set(reflect.New(into.Type().Elem()))
		return read(text, into.Elem())
	case reflect.Interface:
		return readVariant(text, into)
	case reflect.Struct:
		return readStruct(text, into)
	default:
		return json.Unmarshal(text, into.Addr().Interface())
	}
}

func readNumber(text json.RawMessage, into reflect.Value) error {
	var number struct{ I64, F64 string }
	err := json.Unmarshal(text, &number)
	if err != nil {
		return err
	}
	var bits uint64
	switch into.Kind() {
	case reflect.Int64:
		var value int64
		value, err = strconv.ParseInt(number.I64, 10, 64)
		into.SetInt(value)
	case reflect.Uint64:
		bits, err = strconv.ParseUint(number.I64, 10, 64)
		into.SetUint(bits)
	default:
		bits, err = strconv.ParseUint(number.F64, 16, 64)
		into.SetFloat(math.Float64frombits(bits))
	}
	return err
}

func readEnum(text json.RawMessage, into reflect.Value) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	named, _ := controllers.Contract.Type(into.Type())
	for number, enum := range named.Cases {
		if enum.Name == name {
			into.SetUint(uint64(number))
			return nil
		}
	}
	return fmt.Errorf("%s has no case %q", into.Type(), name)
}

func readList(text json.RawMessage, into reflect.Value) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	into.Set(reflect.MakeSlice(into.Type(), len(items), len(items)))
	for number, item := range items {
		if err := read(item, into.Index(number)); err != nil {
			return err
		}
	}
	return nil
}

func readVariant(text json.RawMessage, into reflect.Value) error {
	var tagged tagged
	if err := json.Unmarshal(text, &tagged); err != nil {
		return err
	}
	named, _ := controllers.Contract.Type(into.Type())
	for _, option := range named.Cases {
		if option.Name == tagged.Tag {
			value := reflect.New(option.Go).Elem()
			into.Set(value)
			if len(tagged.Value) == 0 {
				return nil
			}
			err := read(tagged.Value, carried(value))
			into.Set(value)
			return err
		}
	}
	return fmt.Errorf("%s has no case %q", into.Type(), tagged.Tag)
}

func readStruct(text json.RawMessage, into reflect.Value) error {
	if isResult(into.Type()) {
		return readResult(text, into)
	}
	if isTuple(into.Type()) {
		var values []json.RawMessage
		if err := json.Unmarshal(text, &values); err != nil {
			return err
		}
		if len(values) != into.NumField() {
			return fmt.Errorf("%s has %d values, not %d", into.Type(), into.NumField(), len(values))
		}
		for number, value := range values {
			if err := read(value, into.Field(number)); err != nil {
				return err
			}
		}
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for number := range into.NumField() {
		if err := read(members[camel(into.Type().Field(number))], into.Field(number)); err != nil {
			return err
		}
	}
	return nil
}

func readResult(text json.RawMessage, into reflect.Value) error {
	var tagged tagged
	if err := json.Unmarshal(text, &tagged); err != nil {
		return err
	}
	number := 0
	if tagged.Tag == "err" {
		number = 1
	}
	value := reflect.New(into.Field(number).Type().Elem())
	into.Field(number).Set(value)
	if len(tagged.Value) == 0 {
		return nil
	}
	return read(tagged.Value, value.Elem())
}

// tree returns a value as a tree of JSON.
func tree(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Int64:
		return map[string]any{"i64": strconv.FormatInt(value.Int(), 10)}
	case reflect.Uint64:
		return map[string]any{"i64": strconv.FormatUint(value.Uint(), 10)}
	case reflect.Float64:
		return map[string]any{"f64": fmt.Sprintf("%016x", math.Float64bits(value.Float()))}
	case reflect.Uint8:
		return controllers.Contract.EnumCase(value.Interface())
	case reflect.Uint16, reflect.Uint32:
		return json.Number(strconv.FormatUint(value.Uint(), 10))
	case reflect.Bool:
		return value.Bool()
	case reflect.String:
		return value.String()
	case reflect.Slice:
		items := make([]any, value.Len())
		for number := range items {
			items[number] = tree(value.Index(number))
		}
		return items
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return tree(value.Elem())
	case reflect.Interface:
		return taggedTree(controllers.Contract.VariantCase(value.Interface()), carried(value.Elem()))
	default:
		return structTree(value)
	}
}

func structTree(value reflect.Value) any {
	if isResult(value.Type()) {
		if value.Field(1).IsNil() {
			return taggedTree("ok", value.Field(0).Elem())
		}
		return taggedTree("err", value.Field(1).Elem())
	}
	if isTuple(value.Type()) {
		values := make([]any, value.NumField())
		for number := range values {
			values[number] = tree(value.Field(number))
		}
		return values
	}
	members := map[string]any{}
	for number := range value.NumField() {
		members[camel(value.Type().Field(number))] = tree(value.Field(number))
	}
	return members
}

func taggedTree(tag string, value reflect.Value) any {
	if value.Kind() == reflect.Struct && value.NumField() == 0 {
		return map[string]any{"tag": tag}
	}
	return map[string]any{"tag": tag, "val": tree(value)}
}

// carried returns what a case carries: a struct with one field that has no name in WIT stands for that field.
func carried(value reflect.Value) reflect.Value {
	if value.Kind() == reflect.Struct && value.NumField() == 1 && isTuple(value.Type()) {
		return value.Field(0)
	}
	return value
}

func isResult(of reflect.Type) bool {
	return of.PkgPath() == "jobsmith.dev/controllers/component" && strings.HasPrefix(of.Name(), "Result[")
}

// isTuple reports whether the fields have no names in WIT.
func isTuple(of reflect.Type) bool {
	return of.NumField() > 0 && of.Field(0).Tag.Get("wit") == ""
}

// camel returns a field's name in JSON.
func camel(field reflect.StructField) string {
	words := strings.Split(field.Tag.Get("wit"), "-")
	for number, word := range words[1:] {
		words[number+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
