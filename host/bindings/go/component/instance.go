// Calls of an instance, and what its traps leave behind.
//
// Docs: Component Model, "Canonical ABI"; values are laid out in shape.go and variant.go.

package component

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// maxFlat is how many core values a function takes; more go through memory.
const maxFlat = 16

// lastPanic is the global through which a component shows the message of its panic.
const lastPanic = "LAST_PANIC"

// Instance is a component in memory. It is not safe for use from several goroutines at once.
type Instance struct {
	program *Program
	module  api.Module
	memory  api.Memory
	realloc api.Function
	exports map[string]api.Function
	trap    *Trap
}

// Trap is an error after which an instance is of no more use.
type Trap struct {
	// Message is the message of the component's panic; empty if it was none.
	Message string
	// Cause is what the runtime reports.
	Cause error
}

func (trap *Trap) Error() string {
	if trap.Message != "" {
		return trap.Message
	}
	return trap.Cause.Error()
}

// Unwrap returns what the runtime reports.
func (trap *Trap) Unwrap() error { return trap.Cause }

// MisuseError is a call that a program must not make. It changes nothing.
type MisuseError struct {
	// Reason says what is wrong and what to do.
	Reason string
}

func (misuse *MisuseError) Error() string { return misuse.Reason }

// Instantiate makes an instance.
func (program *Program) Instantiate() (*Instance, error) {
	configuration := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	module, err := program.runtime.InstantiateModule(context.Background(), program.module, configuration)
	if err != nil {
		return nil, fmt.Errorf("cannot start the component: %w", err)
	}
	instance := &Instance{program: program, module: module, memory: module.Memory(), exports: map[string]api.Function{}}
	instance.realloc = instance.export("cabi_realloc")
	return instance, nil
}

// Close gives the instance's memory back.
func (instance *Instance) Close() error {
	return instance.module.Close(context.Background())
}

// MemorySize returns how large the instance's memory is, in bytes. It never shrinks.
func (instance *Instance) MemorySize() uint32 { return instance.memory.Size() }

// Call calls a function by its name in WIT and returns a value of its result type, or nil. The error is a [Trap] or a [MisuseError].
func (instance *Instance) Call(name string, arguments ...any) (answer any, err error) {
	if instance.trap != nil {
		return nil, instance.trap
	}
	defer func() {
		if err = instance.caught(recover(), err); err != nil {
			answer = nil
		}
	}()
	function, ok := instance.program.functions[name]
	if !ok {
		unusable("the component has no function %s", name)
	}
	full := instance.program.table.Name + "#" + name
	results, err := instance.export(full).Call(context.Background(), instance.lower(name, function, arguments)...)
	if err != nil {
		return nil, instance.trapped(err)
	}
	if function.result == nil {
		return nil, nil
	}
	answer = instance.lift(function, results[0])
	if free := instance.export("cabi_post_" + full); free != nil {
		if _, err := free.Call(context.Background(), results...); err != nil {
			return nil, instance.trapped(err)
		}
	}
	return answer, nil
}

// lower returns the core values of arguments.
func (instance *Instance) lower(name string, function signature, arguments []any) []uint64 {
	if len(arguments) != len(function.arguments) {
		unusable("%s takes %d arguments, not %d", name, len(function.arguments), len(arguments))
	}
	parameters := function.parameters
	bytes := make([]byte, parameters.total)
	for number, argument := range arguments {
		value, wanted := reflect.ValueOf(argument), function.arguments[number]
		if !value.IsValid() || !value.Type().AssignableTo(wanted) {
			unusable("%s needs a %s as argument %d, not %T", name, wanted, number+1, argument)
		}
		parameters.fields[number].store(instance, bytes[parameters.offsets[number]:], value)
	}
	if parameters.flats > maxFlat {
		return []uint64{uint64(instance.put(bytes, parameters.align))}
	}
	return parameters.flatten(bytes, nil)
}

// lift returns the value of a result: one core value is the value itself, more are in memory.
func (instance *Instance) lift(function signature, result uint64) any {
	answer := reflect.New(function.answer).Elem()
	if function.result.width() == 1 {
		function.result.load(binary.LittleEndian.AppendUint64(nil, result), 0, answer)
		return answer.Interface()
	}
	memory, _ := instance.memory.Read(0, instance.memory.Size())
	function.result.load(memory, uint32(result), answer)
	return answer.Interface()
}

// put takes bytes into the memory of the instance, which may move it.
func (instance *Instance) put(bytes []byte, align uint32) uint32 {
	if len(bytes) == 0 {
		return align
	}
	address, err := instance.realloc.Call(context.Background(), 0, 0, uint64(align), uint64(len(bytes)))
	if err != nil {
		panic(instance.trapped(err))
	}
	if !instance.memory.Write(uint32(address[0]), bytes) {
		panic(instance.trapped(fmt.Errorf("the component allocates outside of its memory")))
	}
	return uint32(address[0])
}

func (instance *Instance) export(name string) api.Function {
	function, ok := instance.exports[name]
	if !ok {
		function = instance.module.ExportedFunction(name)
		instance.exports[name] = function
	}
	return function
}

// caught returns the error behind a panic of this package, or the one there is.
func (instance *Instance) caught(panicked any, err error) error {
	switch cause := panicked.(type) {
	case nil:
		return err
	case misuse:
		return &MisuseError{Reason: string(cause)}
	case *Trap:
		return cause
	case runtime.Error:
		return instance.trapped(fmt.Errorf("the component's answer cannot be read: %w", cause))
	default:
		panic(panicked)
	}
}

// trapped remembers that the instance is lost, and why.
func (instance *Instance) trapped(cause error) *Trap {
	instance.trap = &Trap{Message: instance.panicMessage(), Cause: cause}
	return instance.trap
}

// panicMessage reads what the component leaves behind: the address of a length, followed by as many bytes of text.
func (instance *Instance) panicMessage() string {
	global := instance.module.ExportedGlobal(lastPanic)
	if global == nil {
		return ""
	}
	address := uint32(global.Get())
	length, _ := instance.memory.ReadUint32Le(address)
	message, _ := instance.memory.Read(address+4, length)
	return string(message)
}
