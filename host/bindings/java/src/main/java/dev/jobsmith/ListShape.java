package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The shape of lists: their elements lie one after the other. */
final class ListShape extends Sequence {
    private final Shape element;

    ListShape(Shape element) {
        this.element = element;
    }

    @Override
    Object read(Memory memory, int address, int length) {
        if (length == 0) {
            return List.of();
        }
        Object[] elements = new Object[length];
        for (int index = 0; index < length; index++) {
            elements[index] = element.load(memory, address + index * element.size);
        }
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    long write(Heap heap, Object value) {
        List<?> elements = (List<?>) value;
        int address = heap.allocate(elements.size() * element.size, element.alignment);
        int next = address;
        for (Object each : elements) {
            if (each == null) {
                throw new NullPointerException("an element of a list is null: " + elements);
            }
            element.store(heap, next, each);
            next += element.size;
        }
        return Heap.reference(address, elements.size());
    }
}
