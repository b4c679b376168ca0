package dev.jobsmith;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.types.MemoryLimits;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A function of a component: its name, and the types of its parameters and result.
 *
 * <p>Docs: Component Model, "Canonical ABI", "Flattening". Values themselves are in {@link Shape}.
 */
public final class Signature {
    /** How many core values are passed as they are; more go by a pointer to memory. */
    private static final int FLAT = 16;

    private final String name;
    private final Fields parameters;
    private final Shape result;

    private Signature(String name, List<Shape> parameters, Shape result) {
        this.name = name;
        this.parameters = new Fields(parameters);
        this.result = result;
    }

    /**
     * The function of this name as the WIT spells it, whose types are classes without type
     * parameters.
     */
    public static Signature of(String name, Class<?> result, Class<?>... parameters) {
        return new Signature(
                name, Arrays.stream(parameters).map(Shape::of).toList(), Shape.of(result));
    }

    /** The function that a method of {@link Types} stands for: {@code nextPlan} for next-plan. */
    public static Signature of(Method method) {
        String name = method.getName().replaceAll("([A-Z])", "-$1").replaceAll("_$", "");
        return new Signature(
                name.toLowerCase(Locale.ROOT),
                Arrays.stream(method.getAnnotatedParameterTypes()).map(Shape::of).toList(),
                Shape.of(method.getAnnotatedReturnType()));
    }

    /** The name, as the WIT spells it. */
    public String name() {
        return name;
    }

    /** The core values that are passed for these arguments. */
    long[] lower(Heap heap, Object[] arguments) {
        parameters.check(arguments, index -> "argument " + (index + 1) + " of " + name);
        if (parameters.flat > FLAT) {
            int address = heap.allocate(parameters.size, parameters.alignment);
            parameters.store(heap, address, arguments);
            return new long[] {address};
        }
        long[] values = new long[parameters.flat];
        parameters.lower(heap, arguments, values, 0);
        return values;
    }

    /** The function's result, from these core values. */
    Object load(Memory memory, long[] values) {
        if (result.flat > 1) {
            return result.load(memory, (int) values[0]);
        }
        // A single core value has the bytes that it would have in memory.
        Memory single = new ByteArrayMemory(new MemoryLimits(1, 1));
        single.writeLong(0, values.length == 0 ? 0 : values[0]);
        return result.load(single, 0);
    }
}
