package dev.jobsmith.plugins;

import dev.jobsmith.Component;
import dev.jobsmith.Guest;
import dev.jobsmith.Result;
import dev.jobsmith.Signature;
import dev.jobsmith.Types;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes the calls that it reads from standard input on an instance of a component, and compares
 * what it answers.
 *
 * <p>Docs: tests/plugins/README.md, "The driver".
 */
public final class Driver {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Component component;
    private final Map<String, Call> calls = new HashMap<>();
    private Guest guest;
    private int made;

    private Driver(Component component) {
        this.component = component;
    }

    /** A function, and how its arguments and its answer are read. */
    private record Call(
            Signature signature,
            Function<JsonNode, Object[]> arguments,
            Function<JsonNode, Object> answer) {}

    /** The function whose types have type parameters, which a class alone does not tell. */
    private interface Echo {
        Result<Types.Plan, Types.Malformed> echoResult(Result<Types.Plan, Types.Malformed> value);
    }

    public static void main(String[] arguments) throws IOException {
        Driver driver = new Driver(Component.read(Path.of(arguments[0])));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!driver.carryOut(JSON.readTree(line), number)) {
                System.exit(1);
            }
        }
        System.out.println(driver.made + " calls alike");
    }

    /** Whether the answer is the one that is expected. */
    private boolean carryOut(JsonNode line, int number) {
        if (line.has("history")) {
            guest = component.instantiate();
            return true;
        }
        Call call = calls.computeIfAbsent(line.get("call").stringValue(), Driver::call);
        Object expected = call.answer.apply(line.get("answer"));
        Object answer = guest.call(call.signature, call.arguments.apply(line.get("arguments")));
        made++;
        if (!Objects.equals(expected, answer)) {
            System.out.printf(
                    "line %d: %s%nexpected: %s%nanswered: %s%n",
                    number, call.signature.name(), expected, answer);
            return false;
        }
        return true;
    }

    private static Call call(String name) {
        return Stream.of(Types.Manager.class, Echo.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Values.kebab(method.getName()).equals(name))
                .findFirst()
                .map(Driver::call)
                .orElseGet(() -> echo(name));
    }

    private static Call call(Method method) {
        return new Call(
                Signature.of(method),
                arguments ->
                        IntStream.range(0, arguments.size())
                                .mapToObj(
                                        index ->
                                                Values.read(
                                                        arguments.get(index),
                                                        method.getAnnotatedParameterTypes()[index]))
                                .toArray(),
                answer -> Values.read(answer, method.getAnnotatedReturnType()));
    }

    /** The function that returns a value of the type in its name. */
    private static Call echo(String name) {
        String type = name.substring("echo-".length());
        Class<?> found =
                Arrays.stream(Types.class.getDeclaredClasses())
                        .filter(
                                each -> {
                                    String kebab = Values.kebab(each.getSimpleName());
                                    return kebab.equals(type) || kebab.equals("cluster-" + type);
                                })
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no type for " + name));
        return new Call(
                Signature.of(name, found, found),
                arguments -> new Object[] {Values.read(arguments.get(0), found)},
                answer -> Values.read(answer, found));
    }
}
