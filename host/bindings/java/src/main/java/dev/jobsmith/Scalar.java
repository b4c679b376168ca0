package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** The shape of numbers, booleans and enums: one core value; and that of {@link Void}: none. */
final class Scalar extends Shape {
    private final ToLongFunction<Object> bits;
    private final LongFunction<Object> value;

    private Scalar(int size, ToLongFunction<Object> bits, LongFunction<Object> value) {
        super(size, Math.max(size, 1), Math.min(size, 1));
        this.bits = bits;
        this.value = value;
    }

    static Scalar of(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return new Scalar(1, value -> (Boolean) value ? 1 : 0, bits -> bits != 0);
        }
        if (type == long.class || type == Long.class) {
            return unsigned(64);
        }
        if (type == double.class || type == Double.class) {
            return new Scalar(
                    8,
                    value -> Double.doubleToRawLongBits((Double) value),
                    Double::longBitsToDouble);
        }
        if (type == Void.class) {
            return new Scalar(0, value -> 0, bits -> null);
        }
        Object[] cases = type.getEnumConstants();
        if (cases == null || cases.length > 256) {
            throw new IllegalArgumentException(type + " has no shape in a component");
        }
        return new Scalar(1, value -> ((Enum<?>) value).ordinal(), bits -> cases[(int) bits]);
    }

    static Scalar unsigned(int width) {
        return switch (width) {
            case 16 -> new Scalar(2, value -> checked((Integer) value, 16), bits -> (int) bits);
            case 32 -> new Scalar(4, value -> checked((Long) value, 32), bits -> bits);
            case 64 -> new Scalar(8, value -> (Long) value, bits -> bits);
            default -> throw new IllegalArgumentException("no number has " + width + " bits");
        };
    }

    private static long checked(long value, int width) {
        if (value >> width != 0) {
            throw new IllegalArgumentException(
                    value + " is not an unsigned number of " + width + " bits");
        }
        return value;
    }

    @Override
    Object load(Memory memory, int address) {
        return value.apply(
                switch (size) {
                    case 1 -> memory.readU8(address);
                    case 2 -> memory.readU16(address);
                    case 4 -> memory.readU32(address);
                    case 8 -> memory.readLong(address);
                    default -> 0;
                });
    }

    @Override
    void store(Heap heap, int address, Object value) {
        long bits = this.bits.applyAsLong(value);
        switch (size) {
            case 1 -> heap.memory.writeByte(address, (byte) bits);
            case 2 -> heap.memory.writeShort(address, (short) bits);
            case 4 -> heap.memory.writeI32(address, (int) bits);
            case 8 -> heap.memory.writeLong(address, bits);
            default -> {}
        }
    }

    @Override
    void lower(Heap heap, Object value, long[] values, int position) {
        if (flat == 1) {
            values[position] = bits.applyAsLong(value);
        }
    }
}
