package dev.jobsmith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Method;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Plan;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The loop: what it does when lists, watches, requests or the controllers themselves fail. */
@Timeout(60)
class LoopTest {
    private static final String PODS = "/api/v1/namespaces/d/pods";
    private static final String JOB = "/apis/batch/v1/namespaces/d/jobs/a";
    private static final String TTL = "{\"controllers\": [\"ttl\"]}";

    private final Reports reports = new Reports();
    private Controllers controllers;
    private Loop loop;
    private Thread thread;

    @AfterEach
    void stop() throws InterruptedException {
        loop.close();
        thread.join();
        controllers.close();
        assertEquals(Set.of(), threads(), "these threads are left behind");
    }

    @Test
    void aListComesPageByPage() {
        FakeCluster cluster = new FakeCluster(jobs());
        run("{}", cluster);

        until(() -> reports.plans.containsAll(List.of("a", "b", "c")));
        until(() -> cluster.sent(Method.POST, PODS) == 3);
    }

    @Test
    void aListThatBreaksOffBeginsAgain() {
        AtomicBoolean broken = new AtomicBoolean();
        FakeCluster cluster =
                new FakeCluster(jobs()) {
                    @Override
                    public String list(ApiResource resource, Consumer<List<String>> pages)
                            throws Exception {
                        if (resource.kind().equals("Job") && broken.compareAndSet(false, true)) {
                            pages.accept(List.of(job("gone")));
                            pages.accept(List.of(job("b")));
                            throw new IOException("410 Gone: the continue token is too old");
                        }
                        return super.list(resource, pages);
                    }
                };
        run("{}", cluster);

        until(() -> reports.plans.containsAll(List.of("a", "b", "c")));
        // What was in the first list alone is gone with the second one.
        assertTrue(reported("The Job is gone"), reports.decisions::toString);
        assertEquals(
                List.of("jobs: java.io.IOException: 410 Gone: the continue token is too old"),
                reports.interrupted);
    }

    @Test
    void aWatchThatBreaksIsListedAgain() {
        FakeCluster cluster = watched();
        cluster.next(
                "Job",
                changes -> {
                    throw new IOException("410 Gone");
                });

        until(() -> cluster.lists.get("Job") == 2);
        assertEquals(List.of("jobs: java.io.IOException: 410 Gone"), reports.interrupted);
        assertEquals(Map.of("Job", 2, "Pod", 1, "CronJob", 1), cluster.lists);
        cluster.applied("Job", FakeCluster.job("later"));
        until(() -> reports.plans.contains("later"));
    }

    @Test
    void aWatchThatEndsIsListedAgain() {
        FakeCluster cluster = watched();
        cluster.end("Pod");

        until(() -> cluster.lists.get("Pod") == 2);
        assertEquals(List.of(), reports.interrupted);
    }

    @Test
    void lostControllersBeginAgain() {
        FakeCluster cluster = watched();
        try {
            LostTest.trap(controllers);
        } catch (LostException expected) {
            // The loop notices at its next call.
        }
        cluster.applied("Job", FakeCluster.job("b"));

        until(() -> cluster.lists.equals(Map.of("Job", 2, "Pod", 2, "CronJob", 2)));
        assertEquals(1, reports.lost.size());
        assertTrue(reports.lost.get(0).contains("call restart() and list again"));
        cluster.applied("Job", FakeCluster.job("later"));
        until(() -> reports.plans.contains("later"));
    }

    @Test
    void aRequestWithoutAnAnswerIsSentAgain() {
        List<Throwable> thrown = List.of(new IOException("reset"), new AssertionError("a bug"));
        FakeCluster cluster =
                new FakeCluster(finished(Instant.now(), 0)) {
                    @Override
                    public Outcome send(Command command) throws Exception {
                        Outcome outcome = super.send(command);
                        if (sent.size() <= thrown.size()) {
                            LoopTest.<Exception>raise(thrown.get(sent.size() - 1));
                        }
                        return outcome;
                    }
                };
        run(TTL, cluster);

        until(() -> cluster.sent(Method.DELETE, JOB) == 3);
        String message = "deleting the Job failed: DELETE " + JOB + ": java.";
        assertTrue(reported(message + "io.IOException: reset"), reports.decisions::toString);
        assertTrue(reported(message + "lang.AssertionError: a bug"), reports.decisions::toString);
    }

    @Test
    void theLoopSleepsUntilTheNextWakeup() {
        Instant finished = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        FakeCluster cluster = new FakeCluster(finished(finished, 2));
        run(TTL, cluster);

        until(() -> cluster.sent(Method.DELETE, JOB) == 1);
        Duration after = Duration.between(finished, Instant.now());
        assertTrue(after.compareTo(Duration.ofSeconds(2)) >= 0, "deleted after " + after);
    }

