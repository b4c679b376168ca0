package dev.jobsmith;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.ChicoryException;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One instance of a component, whose functions are called as they are.
 *
 * <p>It is for programs that call other functions than those of {@link Types.Manager}; everybody
 * else uses {@link Controllers}. It must not be used by two threads at once, and after a {@link
 * LostException} it is of no more use.
 */
public final class Guest {
    private final Instance instance;
    private final Set<String> exports;
    private final Heap heap;
    private final Map<String, Export> functions = new ConcurrentHashMap<>();

    Guest(Instance instance, Set<String> exports) {
        this.instance = instance;
        this.exports = exports;
        this.heap = new Heap(instance.memory(), instance.export("cabi_realloc"));
    }

    /** A function, and the one that frees what it answered with. */
    private record Export(ExportFunction function, ExportFunction free) {}

    /**
     * The functions of this instance as an interface of Java.
     *
     * @throws IllegalArgumentException if the component does not export one of them.
     */
    public <T> T as(Class<T> type) {
        Map<Method, Signature> signatures = new ConcurrentHashMap<>();
        for (Method method : type.getMethods()) {
            Signature signature = Signature.of(method);
            export(signature.name());
            signatures.put(method, signature);
        }
        Object proxy =
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) ->
                                signatures.containsKey(method)
                                        ? call(signatures.get(method), arguments)
                                        : method.invoke(this, arguments));
        return type.cast(proxy);
    }

    /**
     * Calls a function.
     *
     * @throws LostException if the instance traps.
     */
    public Object call(Signature signature, Object... arguments) {
        // The engine gives a call up, and with it the instance, when it finds its thread
        // interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            Export export = export(signature.name());
            Object[] given = arguments == null ? new Object[0] : arguments;
            long[] values = export.function.apply(signature.lower(heap, given));
            Object answer = signature.load(heap.memory, values);
            if (export.free != null) {
                export.free.apply(values);
            }
            return answer;
        } catch (ChicoryException trap) {
            throw new LostException(panic(), trap);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Export export(String name) {
        return functions.computeIfAbsent(name, this::found);
    }

    private Export found(String name) {
        String full = Types.Manager.NAME + "#" + name;
        if (!exports.contains(full)) {
            String others =
                    String.join(", ", exports.stream().filter(each -> each.contains("#")).toList());
            throw new IllegalArgumentException(
                    "the component has no function %s; it has %s".formatted(full, others));
        }
        String free = "cabi_post_" + full;
        return new Export(
                instance.export(full), exports.contains(free) ? instance.export(free) : null);
    }

    /** The message of the panic that the instance trapped with; empty if there is none. */
    private String panic() {
        if (!exports.contains("LAST_PANIC")) {
            return "";
        }
        int address = (int) instance.exports().global("LAST_PANIC").getValue();
        int length = heap.memory.readInt(address);
        return new String(heap.memory.readBytes(address + 4, length), StandardCharsets.UTF_8);
    }
}
