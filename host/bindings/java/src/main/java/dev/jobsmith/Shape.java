package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How values of one type lie in the memory of a component, and how they are passed to it.
 *
 * <p>Docs: Component Model, "Canonical ABI". Types are read by reflection, once.
 */
abstract class Shape {
    /** The shapes of classes without type parameters. */
    private static final Map<Class<?>, Shape> KNOWN = new ConcurrentHashMap<>();

    /** The number of bytes in memory. */
    final int size;

    /** What its address is a multiple of. */
    final int alignment;

    /** The number of core values as which it is passed. */
    final int flat;

    Shape(int size, int alignment, int flat) {
        this.size = size;
        this.alignment = alignment;
        this.flat = flat;
    }

    /** Reads a value from memory. */
    abstract Object load(Memory memory, int address);

    /** Writes a value to memory. */
    abstract void store(Heap heap, int address, Object value);

    /** Writes a value as core values, from a position on. */
    abstract void lower(Heap heap, Object value, long[] values, int position);

    /** The shape of a type where it is used. */
    static Shape of(AnnotatedType type) {
        return of(type, new TypeVariable<?>[0], List.of());
    }

    /** The shape of a class without type parameters. */
    static Shape of(Class<?> type) {
        Shape known = KNOWN.get(type);
        if (known == null) {
            known = made(type, List.of());
            KNOWN.put(type, known);
        }
        return known;
    }

    /** The shape of a type that may name type parameters, which stand for arguments. */
    static Shape of(AnnotatedType annotated, TypeVariable<?>[] parameters, List<Shape> arguments) {
        Type type = annotated.getType();
        if (type instanceof TypeVariable<?>) {
            return arguments.get(Arrays.asList(parameters).indexOf(type));
        }
        if (annotated instanceof AnnotatedParameterizedType generic) {
            Class<?> raw = (Class<?>) ((ParameterizedType) type).getRawType();
            List<Shape> inner =
                    Arrays.stream(generic.getAnnotatedActualTypeArguments())
                            .map(argument -> of(argument, parameters, arguments))
                            .toList();
            return made(raw, inner);
        }
        Unsigned unsigned = annotated.getAnnotation(Unsigned.class);
        return unsigned == null ? of((Class<?>) type) : Scalar.unsigned(unsigned.value());
    }

    private static Shape made(Class<?> type, List<Shape> arguments) {
        if (type == List.class) {
            return new ListShape(arguments.get(0));
        }
        if (type == Optional.class) {
            return new OptionShape(arguments.get(0));
        }
        if (type == String.class) {
            return new TextShape();
        }
        if (type.isRecord()) {
            return new RecordShape(type, arguments);
        }
        return type.isSealed() ? new VariantShape(type, arguments) : Scalar.of(type);
    }

    /** The first multiple of an alignment from an offset on. */
    static int aligned(int offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }
}
