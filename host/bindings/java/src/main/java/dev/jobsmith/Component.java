package dev.jobsmith;

import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Import;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
    /** The magic number, the version of the format, and the layer: a component. */
    private static final byte[] HEADER = {0, 'a', 's', 'm', 0x0d, 0, 1, 0};

    /** The id of a section that holds a core module. */
    private static final int CORE_MODULE = 1;

    private final WasmModule module;
    private final Function<Instance, Machine> machine;
    private final Set<String> exports = new HashSet<>();

    /** What carries the component out. */
    public enum Engine {
        /** Chicory's compiler: the component becomes Java classes. */
        COMPILER,

        /** Chicory's interpreter: ready at once, and some ten times slower. */
        INTERPRETER
    }

    private Component(byte[] bytes, Engine engine) {
        module = Parser.parse(coreModule(bytes));
        if (module.importSection().importCount() > 0) {
            Import first = module.importSection().getImport(0);
            throw refused(
                    "it imports %s %s: use a component that imports nothing"
                            .formatted(first.module(), first.name()));
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
     * @throws IllegalArgumentException if the component cannot be used here.
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
        byte[] header = Arrays.copyOf(component, HEADER.length);
        if (!Arrays.equals(header, HEADER)) {
            throw refused("it is not a WebAssembly component");
        }
        ByteBuffer rest = ByteBuffer.wrap(component).position(HEADER.length);
        byte[] core = null;
        while (rest.hasRemaining()) {
            boolean module = rest.get() == CORE_MODULE;
            long size = size(rest);
            if (size > rest.remaining()) {
                throw refused("it is truncated");
            }
            if (module && core != null) {
                throw refused("it has more than one core module");
            }
            byte[] section = new byte[(int) size];
            rest.get(section);
            core = module ? section : core;
        }
        if (core == null) {
            throw refused("it has no core module");
        }
        return core;
    }

    /** The size of a section: seven bits in a byte, the lowest first. */
    private static long size(ByteBuffer bytes) {
        long size = 0;
        for (int shift = 0; shift < 35 && bytes.hasRemaining(); shift += 7) {
            byte next = bytes.get();
            size |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return size;
            }
        }
        throw refused("it is truncated");
    }

    private static IllegalArgumentException refused(String reason) {
        return new IllegalArgumentException("cannot load the component: " + reason);
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
