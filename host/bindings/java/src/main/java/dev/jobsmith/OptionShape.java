package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.util.Optional;

/** The shape of what may be missing: whether it is there, and the value. */
final class OptionShape extends Shape {
    private final Shape value;

    OptionShape(Shape value) {
        super(
                aligned(value.alignment + value.size, value.alignment),
                value.alignment,
                1 + value.flat);
        this.value = value;
    }

    @Override
    Object load(Memory memory, int address) {
        return memory.read(address) == 0
                ? Optional.empty()
                : Optional.of(value.load(memory, address + alignment));
    }

    @Override
    void store(Heap heap, int address, Object option) {
        Optional<?> present = (Optional<?>) option;
        heap.memory.writeByte(address, (byte) (present.isPresent() ? 1 : 0));
        if (present.isPresent()) {
            value.store(heap, address + alignment, present.get());
        }
    }

    @Override
    void lower(Heap heap, Object option, long[] values, int position) {
        Optional<?> present = (Optional<?>) option;
        values[position] = present.isPresent() ? 1 : 0;
        if (present.isPresent()) {
            value.lower(heap, present.get(), values, position + 1);
        }
    }
}
