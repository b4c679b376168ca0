package dev.jobsmith;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Memory;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The memory of an instance, in which arguments are stored. */
final class Heap {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    final Memory memory;
    private final ExportFunction realloc;

    Heap(Memory memory, ExportFunction realloc) {
        this.memory = memory;
        this.realloc = realloc;
    }

    int allocate(int size, int alignment) {
        return (int) realloc.apply(0, 0, alignment, size)[0];
    }

    /** Stores text; returns its address in the lower half, and its length in the upper one. */
    long store(String text) {
        byte[] bytes = utf8(text);
        int address = allocate(bytes.length, 1);
        memory.write(address, bytes);
        return reference(address, bytes.length);
    }

    static long reference(int address, int length) {
        return (long) length << 32 | Integer.toUnsignedLong(address);
    }

    /** The text as UTF-8, with U+FFFD where a surrogate has no partner. */
    private static byte[] utf8(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return replacing(text);
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** {@link String#getBytes} would write a question mark. */
    private static byte[] replacing(String text) {
        try {
            ByteBuffer bytes =
                    StandardCharsets.UTF_8
                            .newEncoder()
                            .onMalformedInput(CodingErrorAction.REPLACE)
                            .replaceWith(REPLACEMENT)
                            .encode(CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException impossible) {
            throw new AssertionError("what is malformed is replaced", impossible);
        }
    }
}
