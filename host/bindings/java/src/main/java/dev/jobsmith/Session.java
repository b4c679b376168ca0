package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Event;
import dev.jobsmith.Types.Plan;
import dev.jobsmith.Types.Report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One life of the controllers in a {@link Loop}: from their first list until they are lost. */
final class Session {
    /** How many events may wait to be handled; watches wait for the rest. */
    private static final int WAITING = 1000;

    /** How many plans are carried out in parallel. */
    private static final int WORKERS = 16;

    /** The longest sleep; waking up for nothing does no harm. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Controllers controllers;
    private final Loop.Listener listener;
    private final Executor executor;
    private final Notices notices;
    private final List<Reflector> reflectors = new ArrayList<>();

    /** What has happened; an empty entry only wakes the loop up. */
    private final BlockingQueue<Optional<Event>> events = new LinkedBlockingQueue<>(WAITING);

    private volatile boolean stopped;
    private int executing;

    Session(Controllers controllers, Cluster cluster, Loop.Listener listener) {
        this.controllers = controllers;
        this.listener = listener;
        List<ApiResource> resources = controllers.resources();
        executor = new Executor(cluster);
        notices = new Notices(cluster, resources);
        CountDownLatch before = new CountDownLatch(0);
        for (ApiResource resource : resources) {
            Reflector reflector = new Reflector(this, cluster, listener, resource, before);
            reflectors.add(reflector);
            before = reflector.listed;
        }
    }

    /** Drives the controllers until it is stopped. */
    void drive() throws InterruptedException {
        reflectors.forEach(Thread::start);
        while (!stopped) {
            begin();
            Optional<Event> first = await();
            first.ifPresent(this::handle);
            // Plans are made of the newest state: what else has happened by now comes first.
            for (Optional<Event> next = events.poll();
                    next != null && !stopped;
                    next = events.poll()) {
                next.ifPresent(this::handle);
            }
        }
    }

    /** Ends {@link #drive}. */
    void stop() {
        stopped = true;
        events.offer(Optional.empty());
    }

    /** Ends the watches, and waits for what is being sent. */
    void close() throws InterruptedException {
        stop();
        reflectors.forEach(Thread::interrupt);
        notices.close();
        executor.close();
    }

    boolean stopped() {
        return stopped;
    }

    /**
     * Takes what has happened. Waits while too much else waits to be handled, unless the session is
     * over: nobody handles it then.
     */
    void put(Event event) throws InterruptedException {
        boolean taken = false;
        while (!taken && !stopped) {
            taken = events.offer(Optional.of(event), 1, TimeUnit.SECONDS);
        }
    }

    /** Begins to carry out the plans that are due. */
    private void begin() {
        Optional<Plan> next;
        while (executing < WORKERS && (next = controllers.nextPlan(Instant.now())).isPresent()) {
            Plan plan = next.get();
            listener.decided(plan);
            notices.record(plan.notices());
            if (plan.batches().stream().anyMatch(batch -> !batch.isEmpty())) {
                executing++;
                executor.execute(plan, outcomes -> finish(new Report(plan.id(), outcomes)));
            }
        }
    }

    /** Called by the executor's threads. */
    private void finish(Report report) {
        try {
            put(new Event.Finished(report));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the next event; empty when it is time to ask for plans. */
    private Optional<Event> await() throws InterruptedException {
        if (executing == WORKERS) {
            return events.take();
        }
        Duration pause =
                controllers
                        .nextWakeup()
                        .map(next -> Timestamps.instant(next.at()))
                        .map(at -> Duration.between(Instant.now(), at))
                        .filter(length -> length.compareTo(LONGEST) < 0)
                        .orElse(LONGEST);
        // Rounded up, so that the time has come when the wait is over.
        Optional<Event> event = events.poll(pause.toMillis() + 1, TimeUnit.MILLISECONDS);
        return event == null ? Optional.empty() : event;
    }

    private void handle(Event event) {
        if (event instanceof Event.Finished) {
            executing--;
        }
        try {
            controllers.handle(event, Instant.now());
        } catch (MalformedException malformed) {
            listener.malformed(malformed);
        }
    }
}
