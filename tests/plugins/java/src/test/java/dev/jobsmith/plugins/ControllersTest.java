package dev.jobsmith.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jobsmith.ConfigException;
import dev.jobsmith.Controllers;
import dev.jobsmith.ExplainException;
import dev.jobsmith.Loop;
import dev.jobsmith.MalformedException;
import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Listing;
import dev.jobsmith.Types.ObjectRef;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Part;
import dev.jobsmith.Types.Plan;
import dev.jobsmith.Types.Written;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The class of the contract: what it refuses, and what a caller learns from it. */
class ControllersTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Outcome DONE = new Outcome.Done(new Written("", "", "", false));

    private Controllers controllers;

    @BeforeEach
    void open() {
        controllers = new Controllers();
    }

    @AfterEach
    void close() {
        controllers.close();
    }

    @Test
    void aConfigurationIsRefusedAndNothingHasChanged() {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> controllers.configure("{\"jobs\": {}}"));
        assertTrue(refused.getMessage().contains("jobs: unknown field"), refused.getMessage());
        assertThrows(ConfigException.class, () -> new Controllers("{"));
        assertFalse(controllers.resources().isEmpty());
    }

    @Test
    void aMalformedObjectIsNamedAndTheRestOfItsListIsTakenIn() {
        String malformed = "{\"metadata\":{\"name\":\"x\",\"namespace\":\"d\"},\"spec\":3}";
        MalformedException named =
                assertThrows(MalformedException.class, () -> list(malformed, job("pi", 2)));
        assertEquals(List.of("Job", "d/x"), List.of(named.kind(), named.name()));
        assertEquals("malformed Job d/x: " + named.reason(), named.getMessage());
        assertFalse(named.reason().isEmpty());
        assertEquals("pi", plan().object().name());
    }

    @Test
    void aPlanIsReportedOnceAndWithAllOutcomes() {
        list(job("pi", 2));
        Plan plan = plan();
        List<Outcome> outcomes = outcomes(plan);

        refused(
                "including those that were skipped",
                () -> controllers.finished(plan, List.of(), NOW));
        controllers.finished(plan, outcomes, NOW);
        refused(
                "plan 1 is finished already: report each plan once", () -> finish(plan, outcomes));
        Plan unknown =
                new Plan(
                        -1,
                        plan.controller(),
                        plan.object(),
                        plan.batches(),
                        plan.decisions(),
                        plan.notices(),
                        plan.requeueAt());
        refused(
                "plan 18446744073709551615 is not in flight: report only plans of this instance",
                () -> finish(unknown, outcomes));
    }

    @Test
    void aPlanFromBeforeARestartIsNotOpen() {
        list(job("pi", 2));
        Plan plan = plan();
        controllers.restart();
        refused(
                "plan 1 is not in flight: report only plans of this instance",
                () -> finish(plan, List.of(DONE)));
    }

    @Test
    void aKindThatIsNotWatchedIsRefused() {
        refused(
                "hand over objects of the kinds of resources() only",
                () -> controllers.applied("Secret", "{}", NOW));
    }

    @Test
    void aPartOfAListThatHasNotBegunIsRefused() {
        Listing last = new Listing("Job", Part.LAST, "1", List.of());
        refused("hand over its part FIRST", () -> controllers.listed(last, NOW));
        controllers.listed(new Listing("Job", Part.FIRST, "", List.of()), NOW);
        controllers.listed(last, NOW);
        refused("hand over its part FIRST", () -> controllers.listed(last, NOW));
    }

    @Test
    void aMissingValueIsRefusedByItsName() {
        NullPointerException missing =
                assertThrows(
                        NullPointerException.class, () -> controllers.applied("Job", null, NOW));
        assertEquals("ClusterObject.json is null", missing.getMessage());
    }

    @Test
    void aLoopWithoutAClusterIsRefused() {
        NullPointerException missing =
                assertThrows(NullPointerException.class, () -> new Loop(controllers, null));
        assertEquals("cluster is null", missing.getMessage());
    }

    @Test
    void whatIsRefusedChangesNothing() {
        list(job("pi", 2));
        Plan plan = plan();
        List<Outcome> outcomes = outcomes(plan);
        Outcome last = outcomes.set(outcomes.size() - 1, null);
        NullPointerException missing =
                assertThrows(NullPointerException.class, () -> finish(plan, outcomes));
        assertTrue(missing.getMessage().startsWith("an element of a list is null"));
        outcomes.set(outcomes.size() - 1, last);
        finish(plan, outcomes);

        Listing first = new Listing("Job", Part.FIRST, null, List.of());
        assertThrows(NullPointerException.class, () -> controllers.listed(first, NOW));
        Listing second = new Listing("Job", Part.LAST, "1", List.of());
        refused("hand over its part FIRST", () -> controllers.listed(second, NOW));
    }

    @Test
    void timeMayGoBackwardsButNotBeyondAllTimes() {
        list(job("pi", 2));
        controllers.nextPlan(NOW.minusSeconds(7200));
        controllers.applied("Job", job("pi", 2), NOW.minusSeconds(7200));
        assertEquals("pi", plan().object().name());
        refused("is not between", () -> controllers.nextPlan(Instant.MAX));
    }

    @Test
    void aClosedInstanceSaysSo() {
        controllers.close();
        refused("create new ones", () -> controllers.resources());
        refused("create new ones", () -> controllers.restart());
        refused("create new ones", () -> controllers.applied("Job", job("pi", 2), NOW));
        controllers.close();
    }

    @Test
    void anObjectIsExplainedOnceItIsKnown() {
        ObjectRef pi = new ObjectRef("Job", "d", "pi", "");
        ExplainException unknown =
                assertThrows(ExplainException.class, () -> controllers.explain(pi, NOW));
        assertFalse(unknown.getMessage().isEmpty());
        list(job("pi", 2));
        assertFalse(controllers.explain(pi, NOW).now().decisions().isEmpty());
    }

    @Test
    void anInterruptedThreadMayCall() {
        Thread.currentThread().interrupt();
        controllers.resources();
        assertTrue(Thread.interrupted(), "the interrupt is kept");
    }

    @Test
    void twoThreadsTakeTurns() throws Exception {
        list();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<?>> running = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            running.add(threads.submit(() -> create(name)));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdown();
        List<String> planned = new ArrayList<>();
        Instant later = NOW.plusSeconds(60);
        controllers.plans(later).forEach(plan -> planned.add(plan.object().name()));
        assertEquals(600, planned.stream().distinct().count());
    }

    @Test
    void memoryStaysAsItIsOverManyEvents() {
        list(job("pi", 2));
        handle(20_000);
        long before = used();
        handle(100_000);
        long grown = used() - before;
        assertTrue(grown < 2_000_000, "the memory in use has grown by " + grown + " bytes");
    }

    private void create(String name) {
        for (int number = 0; number < 300; number++) {
            String created = job(name + number, 1).replace(":\"1\"", ":\"2\"");
            controllers.applied("Job", created, NOW);
        }
    }

    private void handle(int events) {
        Instant now = NOW;
        for (int number = 0; number < events; number++) {
            now = now.plus(Duration.ofMillis(10));
            controllers.applied("Pod", pod(number), now);
        }
        controllers.plans(now).forEach(plan -> {});
    }

    /** The bytes in use, the instance's memory included: it is an array of Java. */
    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Lists these Jobs, and no object of any other kind. */
    private void list(String... jobs) {
        for (ApiResource resource : controllers.resources()) {
            if (!resource.kind().equals("Job")) {
                controllers.listed(resource.kind(), List.of(), "1", NOW);
            }
        }
        controllers.listed("Job", List.of(jobs), "1", NOW);
    }

    private Plan plan() {
        return controllers.nextPlan(NOW).orElseThrow();
    }

    /** An outcome for each command of a plan. */
    private static List<Outcome> outcomes(Plan plan) {
        List<Outcome> outcomes = new ArrayList<>();
        plan.batches().forEach(batch -> batch.forEach(command -> outcomes.add(DONE)));
        return outcomes;
    }

    private void finish(Plan plan, List<Outcome> outcomes) {
        controllers.finished(plan, outcomes, NOW);
    }

    private static void refused(String expected, Runnable call) {
        RuntimeException refused = assertThrows(RuntimeException.class, call::run);
        assertTrue(
                refused instanceof IllegalStateException
                        || refused instanceof IllegalArgumentException,
                refused.toString());
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    private static String job(String name, int pods) {
        return """
        {"metadata":{"name":"%1$s","namespace":"d","uid":"u-%1$s","resourceVersion":"1"},"spec":\
        {"completions":%2$d,"parallelism":%2$d,"backoffLimit":6,"selector":{"matchLabels":\
        {"job":"%1$s"}},"template":{"metadata":{"labels":{"job":"%1$s"}}}}}\
        """
                .formatted(name, pods);
    }

    private static String pod(int version) {
        return """
        {"metadata":{"name":"pi-x","namespace":"d","uid":"p1","resourceVersion":"%d","labels":\
        {"job":"pi"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi",\
        "uid":"u-pi","controller":true}],"finalizers":["batch.kubernetes.io/job-tracking"]},\
        "status":{"phase":"Running"}}\
        """
                .formatted(version + 2);
    }
}
