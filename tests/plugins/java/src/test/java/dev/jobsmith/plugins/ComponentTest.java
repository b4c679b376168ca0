package dev.jobsmith.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jobsmith.Component;
import dev.jobsmith.Controllers;
import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Method;
import dev.jobsmith.Types.Plan;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Components: a third party's runs as ours does, and other bytes are refused. */
class ComponentTest {
    private static final Path COMPONENTS = Path.of("../../../target/component");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void somebodyElsesComponentRuns() throws IOException {
        Component component = Component.read(COMPONENTS.resolve("pod_labeler.wasm"));
        try (Controllers controllers = new Controllers(component, "{}")) {
            List<ApiResource> resources = controllers.resources();
            assertEquals(List.of("Pod"), resources.stream().map(ApiResource::kind).toList());
            String pod =
                    """
                    {"metadata":{"name":"a","namespace":"d","uid":"u","resourceVersion":"5"},\
                    "status":{"phase":"Succeeded"}}""";
            controllers.listed("Pod", List.of(pod), "7", NOW);
            List<String> sent = new ArrayList<>();
            for (Plan plan : controllers.plans(NOW)) {
                for (List<Command> batch : plan.batches()) {
                    batch.forEach(each -> sent.add(each.method() + " " + each.path()));
                }
            }
            assertEquals(List.of(Method.PATCH + " /api/v1/namespaces/d/pods/a"), sent);
        }
    }

    /** Without a time in the pom, each build would write another jar. */
    @Test
    void thePomNamesTheSiteAndTheTimeOfTheJar() throws IOException {
        String pom = Files.readString(Path.of("../../../host/bindings/java/pom.xml"));
        assertTrue(pom.contains("<project.build.outputTimestamp>2026-01-01T00:00:00Z<"), pom);
        assertTrue(pom.contains("<url>https://jobsmith.dev</url>"), pom);
    }

    @Test
    void otherBytesAreRefused() throws IOException {
        byte[] component = Files.readAllBytes(COMPONENTS.resolve("controllers.wasm"));
        byte[] coreModule = {0, 'a', 's', 'm', 1, 0, 0, 0};
        refused("it is not a WebAssembly component", new byte[0]);
        refused("it is not a WebAssembly component", coreModule);
        refused("it has no core module", Arrays.copyOf(component, 8));
        refused("it is truncated", Arrays.copyOf(component, 9));
        refused("it is truncated", Arrays.copyOf(component, 2000));
    }

    @Test
    void aComponentWithOtherFunctionsIsRefused() throws IOException {
        Component echo = Component.read(COMPONENTS.resolve("echo.wasm"));
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class, () -> new Controllers(echo, "{}").close());
        assertTrue(refused.getMessage().contains("#echo-plan"), refused.getMessage());
    }

    private static void refused(String reason, byte[] bytes) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Component.of(bytes));
        assertEquals("cannot load the component: " + reason, refused.getMessage());
    }
}
