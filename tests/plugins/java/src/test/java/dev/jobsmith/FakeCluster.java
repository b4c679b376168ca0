package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.ClusterObject;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Written;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A cluster that stores some Jobs, shows what a test wants, and accepts every command. */
class FakeCluster implements Cluster {
    /** How often each kind was listed. */
    final Map<String, Integer> lists = new ConcurrentHashMap<>();

    /** The kinds that are watched. */
    final List<String> watched = new CopyOnWriteArrayList<>();

    /** All commands, in the order in which they were sent. */
    final List<Command> sent = new CopyOnWriteArrayList<>();

    private final List<String> jobs;
    private final Map<String, BlockingQueue<Step>> steps = new ConcurrentHashMap<>();
    private final AtomicInteger version = new AtomicInteger(10);

    FakeCluster(String... jobs) {
        this.jobs = List.of(jobs);
    }

    /** What a watch does next: it shows something or breaks. */
    interface Step {
        void take(Consumer<Change> changes) throws Exception;
    }

    /** The server ends a watch. */
    private static final Step END = changes -> {};

    void end(String kind) {
        next(kind, END);
    }

    void next(String kind, Step step) {
        steps(kind).add(step);
    }

    /** A watch shows an object, which is written at this moment. */
    void applied(String kind, String json) {
        String written = json.replace("\"5\"", "\"" + version.incrementAndGet() + "\"");
        Change change = new Change.Applied(new ClusterObject(kind, written));
        next(kind, changes -> changes.accept(change));
    }

    /** How many of the commands have this method and path. */
    long sent(Types.Method method, String path) {
        return sent.stream()
                .filter(each -> each.method() == method && each.path().equals(path))
                .count();
    }

    /** Each Job is a page of its own. */
    @Override
    public String list(ApiResource resource, Consumer<List<String>> pages) throws Exception {
        lists.merge(resource.kind(), 1, Integer::sum);
        if (resource.kind().equals("Job")) {
            jobs.forEach(job -> pages.accept(List.of(job)));
        }
        return "7";
    }

    @Override
    public void watch(ApiResource resource, String version, Consumer<Change> changes)
            throws Exception {
        watched.add(resource.kind());
        try {
            Step step;
            while ((step = steps(resource.kind()).take()) != END) {
                step.take(changes);
            }
        } finally {
            watched.remove(resource.kind());
        }
    }

    @Override
    public Outcome send(Command command) throws Exception {
        sent.add(command);
        String next = Integer.toString(version.incrementAndGet());
        return new Outcome.Done(new Written("pod-" + next, "uid-" + next, next, false));
    }

    private BlockingQueue<Step> steps(String kind) {
        return steps.computeIfAbsent(kind, each -> new LinkedBlockingQueue<>());
    }

    /** A Job that wants one pod, as lists have it. */
    static String job(String name) {
        return """
        {"metadata":{"name":"%1$s","namespace":"d","uid":"u-%1$s","resourceVersion":"5"},"spec":\
        {"completions":1,"parallelism":1,"backoffLimit":6,"selector":{"matchLabels":\
        {"job":"%1$s"}},"template":{"metadata":{"labels":{"job":"%1$s"}}}}}\
        """
                .formatted(name);
    }
}
