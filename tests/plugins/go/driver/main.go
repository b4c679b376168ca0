// Command driver makes the calls that it reads on a component, through the binding's codec and types, and compares the answers.
//
//	driver COMPONENT < LINES
//
// Docs: ../../README.md, "The driver". How values look as JSON is in json.go.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"strings"

	"jobsmith.dev/controllers"
	"jobsmith.dev/controllers/component"
)

// line is one line of the input.
type line struct {
	History   string            `json:"history"`
	Call      string            `json:"call"`
	Arguments []json.RawMessage `json:"arguments"`
	Answer    any               `json:"answer"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: driver COMPONENT < LINES")
	}
	bytes, err := os.ReadFile(os.Args[1])
	check(err)
	program, err := component.Compile(bytes, table(bytes))
	check(err)
	calls, err := compare(program, os.Stdin)
	check(err)
	fmt.Printf("%d calls alike\n", calls)
}

// table returns the functions that the component has: those of the contract, or of the component that echoes.
func table(component []byte) *component.Interface {
	if bytes.Contains(component, []byte("#echo-result")) {
		return echo()
	}
	return controllers.Contract
}

// echo has a function for each type of the contract.
func echo() *component.Interface {
	functions := []component.Function{
		component.FunctionOf[func(component.Result[controllers.Plan, controllers.Malformed]) component.Result[controllers.Plan, controllers.Malformed]]("echo-result"),
	}
	for _, named := range controllers.Contract.Types {
		one := []reflect.Type{named.Go}
		functions = append(functions, component.Function{Name: "echo-" + named.Name, Go: reflect.FuncOf(one, one, false)})
	}
	return component.NewInterface(controllers.Contract.Name, controllers.Contract.Types, functions)
}

// compare carries out all lines; it prints the first difference and ends the program.
func compare(program *component.Program, input io.Reader) (int, error) {
	types := map[string]reflect.Type{}
	for _, function := range program.Interface().Functions {
		types[function.Name] = function.Go
	}
	lines := bufio.NewReaderSize(input, 1<<20)
	var instance *component.Instance
	calls := 0
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return calls, nil
		}
		if err != nil {
			return calls, err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var line line
		if err := decoder.Decode(&line); err != nil {
			return calls, fmt.Errorf("line %d: %w", number, err)
		}
		if line.History != "" {
			if instance != nil {
				check(instance.Close())
			}
			if instance, err = program.Instantiate(); err != nil {
				return calls, err
			}
			continue
		}
		answer, err := call(instance, types[line.Call], line)
		if err != nil {
			return calls, fmt.Errorf("line %d: %s: %w", number, line.Call, err)
		}
		if expected := pruned(line.Answer); !reflect.DeepEqual(expected, pruned(answer)) {
			fmt.Printf("line %d: %s\nexpected %s\ncame     %s\n", number, line.Call, rendered(expected), rendered(pruned(answer)))
			os.Exit(1)
		}
		calls++
	}
}

// call makes the call of a line.
func call(instance *component.Instance, function reflect.Type, line line) (any, error) {
	if function == nil {
		return nil, fmt.Errorf("there is no function of this name")
	}
	arguments := make([]any, len(line.Arguments))
	for number, argument := range line.Arguments {
		value := reflect.New(function.In(number)).Elem()
		if err := read(argument, value); err != nil {
			return nil, err
		}
		arguments[number] = value.Interface()
	}
	answer, err := instance.Call(line.Call, arguments...)
	if err != nil {
		return nil, err
	}
	value := reflect.New(function.Out(0)).Elem()
	if answer != nil {
		value.Set(reflect.ValueOf(answer))
	}
	return tree(value), nil
}

// pruned leaves members out that are null.
func pruned(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for name, value := range tree {
			if value == nil {
				delete(tree, name)
			} else {
				tree[name] = pruned(value)
			}
		}
	case []any:
		for number, value := range tree {
			tree[number] = pruned(value)
		}
	}
	return tree
}

func rendered(tree any) string {
	var text strings.Builder
	check(json.NewEncoder(&text).Encode(tree))
	return strings.TrimSpace(text.String())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