    @Test
    void aMalformedObjectIsReportedAndTheLoopGoesOn() {
        FakeCluster cluster = watched();
        cluster.applied("Job", "{\"metadata\":{\"name\":\"x\",\"namespace\":\"d\"},\"spec\":3}");
        cluster.applied("Job", FakeCluster.job("later"));

        until(() -> reports.plans.contains("later"));
        assertEquals(1, reports.malformed.size());
        assertTrue(reports.malformed.get(0).startsWith("malformed Job d/x: "));
    }

    @Test
    void anInterruptEndsTheLoop() throws InterruptedException {
        watched();
        thread.interrupt();
        thread.join();
        assertFalse(thread.isAlive());
    }

    @Test
    void aClosedLoopEndsAtOnce() throws InterruptedException {
        FakeCluster cluster = watched();
        Instant before = Instant.now();
        loop.close();
        thread.join();

        Duration took = Duration.between(before, Instant.now());
        assertTrue(took.compareTo(Duration.ofSeconds(2)) < 0, "it takes " + took);
        // The threads of the watches are asked to end, and are not waited for.
        until(cluster.watched::isEmpty);
        assertEquals(List.of(), reports.interrupted);
    }

    /** A loop that has listed a Job, and watches all kinds. */
    private FakeCluster watched() {
        FakeCluster cluster = new FakeCluster(FakeCluster.job("a"));
        run("{}", cluster);
        until(() -> cluster.watched.size() == 3 && cluster.sent(Method.POST, PODS) == 1);
        return cluster;
    }

    private void run(String configuration, Cluster cluster) {
        controllers = new Controllers(configuration);
        loop = new Loop(controllers, cluster, reports);
        thread = new Thread(loop, "loop");
        thread.start();
    }

    private static void until(BooleanSupplier holds) {
        Instant end = Instant.now().plusSeconds(30);
        while (!holds.getAsBoolean()) {
            assertTrue(Instant.now().isBefore(end), "it does not happen within 30 s");
            try {
                Thread.sleep(10);
            } catch (InterruptedException exception) {
                throw new AssertionError(exception);
            }
        }
    }

    /** The threads of loops. A thread that was interrupted may take a moment to end. */
    private static Set<String> threads() throws InterruptedException {
        Set<String> names = Set.of();
        for (int tries = 0; tries < 100; tries++) {
            names =
                    Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.startsWith("jobsmith-"))
                            .collect(Collectors.toSet());
            if (names.isEmpty()) {
                break;
            }
            Thread.sleep(10);
        }
        return names;
    }

    private boolean reported(String words) {
        return reports.decisions.stream().anyMatch(decision -> decision.contains(words));
    }

    /** A Job that is Complete, and is deleted some seconds later. */
    private static String finished(Instant time, int ttl) {
        String more =
                """
                "status":{"completionTime":"%1$s","succeeded":1,"conditions":[{"type":"Complete",\
                "status":"True","lastTransitionTime":"%1$s"}]},\
                "spec":{"ttlSecondsAfterFinished":%2$d,"""
                        .formatted(time.truncatedTo(ChronoUnit.SECONDS), ttl);
        return FakeCluster.job("a").replace("\"spec\":{", more);
    }

    /** Throws what need not be declared. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static String[] jobs() {
        return new String[] {FakeCluster.job("a"), FakeCluster.job("b"), FakeCluster.job("c")};
    }

    /** What a loop has reported. */
    private static final class Reports implements Loop.Listener {
        /** The names of the objects that plans are about. */
        final List<String> plans = new CopyOnWriteArrayList<>();

        final List<String> decisions = new CopyOnWriteArrayList<>();
        final List<String> malformed = new CopyOnWriteArrayList<>();
        final List<String> interrupted = new CopyOnWriteArrayList<>();
        final List<String> lost = new CopyOnWriteArrayList<>();

        @Override
        public void decided(Plan plan) {
            plan.decisions().forEach(each -> decisions.add(Sentences.of(each)));
            plans.add(plan.object().name());
        }

        @Override
        public void malformed(MalformedException exception) {
            malformed.add(exception.getMessage());
        }

        @Override
        public void interrupted(ApiResource resource, Exception exception) {
            interrupted.add(resource.plural() + ": " + exception);
        }

        @Override
        public void lost(LostException exception) {
            lost.add(exception.getMessage());
        }
    }
}
