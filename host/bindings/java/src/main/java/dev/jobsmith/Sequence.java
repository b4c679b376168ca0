package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

/** The shape of what lies elsewhere in memory: an address and a length. */
abstract class Sequence extends Shape {
    Sequence() {
        super(8, 4, 2);
    }

    /** Reads this many elements from an address. */
    abstract Object read(Memory memory, int address, int length);

    /** Writes all elements; returns a {@link Heap#reference}. */
    abstract long write(Heap heap, Object value);

    @Override
    final Object load(Memory memory, int address) {
        return read(memory, memory.readInt(address), memory.readInt(address + 4));
    }

    @Override
    final void store(Heap heap, int address, Object value) {
        heap.memory.writeLong(address, write(heap, value));
    }

    @Override
    final void lower(Heap heap, Object value, long[] values, int position) {
        long reference = write(heap, value);
        values[position] = (int) reference;
        values[position + 1] = reference >>> 32;
    }
}
