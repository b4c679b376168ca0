package dev.jobsmith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/** A trap: the controllers are lost until they are restarted, and say what the panic said. */
class LostTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void lostControllersAreRestartedWithTheirConfiguration() {
        try (Controllers controllers = new Controllers("{\"controllers\": [\"ttl\"]}")) {
            LostException lost = assertThrows(LostException.class, () -> trap(controllers));
            String panic = "the host sent a time that does not exist: 1000000000000000 s";
            assertTrue(lost.panic().endsWith(panic), lost.panic());
            assertTrue(lost.getMessage().contains("call restart() and list again"));

            LostException again = assertThrows(LostException.class, controllers::resources);
            assertEquals(lost.getMessage(), again.getMessage());
            assertThrows(LostException.class, () -> controllers.configure("{}"));

            controllers.restart();
            assertEquals(List.of("Job"), kinds(controllers));
            controllers.listed("Job", List.of(), "1", NOW);
            assertFalse(controllers.plans(NOW).iterator().hasNext());
        }
    }

    /** The one thing that the binding itself would have refused. */
    static void trap(Controllers controllers) {
        Types.Timestamp none = new Types.Timestamp(1_000_000_000_000_000L, 0);
        controllers.call(manager -> manager.nextPlan(none));
    }

    private static List<String> kinds(Controllers controllers) {
        return controllers.resources().stream().map(Types.ApiResource::kind).toList();
    }
}
