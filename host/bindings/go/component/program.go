// The core module of a component, compiled.
//
// Docs: Component Model, "Binary"; it is called in instance.go.

package component

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
)

// compiled keeps machine code, so that a component is compiled once in a process.
var compiled = wazero.NewCompilationCache()

// header begins a component: the magic number, the version of the format and the layer.
const header = "\x00asm\x0d\x00\x01\x00"

// coreModuleSection is the id of a section that holds a core module.
const coreModuleSection = 1

// Program is a component, compiled for this machine. It may be used from several goroutines.
type Program struct {
	runtime   wazero.Runtime
	module    wazero.CompiledModule
	table     *Interface
	functions map[string]signature
}

// Compile prepares the bytes of a component that exports an interface. The first time in a process takes a fraction of a second.
func Compile(component []byte, table *Interface) (*Program, error) {
	functions, err := signatures(table)
	if err != nil {
		return nil, err
	}
	core, err := coreModule(component)
	if err != nil {
		return nil, err
	}
	runtime := wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfig().WithCompilationCache(compiled))
	module, err := runtime.CompileModule(context.Background(), core)
	program := &Program{runtime: runtime, module: module, table: table, functions: functions}
	if err == nil {
		err = program.check()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot load the component: %w", err), program.Close())
	}
	return program, nil
}

// Close gives the memory of the program and of all its instances back.
func (program *Program) Close() error {
	return program.runtime.Close(context.Background())
}

// check returns what the component lacks.
func (program *Program) check() error {
	if imports := program.module.ImportedFunctions(); len(imports) > 0 {
		module, name, _ := imports[0].Import()
		return fmt.Errorf("it imports %s %s: use a component that imports nothing", module, name)
	}
	exports := program.module.ExportedFunctions()
	for name := range program.functions {
		if exports[program.table.Name+"#"+name] == nil {
			return fmt.Errorf("it does not export %s of %s%s", name, program.table.Name, program.exported())
		}
	}
	return nil
}

// exported names an interface that the component does export.
func (program *Program) exported() string {
	for name := range program.module.ExportedFunctions() {
		if exported, _, ok := strings.Cut(name, "#"); ok && !strings.HasPrefix(exported, "cabi_") && exported != program.table.Name {
			return ", but " + exported + ": use a binding of that version"
		}
	}
	return ""
}

// coreModule takes the one core module out of a component.
func coreModule(component []byte) ([]byte, error) {
	if !strings.HasPrefix(string(component[:min(len(component), len(header))]), header) {
		return nil, errors.New("cannot load the component: it is not a WebAssembly component")
	}
	var core []byte
	for rest := component[len(header):]; len(rest) > 0; {
		length, width := binary.Uvarint(rest[1:])
		if width <= 0 || length > uint64(len(rest)-1-width) {
			return nil, errors.New("cannot load the component: it is truncated")
		}
		section := rest[1+width:][:length]
		if rest[0] == coreModuleSection && core != nil {
			return nil, errors.New("cannot load the component: it has more than one core module")
		}
		if rest[0] == coreModuleSection {
			core = section
		}
		rest = rest[1+width+int(length):]
	}
	if core == nil {
		return nil, errors.New("cannot load the component: it has no core module")
	}
	return core, nil
}

// Interface returns what the program exports.
func (program *Program) Interface() *Interface { return program.table }
