package dev.jobsmith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jobsmith.Types.ApiError;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.ContentType;
import dev.jobsmith.Types.Method;
import dev.jobsmith.Types.ObjectRef;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Plan;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** How plans are carried out: the last part of a path says how the cluster answers. */
@Timeout(60)
class ExecutorTest {
    private static final int TOLERATED = 404;

    private final FakeCluster cluster =
            new FakeCluster() {
                @Override
                public Outcome send(Command command) throws Exception {
                    Outcome done = super.send(command);
                    return switch (command.path()) {
                        case "gone" -> failed(TOLERATED);
                        case "forbidden" -> failed(403);
                        case "silent" -> throw new IOException("connection reset");
                        case "null" -> null;
                        default -> done;
                    };
                }
            };

    @Test
    void batchesFollowEachOther() throws Exception {
        assertEquals(List.of("Done", "Done", "Done"), outcomes("a b", "c"));
        assertEquals("c", cluster.sent.get(2).path());
    }

    @Test
    void aToleratedStatusDoesNotHoldUpThePlan() throws Exception {
        assertEquals(List.of("Failed 404", "Done", "Done"), outcomes("gone a", "b"));
    }

    @Test
    void afterAFailureLaterBatchesAreSkipped() throws Exception {
        assertEquals(
                List.of("Failed 403", "Done", "Skipped", "Skipped", "Skipped"),
                outcomes("forbidden a", "b c", "d"));
        assertEquals(2, cluster.sent.size());
    }

    @Test
    void aCommandAfterAnotherOneRunsWhateverBecomesOfTheRest() throws Exception {
        assertEquals(
                List.of(
                        "Failed 403", "Done", "Skipped", "Done", "Skipped", "Skipped", "Skipped",
                        "Skipped", "Done"),
                outcomes("forbidden b", "x<0 y<1 z<3 z<9", "c x<2 y<3"));
        assertEquals(4, cluster.sent.size());
    }

    @Test
    void whatIsThrownIsAnUnknownOutcome() throws Exception {
        assertEquals(List.of("Failed 0", "Skipped"), outcomes("silent", "a"));
        assertEquals(List.of("Failed 0", "Skipped"), outcomes("null", "a"));
        Outcome.Failed failed = (Outcome.Failed) execute("silent").get(0);
        assertTrue(
                failed.value().message().startsWith("PUT silent: java.io.IOException: connection"),
                failed.value().message());
    }

    private List<String> outcomes(String... batches) throws Exception {
        return execute(batches).stream().map(ExecutorTest::name).toList();
    }

    private List<Outcome> execute(String... batches) throws Exception {
        Executor executor = new Executor(cluster);
        CompletableFuture<List<Outcome>> finished = new CompletableFuture<>();
        executor.execute(plan(batches), finished::complete);
        List<Outcome> outcomes = finished.get();
        executor.close();
        return outcomes;
    }

    private static String name(Outcome outcome) {
        String name = outcome.getClass().getSimpleName();
        return outcome instanceof Outcome.Failed failed ? name + " " + failed.value().code() : name;
    }

    /** A plan whose batches name the paths of their commands; {@code a<0} comes after the first. */
    private static Plan plan(String... batches) {
        List<List<Command>> commands =
                Arrays.stream(batches)
                        .map(batch -> Stream.of(batch.split(" ")).map(ExecutorTest::put).toList())
                        .toList();
        ObjectRef object = new ObjectRef("Job", "d", "a", "");
        return new Plan(1, "job", object, commands, List.of(), List.of(), Optional.empty());
    }

    private static Command put(String text) {
        String[] parts = text.split("<");
        Optional<Long> after = Stream.of(parts).skip(1).map(Long::valueOf).findFirst();
        return new Command(
                Method.PUT, parts[0], ContentType.JSON, "{}", List.of(TOLERATED), after);
    }

    private static Outcome failed(int code) {
        return new Outcome.Failed(new ApiError(code, "", "", List.of()));
    }
}
