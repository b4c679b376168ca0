package dev.jobsmith.plugins;

import dev.jobsmith.Unsigned;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Values of the binding's types from JSON, by reflection.
 *
 * <p>Docs: tests/plugins/README.md, "Values as JSON".
 */
final class Values {
    private Values() {}

    /** A value of a type where it is used. */
    static Object read(JsonNode json, AnnotatedType type) {
        boolean unsigned = type.isAnnotationPresent(Unsigned.class);
        if (type instanceof AnnotatedParameterizedType generic) {
            Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
            return read(json, raw, false, List.of(generic.getAnnotatedActualTypeArguments()));
        }
        return read(json, (Class<?>) type.getType(), unsigned, List.of());
    }

    /** A value of a class without type parameters. */
    static Object read(JsonNode json, Class<?> type) {
        return read(json, type, false, List.of());
    }

    /** The name of a class or a method as the WIT spells it: {@code next-plan}. */
    static String kebab(String name) {
        String words = name.replaceAll("(?<=.)([A-Z])", "-$1").replaceAll("_$", "");
        return words.toLowerCase(Locale.ROOT);
    }

    private static Object read(
            JsonNode json, Class<?> type, boolean unsigned, List<AnnotatedType> arguments) {
        if (type == Optional.class) {
            boolean missing = json == null || json.isNull();
            return missing ? Optional.empty() : Optional.of(read(json, arguments.get(0)));
        }
        if (type == List.class) {
            List<Object> elements = new ArrayList<>();
            json.forEach(element -> elements.add(read(element, arguments.get(0))));
            return elements;
        }
        if (type.isRecord()) {
            return record(json, type, arguments);
        }
        if (type.isSealed()) {
            return variant(json, type, arguments);
        }
        if (type.isEnum()) {
            String name = json.stringValue().replace('-', '_').toUpperCase(Locale.ROOT);
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> each.toString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
        return scalar(json, type, unsigned);
    }

    /** A record from an object, or a tuple from an array. */
    private static Object record(JsonNode json, Class<?> type, List<AnnotatedType> arguments) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Set<String> unknown = new HashSet<>(json.propertyNames());
        for (int index = 0; index < values.length; index++) {
            String name = components[index].getName().replaceAll("_$", "");
            unknown.remove(name);
            values[index] =
                    read(
                            json.isArray() ? json.get(index) : json.get(name),
                            component(components[index], type, arguments));
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(type + " has no " + unknown);
        }
        return made(type, values);
    }

    private static Object variant(JsonNode json, Class<?> type, List<AnnotatedType> arguments) {
        String tag = json.get("tag").stringValue();
        Class<?> found =
                Arrays.stream(type.getPermittedSubclasses())
                        .filter(each -> kebab(each.getSimpleName()).equals(tag))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(type + " has no " + tag));
        Object[] values =
                Arrays.stream(found.getRecordComponents())
                        .map(each -> read(json.get("val"), component(each, found, arguments)))
                        .toArray();
        return made(found, values);
    }

    /** The type of a component; of a generic record, that which stands for its type variable. */
    private static AnnotatedType component(
            RecordComponent component, Class<?> type, List<AnnotatedType> arguments) {
        int variable = Arrays.asList(type.getTypeParameters()).indexOf(component.getGenericType());
        return variable < 0 ? component.getAnnotatedType() : arguments.get(variable);
    }

    private static Object made(Class<?> type, Object[] values) {
        try {
            return type.getDeclaredConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException exception) {
            throw new IllegalArgumentException(type + " cannot be made", exception);
        }
    }

    private static Object scalar(JsonNode json, Class<?> type, boolean unsigned) {
        if (type == Void.class) {
            return null;
        }
        if (type == String.class) {
            return json.stringValue();
        }
        if (type == boolean.class || type == Boolean.class) {
            return json.booleanValue();
        }
        if (type == int.class || type == Integer.class) {
            return json.intValue();
        }
        if (type == double.class || type == Double.class) {
            String bits = json.get("f64").stringValue();
            return Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        }
        if (json.isNumber()) {
            return json.longValue();
        }
        String digits = json.get("i64").stringValue();
        return unsigned ? Long.parseUnsignedLong(digits) : Long.parseLong(digits);
    }
}
