package dev.jobsmith.plugins;

import dev.jobsmith.Component;
import dev.jobsmith.Controllers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * Measures a component, and prints microseconds as JSON: to load it, for an event with a pod of 1.6
 * kB, and for a plan with 501 commands.
 *
 * <p>Each figure but the first is the median after a warm-up.
 */
public final class Bench {
    private static final Instant NOW = Instant.parse("2026-09-21T00:00:10Z");

    private Bench() {}

    public static void main(String[] arguments) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(arguments[0]));
        long begin = System.nanoTime();
        Component component = Component.of(bytes);
        try (Controllers controllers = new Controllers(component, "{}")) {
            double load = (System.nanoTime() - begin) / 1e3;
            String pod = Samples.pod();
            Samples.list(controllers, Samples.job(2), NOW);
            double event = median(20_000, () -> controllers.applied("Pod", pod, NOW));
            double plan = median(60, () -> controllers.nextPlan(NOW), () -> many(controllers));
            System.out.printf(
                    "{\"load\": %.0f, \"event\": %.1f, \"plan\": %.0f}%n", load, event, plan);
        }
    }

    private static double median(int times, Runnable measured) {
        return median(times, measured, () -> {});
    }

    /** The median of the second half of so many runs. */
    private static double median(int times, Runnable measured, Runnable before) {
        long[] lengths = new long[times];
        for (int index = 0; index < times; index++) {
            before.run();
            long begin = System.nanoTime();
            measured.run();
            lengths[index] = System.nanoTime() - begin;
        }
        long[] warm = Arrays.copyOfRange(lengths, times / 2, times);
        Arrays.sort(warm);
        return warm[warm.length / 2] / 1e3;
    }

    /** Makes the next plan one with 501 commands. */
    private static void many(Controllers controllers) {
        controllers.configure("{}");
        Samples.list(controllers, Samples.job(500), NOW);
    }
}
