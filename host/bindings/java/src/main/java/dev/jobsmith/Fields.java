package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.util.List;
import java.util.function.IntFunction;

/** Where values lie that stand together: the fields of a record, the parameters of a function. */
final class Fields {
    final int size;
    final int alignment;
    final int flat;
    private final Shape[] shapes;
    private final int[] offsets;

    Fields(List<Shape> shapes) {
        this.shapes = shapes.toArray(Shape[]::new);
        this.offsets = new int[this.shapes.length];
        int end = 0;
        int alignment = 1;
        for (int index = 0; index < offsets.length; index++) {
            Shape shape = this.shapes[index];
            offsets[index] = Shape.aligned(end, shape.alignment);
            end = offsets[index] + shape.size;
            alignment = Math.max(alignment, shape.alignment);
        }
        this.size = Shape.aligned(end, alignment);
        this.alignment = alignment;
        this.flat = shapes.stream().mapToInt(shape -> shape.flat).sum();
    }

    /** Refuses a value that is missing. */
    void check(Object[] values, IntFunction<String> name) {
        for (int index = 0; index < shapes.length; index++) {
            if (values[index] == null && shapes[index].size > 0) {
                throw new NullPointerException(name.apply(index) + " is null");
            }
        }
    }

    Object[] load(Memory memory, int address) {
        Object[] values = new Object[shapes.length];
        for (int index = 0; index < shapes.length; index++) {
            values[index] = shapes[index].load(memory, address + offsets[index]);
        }
        return values;
    }

    void store(Heap heap, int address, Object[] fields) {
        for (int index = 0; index < shapes.length; index++) {
            shapes[index].store(heap, address + offsets[index], fields[index]);
        }
    }

    void lower(Heap heap, Object[] fields, long[] values, int position) {
        for (int index = 0; index < shapes.length; index++) {
            shapes[index].lower(heap, fields[index], values, position);
            position += shapes[index].flat;
        }
    }
}
