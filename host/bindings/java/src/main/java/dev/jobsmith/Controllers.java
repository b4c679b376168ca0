package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.ClusterObject;
import dev.jobsmith.Types.DecisionKind;
import dev.jobsmith.Types.Event;
import dev.jobsmith.Types.Explanation;
import dev.jobsmith.Types.Family;
import dev.jobsmith.Types.Listing;
import dev.jobsmith.Types.ObjectRef;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Part;
import dev.jobsmith.Types.Plan;
import dev.jobsmith.Types.Report;
import dev.jobsmith.Types.Versions;
import dev.jobsmith.Types.Wakeup;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The controllers: what happened goes in, and what to do about it and why comes out.
 *
 * <p>The contract is that of {@link Types.Manager}: list what {@link #resources} names, hand over
 * lists and changes, carry out each of {@link #plans}, report its outcomes with {@link #finished},
 * and ask again at the time of {@link #nextWakeup}. {@link Loop} does all that for a cluster.
 *
 * <p>Any thread may call any method: calls are made one after the other. A thread must not be
 * interrupted during a call, as that loses the controllers.
 *
 * <p>Every method throws {@link LostException} if the component traps, and from then on until
 * {@link #restart}; and {@link IllegalStateException} after {@link #close}.
 */
public final class Controllers implements AutoCloseable {
    private static final String DEFAULTS = "{}";

    private final ReentrantLock lock = new ReentrantLock();
    private final Component component;
    private String configuration;
    private Types.Manager manager;
    private Rules rules;
    private LostException lost;
    private boolean closed;

    /** Kubernetes' own controllers, with their defaults. */
    public Controllers() {
        this(DEFAULTS);
    }

    /**
     * Kubernetes' own controllers.
     *
     * @param configuration A JSON object; see {@link Types.Manager#configure}.
     * @throws ConfigException if it is refused.
     */
    public Controllers(String configuration) {
        this(Component.shipped(), configuration);
    }

    /**
     * The controllers of a component.
     *
     * @throws ConfigException if the configuration is refused.
     */
    public Controllers(Component component, String configuration) {
        this.component = component;
        this.configuration = configuration;
        restart();
    }

    /** What to list and watch, in the order in which to list it. */
    public List<ApiResource> resources() {
        return call(Types.Manager::resources);
    }

    /**
     * Hands over all objects of a kind, in JSON.
     *
     * @param resourceVersion The {@code metadata.resourceVersion} of the list itself.
     * @throws MalformedException if an object is malformed; all others are handled.
     */
    public void listed(String kind, List<String> objects, String resourceVersion, Instant now) {
        listed(new Listing(kind, Part.WHOLE, resourceVersion, objects), now);
    }

    /**
     * Hands over a list, or a part of one.
     *
     * @throws MalformedException if an object is malformed; all others are handled.
     */
    public void listed(Listing listing, Instant now) {
        handle(new Event.Listed(listing), now);
    }

    /**
     * Hands over an object that was added or modified.
     *
     * @throws MalformedException if it is malformed.
     */
    public void applied(String kind, String json, Instant now) {
        handle(new Event.Changed(new Change.Applied(new ClusterObject(kind, json))), now);
    }

    /**
     * Hands over the last state of an object that is gone.
     *
     * @throws MalformedException if it is malformed.
     */
    public void deleted(String kind, String json, Instant now) {
        handle(new Event.Changed(new Change.Deleted(new ClusterObject(kind, json))), now);
    }

    /**
     * Reports what came of a plan: one outcome for each command, batch by batch. A plan without
     * commands is over anyway.
     *
     * @throws IllegalStateException if the plan was reported before, or is not of these
     *     controllers.
     * @throws IllegalArgumentException if there are more or fewer outcomes than commands.
     */
    public void finished(Plan plan, List<Outcome> outcomes, Instant now) {
        if (!outcomes.isEmpty() || plan.batches().stream().anyMatch(batch -> !batch.isEmpty())) {
            handle(new Event.Finished(new Report(plan.id(), outcomes)), now);
        }
    }

    /**
     * Handles an event.
     *
     * @throws MalformedException if an object in it is malformed; everything else is handled.
     */
    public void handle(Event event, Instant now) {
        Types.Timestamp time = Timestamps.of(now);
        Result<Void, Types.Malformed> result =
                call(
                        manager -> {
                            rules.check(event);
                            Result<Void, Types.Malformed> handled = manager.handle(event, time);
                            rules.handled(event);
                            return handled;
                        });
        if (result instanceof Result.Err<Void, Types.Malformed> refused) {
            throw new MalformedException(refused.error());
        }
    }

    /** The next plan that is due; empty if there is no more to do at this time. */
    public Optional<Plan> nextPlan(Instant now) {
        Types.Timestamp time = Timestamps.of(now);
        return call(
                manager -> {
                    Optional<Plan> plan = manager.nextPlan(time);
                    plan.ifPresent(rules::handedOut);
                    return plan;
                });
    }

    /** All plans that are due, each asked for once the one before has been consumed. */
    public Iterable<Plan> plans(Instant now) {
        return () ->
                new Iterator<>() {
                    private Optional<Plan> next = Optional.empty();

                    @Override
                    public boolean hasNext() {
                        next = next.isPresent() ? next : nextPlan(now);
                        return next.isPresent();
                    }

                    @Override
                    public Plan next() {
                        if (!hasNext()) {
                            throw new NoSuchElementException("no more plans are due");
                        }
                        Plan plan = next.get();
                        next = Optional.empty();
                        return plan;
                    }
                };
    }

    /** When to ask for plans again if nothing else happens; empty: never. */
    public Optional<Wakeup> nextWakeup() {
        return call(Types.Manager::nextWakeup);
    }

    /**
     * What an object is stuck on, what is decided about it at this moment, and what comes next.
     *
     * @throws ExplainException if there is nothing to explain.
     */
    public Explanation explain(ObjectRef object, Instant now) {
        return explain(object, List.of(), now);
    }

    /**
     * The same with Events of type {@code Warning} about the object and about objects that belong to it, in JSON.
     *
     * @throws ExplainException if there is nothing to explain.
     */
    public Explanation explain(ObjectRef object, List<String> warnings, Instant now) {
        Types.Timestamp time = Timestamps.of(now);
        Result<Explanation, String> result = call(manager -> manager.explain(object, warnings, time));
        if (result instanceof Result.Ok<Explanation, String> explained) {
            return explained.value();
        }
        throw new ExplainException(((Result.Err<Explanation, String>) result).error());
    }

    /** All that was counted since the last restart, sorted by name. */
    public List<Family> metrics(Instant now) {
        Types.Timestamp time = Timestamps.of(now);
        return call(manager -> manager.metrics(time));
    }

    /** All kinds of decisions that there are, by code. */
    public List<DecisionKind> decisionKinds() {
        return call(Types.Manager::decisionKinds);
    }

    /** What this component is, and what it follows. */
    public Versions about() {
        return call(Types.Manager::about);
    }

    /**
     * Forgets everything, and begins again with another configuration.
     *
     * @throws ConfigException if it is refused; nothing has changed then.
     */
    public void configure(String configuration) {
        locked(() -> configured(configuration));
    }

    /** Forgets everything, and begins again with a new instance: hand over lists again. */
    public void restart() {
        locked(
                () -> {
                    refuseClosed();
                    manager = component.instantiate().as(Types.Manager.class);
                    lost = null;
                    return configured(configuration);
                });
    }

    /** Releases the instance and its memory. */
    @Override
    public void close() {
        locked(
                () -> {
                    closed = true;
                    manager = null;
                    return null;
                });
    }

    private Void configured(String configuration) {
        Result<Void, String> result = call(manager -> manager.configure(configuration));
        if (result instanceof Result.Err<Void, String> refused) {
            throw new ConfigException(refused.error());
        }
        this.configuration = configuration;
        this.rules = new Rules(resources());
        return null;
    }

    /** Calls the instance, unless it is lost or closed. */
    <T> T call(Function<Types.Manager, T> question) {
        return locked(
                () -> {
                    refuseClosed();
                    if (lost != null) {
                        throw new LostException(lost);
                    }
                    try {
                        return question.apply(manager);
                    } catch (LostException exception) {
                        lost = exception;
                        throw exception;
                    }
                });
    }

    private void refuseClosed() {
        if (closed) {
            throw new IllegalStateException("the controllers are closed: create new ones");
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
