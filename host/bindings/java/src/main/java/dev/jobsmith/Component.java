package dev.jobsmith;

import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A component, ready to make instances of. It may be used by several threads at once.
 *
 * <p>The component is a WebAssembly component without imports, with one core module in it. Making
 * it ready takes a second or two, which all instances share.
 */
public final class Component {
    private static final int HEADER = 8;
    private static final int CORE_MODULE = 1;

    private final WasmModule module;
    private final Function<Instance, Machine> machine;
    private final Set<String> exports = new HashSet<>();

    /** What carries the component out. */
    public enum Engine {
        /** Chicory's compiler: the component becomes classes of Java. */
        COMPILER,

        /** Chicory's interpreter: ready at once, and some ten times slower. */
        INTERPRETER
    }

    private Component(byte[] bytes, Engine engine) {
        module = Parser.parse(coreModule(bytes));
        if (module.importSection().importCount() > 0) {
            throw new IllegalArgumentException(
                    "the component imports something, and there is nothing here to import");
        }
        machine = engine == Engine.COMPILER ? Compiler.compile(module) : InterpreterMachine::new;
        for (int index = 0; index < module.exportSection().exportCount(); index++) {
            exports.add(module.exportSection().getExport(index).name());
        }
    }

    /** The controllers that this library carries. They are made ready at the first call. */
    public static Component shipped() {
        return Shipped.COMPONENT;
    }

    /** A component in a file. */
    public static Component read(Path path) throws IOException {
        return of(Files.readAllBytes(path));
    }

    /** A component; interpreted only where the compiler is not on the class path. */
    public static Component of(byte[] bytes) {
        return of(bytes, Compiler.present() ? Engine.COMPILER : Engine.INTERPRETER);
    }

    /**
     * A component, carried out by an engine.
     *
     * @throws IllegalArgumentException if it is no component that can be used here.
     */
    public static Component of(byte[] bytes, Engine engine) {
        return new Component(bytes, engine);
    }

    /** A new instance. */
    public Guest instantiate() {
        Instance instance =
                Instance.builder(module)
                        .withMachineFactory(machine)
                        .withMemoryFactory(ByteArrayMemory::new)
                        .build();
        return new Guest(instance, exports);
    }

    /** The core module of a component: its one section of that kind. */
    private static byte[] coreModule(byte[] component) {
        int position = HEADER;
        while (position < component.length) {
            int section = component[position++];
            int size = 0;
            int shift = 0;
            byte next;
            do {
                next = component[position++];
                size |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            if (section == CORE_MODULE) {
                return Arrays.copyOfRange(component, position, position + size);
            }
            position += size;
        }
        throw new IllegalArgumentException("this is no component with a core module");
    }

    /** Loads the component of this library once. */
    private static final class Shipped {
        static final Component COMPONENT = load();

        private static Component load() {
            try (InputStream stream = Component.class.getResourceAsStream("controllers.wasm")) {
                if (stream == null) {
                    throw new IllegalStateException(
                            "controllers.wasm is not beside the classes of dev.jobsmith: use the"
                                    + " published jar, or copy the component there");
                }
                return of(stream.readAllBytes());
            } catch (IOException exception) {
                throw new UncheckedIOException(exception);
            }
        }
    }

    /** The only class that knows the compiler, so that the others work without it. */
    private static final class Compiler {
        static boolean present() {
            try {
                return MachineFactoryCompiler.class != null;
            } catch (NoClassDefFoundError missing) {
                return false;
            }
        }

        static Function<Instance, Machine> compile(WasmModule module) {
            return Unfolded.compile(module);
        }
    }
}
