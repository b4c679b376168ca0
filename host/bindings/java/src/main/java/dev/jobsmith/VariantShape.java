package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The shape of a sealed interface: the number of the case, and what the case carries. */
final class VariantShape extends Shape {
    private final Class<?>[] classes;
    private final Shape[] cases;
    private final int payload;

    VariantShape(Class<?> type, List<Shape> arguments) {
        this(
                type.getPermittedSubclasses(),
                Arrays.stream(type.getPermittedSubclasses())
                        .map(each -> (Shape) new RecordShape(each, arguments))
                        .toArray(Shape[]::new));
    }

    private VariantShape(Class<?>[] classes, Shape[] cases) {
        this(
                classes,
                cases,
                largest(Arrays.stream(cases).mapToInt(each -> each.alignment)),
                largest(Arrays.stream(cases).mapToInt(each -> each.size)));
    }

    private VariantShape(Class<?>[] classes, Shape[] cases, int alignment, int size) {
        super(
                aligned(alignment + size, alignment),
                alignment,
                1 + largest(Arrays.stream(cases).mapToInt(each -> each.flat)));
        if (cases.length > 256) {
            throw new IllegalArgumentException("no more than 256 cases fit into a byte");
        }
        this.classes = classes;
        this.cases = cases;
        this.payload = alignment;
    }

    private static int largest(IntStream numbers) {
        return numbers.max().orElseThrow();
    }

    @Override
    Object load(Memory memory, int address) {
        return cases[memory.read(address) & 0xff].load(memory, address + payload);
    }

    @Override
    void store(Heap heap, int address, Object value) {
        int number = number(value);
        heap.memory.writeByte(address, (byte) number);
        cases[number].store(heap, address + payload, value);
    }

    @Override
    void lower(Heap heap, Object value, long[] values, int position) {
        int number = number(value);
        values[position] = number;
        cases[number].lower(heap, value, values, position + 1);
    }

    private int number(Object value) {
        int number = 0;
        while (classes[number] != value.getClass()) {
            number++;
        }
        return number;
    }
}
