package dev.jobsmith.plugins;

import dev.jobsmith.Component;
import dev.jobsmith.Controllers;
import dev.jobsmith.Types.Plan;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Measures the binding, and prints microseconds as JSON: {@code Bench COMPONENT < OBJECTS}.
 *
 * <p>Each figure but the first is the median of the second half of several runs: what the JVM has
 * not compiled yet does not count.
 */
public final class Bench {
    private final Component component;
    private final JsonNode given;
    private final Instant now;

    private Bench(Component component, JsonNode given) {
        this.component = component;
        this.given = given;
        now = Instant.parse(given.get("now").asString());
    }

    public static void main(String[] arguments) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(arguments[0]));
        JsonNode given = new JsonMapper().readTree(System.in);
        long begin = System.nanoTime();
        Component component = Component.of(bytes);
        Bench bench = new Bench(component, given);
        Instant now = bench.now;
        try (Controllers controllers = bench.listed("job")) {
            double load = (System.nanoTime() - begin) / 1e3;
            List<String> pods = given.get("pods").valueStream().map(JsonNode::asString).toList();
            Iterator<String> pod = pods.iterator();
            double event =
                    median(
                            pods.size(),
                            () -> controllers,
                            known -> known.applied("Pod", pod.next(), now));
            int[] commands = {0};
            double plan =
                    median(
                            60,
                            () -> bench.listed("large"),
                            known -> commands[0] = commands(known.nextPlan(now).orElseThrow()));
            System.out.printf(
                    Locale.ROOT,
                    "{\"load\": %.0f, \"event\": %.1f, \"plan\": %.0f, \"commands\": %d}%n",
                    load,
                    event,
                    plan,
                    commands[0]);
        }
    }

    /** Controllers that know this Job of the given objects. */
    private Controllers listed(String job) {
        Controllers controllers = new Controllers(component, "{\"controllers\": [\"job\"]}");
        controllers.listed("Job", List.of(given.get(job).asString()), "10", now);
        controllers.listed("Pod", List.of(), "10", now);
        return controllers;
    }

    private static int commands(Plan plan) {
        return plan.batches().stream().mapToInt(List::size).sum();
    }

    private static double median(
            int times, Supplier<Controllers> prepare, Consumer<Controllers> measured) {
        long[] lengths = new long[times];
        for (int index = 0; index < times; index++) {
            Controllers controllers = prepare.get();
            long begin = System.nanoTime();
            measured.accept(controllers);
            lengths[index] = System.nanoTime() - begin;
        }
        long[] warm = Arrays.copyOfRange(lengths, times / 2, times);
        Arrays.sort(warm);
        return warm[warm.length / 2] / 1e3;
    }
}
