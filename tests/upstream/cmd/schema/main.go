// Prints the fields of CronJobs, Jobs and Pods and of all that is in them, as Kubernetes' own types and defaulting functions have them.
//
// Each line is a field, or a type without any:
//
//	OWNER.NAME TYPE [pointer] [required] [enum VALUE,…] [default JSON] [merge KEY | set] [retainKeys]
//
// TYPE is string, bool, int32, int64, Time, Quantity, IntOrString, any, the name of a type, [TYPE] for a list or {TYPE} for a map with any keys. A
// pointer distinguishes zero from nothing; merge and set say how a strategic merge patch changes a list. What is printed is joined with what only
// people know by `cargo xtask schema`.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// depends takes the place of a default that depends on other fields.
const depends = "?"

// field is what is known of one field.
type field struct {
	name    string
	kind    string
	facts   []string
	allowed []string
	filled  string
}

// schema has the fields of each type, by names.
type schema struct {
	types       map[string]map[string]*field
	definitions map[string]common.OpenAPIDefinition
}

func main() {
	log.SetFlags(0)
	s := schema{types: map[string]map[string]*field{}, definitions: openapi.GetOpenAPIDefinitions(func(string) spec.Ref { return spec.Ref{} })}
	for _, object := range []any{batchv1.CronJob{}, batchv1.Job{}, corev1.Pod{}} {
		s.add(reflect.TypeOf(object))
	}
	for _, optional := range []bool{true, false} {
		for _, object := range []runtime.Object{&batchv1.CronJob{}, &batchv1.Job{}} {
			fill(reflect.ValueOf(object).Elem(), optional)
			before := object.DeepCopyObject()
			legacyscheme.Scheme.Default(object)
			s.compare(reflect.ValueOf(before).Elem(), reflect.ValueOf(object).Elem())
		}
	}
	s.print()
}

var leaves = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():        "Time",
	reflect.TypeFor[resource.Quantity]():  "Quantity",
	reflect.TypeFor[intstr.IntOrString](): "IntOrString",
	reflect.TypeFor[metav1.FieldsV1]():    "any",
}

// add notes a type and all that its fields are made of, and returns its name.
func (s schema) add(of reflect.Type) string {
	if name, known := leaves[of]; known {
		return name
	}
	switch of.Kind() {
	case reflect.Pointer:
		return s.add(of.Elem())
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return "string"
		}
		return "[" + s.add(of.Elem()) + "]"
	case reflect.Map:
		return "{" + s.add(of.Elem()) + "}"
	case reflect.Struct:
		if _, known := s.types[of.Name()]; !known {
			s.types[of.Name()] = map[string]*field{}
			s.addFields(of.Name(), of)
		}
		return of.Name()
	default:
		return of.Kind().String()
	}
}

// addFields notes the fields of a struct, and of those that are inlined in it, as fields of the owner.
func (s schema) addFields(owner string, of reflect.Type) {
	for i := range of.NumField() {
		member := of.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			s.addFields(owner, member.Type)
			continue
		}
		f := &field{name: name, kind: s.add(member.Type)}
		property := s.definition(of).Properties[name]
		if member.Type.Kind() == reflect.Pointer {
			f.facts = append(f.facts, "pointer")
		}
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			f.facts = append(f.facts, "required")
		}
		f.allowed = values(property)
		strategies := strings.Split(member.Tag.Get("patchStrategy"), ",")
		key := member.Tag.Get("patchMergeKey")
		if slices.Contains(strategies, "merge") && key != "" {
			f.facts = append(f.facts, "merge "+key)
		} else if slices.Contains(strategies, "merge") && member.Type.Kind() == reflect.Slice {
			f.facts = append(f.facts, "set")
		}
		if slices.Contains(strategies, "retainKeys") {
			f.facts = append(f.facts, "retainKeys")
		}
		if _, twice := s.types[owner][name]; twice {
			log.Fatalf("schema: %s has two fields %s", owner, name)
		}
		s.types[owner][name] = f
	}
}

// definition is what the published API says of a type; its enums are there, although they are published only behind a gate.
func (s schema) definition(of reflect.Type) spec.SchemaProps {
	return s.definitions[name(of)].Schema.SchemaProps
}

func name(of reflect.Type) string {
	if model, ok := reflect.New(of).Interface().(interface{ OpenAPIModelName() string }); ok {
		return model.OpenAPIModelName()
	}
	return of.PkgPath() + "." + of.Name()
}

// values are those that a field, or each item of a list, may have.
func values(property spec.Schema) []string {
	allowed := property.Enum
	if property.Items != nil && property.Items.Schema != nil {
		allowed = property.Items.Schema.Enum
	}
	var texts []string
	for _, value := range allowed {
		texts = append(texts, fmt.Sprint(value))
	}
	sort.Strings(texts)
	return texts
}

// fill makes one item of every list of structs and, of what is optional, every struct behind a pointer, so that all defaults have a place.
func fill(value reflect.Value, optional bool) {
	if _, leaf := leaves[value.Type()]; leaf {
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		if optional && value.Type().Elem().Kind() == reflect.Struct {
			if _, leaf := leaves[value.Type().Elem()]; leaf {
				return
			}
			value.Set(reflect.New(value.Type().Elem()))
			fill(value.Elem(), optional)
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Struct {
			value.Set(reflect.MakeSlice(value.Type(), 1, 1))
			fill(value.Index(0), optional)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Field(i).CanSet() {
				fill(value.Field(i), optional)
			}
		}
	}
}

// compare notes what was filled in.
func (s schema) compare(before, after reflect.Value) {
	if _, leaf := leaves[before.Type()]; leaf {
		return
	}
	switch before.Kind() {
	case reflect.Pointer:
		if !before.IsNil() {
			s.compare(before.Elem(), after.Elem())
		}
	case reflect.Slice:
		for i := range before.Len() {
			s.compare(before.Index(i), after.Index(i))
		}
	case reflect.Struct:
		s.compareFields(before.Type().Name(), before, after)
	}
}

func (s schema) compareFields(owner string, before, after reflect.Value) {
	for i := range before.NumField() {
		member := before.Type().Field(i)
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() {
			continue
		}
		if name == "" {
			s.compareFields(owner, before.Field(i), after.Field(i))
			continue
		}
		before, after := before.Field(i), after.Field(i)
		if before.IsZero() && !after.IsZero() {
			text, err := json.Marshal(after.Interface())
			if err != nil {
				log.Fatal("schema: ", err)
			}
			known := s.types[owner][name]
			// What depends on other fields is known by the code that fills it in.
			if known.filled != "" && known.filled != string(text) {
				text = []byte(depends)
			}
			known.filled = string(text)
		}
		s.compare(before, after)
	}
}

func (s schema) print() {
	var text strings.Builder
	for _, owner := range sorted(s.types) {
		if len(s.types[owner]) == 0 {
			fmt.Fprintln(&text, owner)
		}
		for _, name := range sorted(s.types[owner]) {
			f := s.types[owner][name]
			facts := append([]string{owner + "." + f.name, f.kind}, f.facts...)
			if len(f.allowed) > 0 {
				facts = append(facts, "enum "+strings.Join(f.allowed, ","))
			}
			if f.filled != "" {
				facts = append(facts, "default "+f.filled)
			}
			fmt.Fprintln(&text, strings.Join(facts, " "))
		}
	}
	if _, err := os.Stdout.WriteString(text.String()); err != nil {
		log.Fatal("schema: ", err)
	}
}

func sorted[V any](of map[string]V) []string {
	var keys []string
	for key := range of {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
