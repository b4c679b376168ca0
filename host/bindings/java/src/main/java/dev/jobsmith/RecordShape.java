package dev.jobsmith;

import com.dylibso.chicory.runtime.Memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** The shape of a record: its fields, one after the other. */
final class RecordShape extends Shape {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);
    private static final MethodType CONSTRUCTOR =
            MethodType.methodType(Object.class, Object[].class);

    private final Class<?> type;
    private final Fields fields;
    private final MethodHandle constructor;
    private final MethodHandle[] accessors;
    private final String[] names;

    RecordShape(Class<?> type, List<Shape> arguments) {
        this(type, type.getRecordComponents(), arguments);
    }

    private RecordShape(Class<?> type, RecordComponent[] components, List<Shape> arguments) {
        this(
                type,
                components,
                new Fields(
                        Arrays.stream(components)
                                .map(RecordComponent::getAnnotatedType)
                                .map(field -> of(field, type.getTypeParameters(), arguments))
                                .toList()));
    }

    private RecordShape(Class<?> type, RecordComponent[] components, Fields fields) {
        super(fields.size, fields.alignment, fields.flat);
        this.type = type;
        this.fields = fields;
        this.names = Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new);
        Class<?>[] classes =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            constructor =
                    LOOKUP.findConstructor(type, MethodType.methodType(void.class, classes))
                            .asSpreader(Object[].class, classes.length)
                            .asType(CONSTRUCTOR);
            accessors = new MethodHandle[components.length];
            for (int index = 0; index < accessors.length; index++) {
                accessors[index] =
                        LOOKUP.unreflect(components[index].getAccessor()).asType(ACCESSOR);
            }
        } catch (ReflectiveOperationException exception) {
            throw new IllegalArgumentException(type + " is not public", exception);
        }
    }

    @Override
    Object load(Memory memory, int address) {
        Object[] values = fields.load(memory, address);
        try {
            return (Object) constructor.invokeExact(values);
        } catch (Throwable exception) {
            throw new IllegalStateException("cannot make a " + type.getName(), exception);
        }
    }

    @Override
    void store(Heap heap, int address, Object value) {
        fields.store(heap, address, values(value));
    }

    @Override
    void lower(Heap heap, Object value, long[] values, int position) {
        fields.lower(heap, values(value), values, position);
    }

    private Object[] values(Object value) {
        Object[] values = new Object[accessors.length];
        try {
            for (int index = 0; index < values.length; index++) {
                values[index] = (Object) accessors[index].invokeExact(value);
            }
        } catch (Throwable exception) {
            throw new IllegalArgumentException(value + " is not a " + type.getName(), exception);
        }
        fields.check(values, index -> type.getSimpleName() + "." + names[index]);
        return values;
    }
}
