package dev.jobsmith;

import dev.jobsmith.Types.ApiError;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Carries out plans: batches one after the other, the commands of a batch in parallel. */
final class Executor {
    /** How many requests are under way at once. */
    private static final int REQUESTS = 16;

    /** How long requests that are under way are waited for in the end, in seconds. */
    private static final long FINISHING = 4;

    private static final CompletableFuture<Outcome> SKIPPED =
            CompletableFuture.completedFuture(new Outcome.Skipped());

    private final Cluster cluster;
    private final ExecutorService requests =
            Executors.newFixedThreadPool(REQUESTS, Executor::named);

    Executor(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Carries out a plan, and hands over one outcome for each command when it is done. */
    void execute(Plan plan, Consumer<List<Outcome>> finished) {
        batch(plan, 0, new ArrayList<>()).thenAccept(finished);
    }

    void close() throws InterruptedException {
        requests.shutdown();
        try {
            requests.awaitTermination(FINISHING, TimeUnit.SECONDS);
        } finally {
            requests.shutdownNow();
        }
    }

    /** Carries out the batches from a number on; outcomes are those of the batches before it. */
    private CompletableFuture<List<Outcome>> batch(Plan plan, int number, List<Outcome> outcomes) {
        if (number == plan.batches().size()) {
            return CompletableFuture.completedFuture(outcomes);
        }
        List<Boolean> before = succeeded(plan, outcomes);
        List<CompletableFuture<Outcome>> sent =
                plan.batches().get(number).stream()
                        .map(each -> mayRun(each, before) ? sent(each) : SKIPPED)
                        .toList();
        return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
                .thenCompose(
                        done -> {
                            sent.forEach(each -> outcomes.add(each.join()));
                            return batch(plan, number + 1, outcomes);
                        });
    }

    private CompletableFuture<Outcome> sent(Command command) {
        return CompletableFuture.supplyAsync(() -> send(command), requests);
    }

    /** Sends a command. Errors are caught too: a plan that never ends would hold its object up. */
    private Outcome send(Command command) {
        try {
            return Objects.requireNonNull(cluster.send(command), "Cluster.send returned null");
        } catch (Throwable thrown) {
            String message = "%s %s: %s".formatted(command.method(), command.path(), thrown);
            return new Outcome.Failed(new ApiError(0, "", message, List.of()));
        }
    }

    /** Whether all that a command depends on succeeded, of the commands of earlier batches. */
    private static boolean mayRun(Command command, List<Boolean> before) {
        return command.after()
                .map(after -> after < before.size() && before.get(after.intValue()))
                .orElseGet(() -> !before.contains(false));
    }

    /** Whether each of the commands that have an outcome succeeded, batch by batch. */
    private static List<Boolean> succeeded(Plan plan, List<Outcome> outcomes) {
        List<Command> commands = plan.batches().stream().flatMap(List::stream).toList();
        return IntStream.range(0, outcomes.size())
                .mapToObj(index -> succeeded(commands.get(index), outcomes.get(index)))
                .toList();
    }

    /** Whether the outcome of a command lets those that depend on it run. */
    private static boolean succeeded(Command command, Outcome outcome) {
        return outcome instanceof Outcome.Done
                || outcome instanceof Outcome.Failed failed
                        && command.tolerates().contains(failed.value().code());
    }

    private static Thread named(Runnable requests) {
        Thread thread = new Thread(requests, "jobsmith-requests");
        thread.setDaemon(true);
        return thread;
    }
}
