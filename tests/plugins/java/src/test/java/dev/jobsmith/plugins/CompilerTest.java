package dev.jobsmith.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jobsmith.Component;
import dev.jobsmith.Controllers;
import dev.jobsmith.Types.Plan;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The engines: the same answers, before HotSpot has compiled what Chicory compiled, and after. */
class CompilerTest {
    private static final Path COMPONENT = Path.of("../../../target/component/controllers.wasm");
    private static final Instant NOW = Instant.parse("2026-09-21T00:00:10Z");

    @Test
    void answersDoNotChangeWhenTheJvmHasWarmedUp() throws IOException {
        try (Controllers compiled = controllers(Component.Engine.COMPILER);
                Controllers interpreted = controllers(Component.Engine.INTERPRETER)) {
            Plan expected = plan(interpreted);
            Samples.list(compiled, Samples.job(2), NOW);
            for (int event = 0; event < 20_000; event++) {
                compiled.applied("Pod", Samples.pod(), NOW);
            }
            for (int round = 0; round < 60; round++) {
                assertEquals(expected, plan(compiled));
            }
        }
    }

    private static Controllers controllers(Component.Engine engine) throws IOException {
        return new Controllers(Component.of(Files.readAllBytes(COMPONENT), engine), "{}");
    }

    /** The first plan of a Job with 500 pods. */
    private static Plan plan(Controllers controllers) {
        controllers.configure("{}");
        Samples.list(controllers, Samples.job(500), NOW);
        return controllers.nextPlan(NOW).orElseThrow();
    }
}
