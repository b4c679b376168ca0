package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.nio.charset.StandardCharsets;

/** The shape of text, which is UTF-8. */
final class TextShape extends Sequence {
    @Override
    Object read(Memory memory, int address, int length) {
        return length == 0
                ? ""
                : new String(memory.readBytes(address, length), StandardCharsets.UTF_8);
    }

    @Override
    long write(Heap heap, Object value) {
        return heap.store((String) value);
    }
}
