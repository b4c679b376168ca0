// Written by `cargo xtask bindings` from crates/component/wit/controllers.wit.
package dev.jobsmith;

import java.util.List;
import java.util.Optional;

/** The values that cross a component's boundary, and the functions that take and return them. */
public final class Types {
    private Types() {}

    /**
     * A controller manager: plain functions on the instance that they are called on.
     *
     * <h2>What a host does</h2>
     *
     * <ol>
     *   <li>Create an instance, and call {@code configure} if you do not want the defaults.
     *   <li>List what {@code resources} names, and hand each list over as an event {@code listed},
     *       a long one in parts as they come. Then watch each resource from its list's resource
     *       version, and hand over each change as an event {@code changed}. When a watch breaks,
     *       list again.
     *   <li>After each event, and when a wake-up is due, call {@code next-plan} until it returns
     *       {@code none}. Carry out each plan (see {@code plan}) while the next ones are asked for:
     *       plans are independent of each other. When a plan is done, hand over {@code finished}.
     *   <li>Sleep until something happens, or until the time of {@code next-wakeup}.
     * </ol>
     *
     * <pre>{@code
     * loop:
     *     while next-plan(now) returns a plan:   start carrying it out
     *     wait for the first of
     *         a watch shows a change:            handle(changed …, now)
     *         a plan was carried out:            handle(finished …, now)
     *         next-wakeup's time has come
     * }</pre>
     *
     * <h2>Order and time</h2>
     *
     * <p>Plans depend only on the configuration, the events and their times: the same calls return
     * the same results, byte for byte, on every machine. {@code now} need not be the real time. If
     * it goes backwards, nothing breaks, but waits in progress take longer.
     *
     * <h2>What the instance remembers</h2>
     *
     * <p>What the cluster stores is all that matters. You may drop an instance at any time without
     * harm to any object: hand lists to the next one, as you did to the first, and it continues.
     * Only the back-off times are forgotten, unless {@code memory} is {@code rebuilt}, and the
     * metrics start at 0.
     *
     * <h2>Errors</h2>
     *
     * <ul>
     *   <li>{@code handle} returns an error that names the malformed object. What was known about
     *       that object does not change. Everything else in the event is handled: all other objects
     *       of a list are stored, and the kind counts as listed. If several objects of a list are
     *       malformed, the first is named.
     *   <li>A request that fails on the cluster is an {@code outcome}, not an error. So is {@code
     *       finished} for a plan that this instance does not know: it is ignored.
     *   <li>Everything else is a bug in the component or in the host, and the instance traps; a
     *       panic is a trap without a message. A trapped instance is lost: drop it, create another
     *       one, configure it the same way and start again with lists. Wait a little first: the
     *       same lists may trap again. A host that can read the core module's exports after the
     *       trap finds the message of the panic through its global {@code LAST_PANIC}: it holds the
     *       address of a 32-bit little-endian length in bytes, followed by as many bytes of UTF-8.
     *       The length is 0 if the trap was not a panic.
     * </ul>
     */
    public interface Manager {
        /** The name under which a component exports it. */
        String NAME = "jobsmith:controllers/manager@0.3.0";

        /**
         * Resets the instance to a configuration: a JSON object, all of whose members are optional.
         * Each controller has a section of its own. The defaults are Kubernetes'; durations are
         * written as Go writes them:
         *
         * <pre>{@code
         * {
         *   "controllers": ["job", "cronjob", "ttl"],
         *   "decisions": "all",
         *   "memory": "empty",
         *   "job": {
         *     "name": "kubernetes.io/job-controller",
         *     "trackingFinalizer": "batch.kubernetes.io/job-tracking",
         *     "defaults": {},
         *     "limits": {
         *       "syncBatchPeriod": "1s", "apiBackOff": "1s", "apiBackOffMax": "1m0s",
         *       "podFailureBackOff": "10s", "podFailureBackOffMax": "10m0s",
         *       "maxUncountedPods": 500, "maxPodsPerSync": 500, "slowStartBatch": 1,
         *       "expectationTimeout": "5m0s", "unansweredCreationTimeout": "30s"
         *     }
         *   },
         *   "cronjob": {"name": "kubernetes.io/job-controller", "timeZone": "UTC", "apiBackOff": "5ms", "apiBackOffMax": "16m40s"},
         *   "ttl": {"defaultTtl": null, "apiBackOff": "5ms", "apiBackOffMax": "16m40s"}
         * }
         * }</pre>
         *
         * <p>Under Kubernetes' name, the controllers act for every object that names no other
         * manager. A {@code name} of your own, which Jobs have in {@code spec.managedBy} and
         * CronJobs in the annotation {@code jobsmith.dev/managed-by}, makes the instance safe
         * beside Kubernetes' controllers. Given for {@code job} or {@code cronjob}, it is the
         * default for the other too, and changes two more defaults: only controllers whose section
         * gives such a name run, and {@code trackingFinalizer} is {@code
         * jobsmith.dev/job-tracking}. List a controller in {@code controllers} to run it all the
         * same. {@code ttl} has no name: it deletes finished Jobs no matter who manages them.
         *
         * <p>{@code defaults} are annotations that every Job has unless it has one with that key
         * itself: {@code {"jobsmith.dev/retry-delay": "30s"}}. All those of Jobs that are about
         * their pods can have one (X-6…X-13). A Job whose own is empty, {@code ""}, has none.
         *
         * <p>{@code decisions} says which ones plans report: {@code all}, or only {@code actions}:
         * those with the role {@code action} or {@code invalid}. A plan that would have nothing to
         * do and nothing to report is left out. Every component takes this member and {@code
         * controllers}.
         *
         * <p>{@code memory} says what the instance knows of what was done before it began: {@code
         * empty}: nothing, like Kubernetes' controllers after a restart, or {@code rebuilt}: what
         * the objects show. A Job whose pods have failed then waits for its back-off as {@code
         * explain} says it does, instead of creating the next pod at once. That is for a host that
         * continues from the state of a cluster whose controllers did not restart.
         *
         * <p>An instance that was never configured has the defaults. {@code configure} makes it
         * forget everything it knew, including its metrics. It refuses text that is not a JSON
         * object or has an unknown member; the error says what is wrong, and nothing has changed.
         */
        Result<Void, String> configure(String config);

        /** What to list and watch, under this configuration, in the order in which to list it. */
        List<ApiResource> resources();

        /** Handles one event. */
        Result<Void, Malformed> handle(Event event, Timestamp now);

        /** The next plan that is due; {@code none} if there is no more to do at this time. */
        Optional<Plan> nextPlan(Timestamp now);

        /** When to call {@code next-plan} again if nothing else happens; {@code none}: never. */
        Optional<Wakeup> nextWakeup();

        /**
         * What an object is stuck on, what is decided about it at this moment, what is waited for,
         * and what comes next. It changes nothing.
         *
         * <p>{@code warnings} are the Kubernetes Events of type {@code Warning} about the object
         * and about objects that belong to it, in JSON and in any order, if the host has read them:
         * only they say why the API server refuses to create a pod, or why a volume cannot be
         * mounted. The list may be empty. The error says why there is no answer: no controller
         * knows the object, or something is not listed yet.
         */
        Result<Explanation, String> explain(ObjectRef object, List<String> warnings, Timestamp now);

        /**
         * All metrics, sorted by name: what was counted since the instance was created, and the
         * current lengths of the queues.
         */
        List<Family> metrics(Timestamp now);

        /**
         * All kinds of decisions that there are, by code. They do not change while the instance
         * lives.
         */
        List<DecisionKind> decisionKinds();

        /** What this component is, and what it follows. */
        Versions about();
    }

    /**
     * A resource of the API server.
     *
     * @param group The API group; empty for the core group.
     * @param version The version in it: {@code v1}.
     * @param kind The kind, by which its objects are named everywhere else: {@code Pod}.
     * @param plural The name in paths: {@code pods}.
     * @param namespaced Whether its objects are in namespaces.
     */
    public record ApiResource(
            String group, String version, String kind, String plural, boolean namespaced) {}

    /**
     * One object of the cluster.
     *
     * @param kind Its kind.
     * @param namespace Its namespace.
     * @param name Its name.
     * @param uid Its UID; empty where any object of this name is meant.
     */
    public record ObjectRef(String kind, String namespace, String name, String uid) {}

    /**
     * One object.
     *
     * @param kind Its kind; the text need not name it.
     * @param json The whole object in JSON, as the API server sent it.
     */
    public record ClusterObject(String kind, String json) {}

    /** One change that a watch showed. */
    public sealed interface Change permits Change.Applied, Change.Deleted {
        /**
         * The object is there, in this state: it was added or modified.
         *
         * @param value What it carries.
         */
        record Applied(ClusterObject value) implements Change {}

        /**
         * The object is gone; this was its last state.
         *
         * @param value What it carries.
         */
        record Deleted(ClusterObject value) implements Change {}
    }

    /**
     * Which part of a list it is, so that a long list need not be in memory at once.
     *
     * <p>Parts come in their order, {@code first} to {@code last}; other events may come between. A
     * change of the kind that comes between is treated as a part of the list: a server that streams
     * its list may show some. Until the last part the kind counts as not listed, even if it was
     * listed before, and no plans are made. The last part removes the objects that were in no part.
     * A list that is cut short starts again with {@code first} or {@code whole}; {@code middle} or
     * {@code last} without {@code first} traps.
     */
    public enum Part {
        /** All of it. */
        WHOLE,

        /** The first of several parts. It begins a list, even after one that was cut short. */
        FIRST,

        /** One that goes on after the first, with more to come. */
        MIDDLE,

        /** The one that ends the list. */
        LAST
    }

    /**
     * All objects of a kind, or a part of them.
     *
     * @param kind The kind.
     * @param part Which part of the list it is.
     * @param resourceVersion The {@code metadata.resourceVersion} of the list itself: all writes up
     *     to it are in the list. It matters on the last part.
     * @param objects The objects in JSON: the list's {@code items}.
     */
    public record Listing(String kind, Part part, String resourceVersion, List<String> objects) {}

    /**
     * What matters of the object in the server's response. All fields are empty if the response
     * held no object.
     *
     * @param name Its {@code metadata.name}.
     * @param uid Its {@code metadata.uid}.
     * @param resourceVersion Its {@code metadata.resourceVersion}, after the command.
     * @param deleting Whether it has a {@code metadata.deletionTimestamp}.
     */
    public record Written(String name, String uid, String resourceVersion, boolean deleting) {}

    /**
     * One cause of a refusal: for an invalid object, one invalid field.
     *
     * @param reason The {@code reason}, as in {@code FieldValueInvalid}.
     * @param field The {@code field}'s path.
     * @param message The {@code message}.
     */
    public record Cause(String reason, String field, String message) {}

    /**
     * Why a command failed, from the {@code Status} object in the server's response.
     *
     * @param code The HTTP status; 0 if there was no response, so it is unknown whether the command
     *     took effect.
     * @param reason The {@code reason}, as in {@code NotFound}; may be empty.
     * @param message The {@code message} for people.
     * @param causes The {@code details.causes}.
     */
    public record ApiError(
            @Unsigned(16) int code, String reason, String message, List<Cause> causes) {}

    /** The outcome of a command. */
    public sealed interface Outcome permits Outcome.Done, Outcome.Failed, Outcome.Skipped {
        /**
         * It took effect: the server answered with a status below 300.
         *
         * @param value What it carries.
         */
        record Done(Written value) implements Outcome {}

        /**
         * It was refused, or its outcome is unknown. A status that the command tolerates is
         * reported here too, with its code: the manager continues as after a success, but does not
         * report the command as done.
         *
         * @param value What it carries.
         */
        record Failed(ApiError value) implements Outcome {}

        /**
         * It was not sent, because a command that it depends on was skipped, or failed with a
         * status that it did not tolerate.
         */
        record Skipped() implements Outcome {}
    }

    /**
     * The outcome of a plan.
     *
     * @param plan The plan's {@code id}.
     * @param outcomes One outcome for each command of the plan, batch by batch and in their order.
     */
    public record Report(@Unsigned(64) long plan, List<Outcome> outcomes) {}

    /** Something that happened. */
    public sealed interface Event permits Event.Changed, Event.Listed, Event.Finished {
        /**
         * A watch showed a change. If the instance already knows this version or a newer one, it
         * ignores the change.
         *
         * @param value What it carries.
         */
        record Changed(Change value) implements Event {}

        /**
         * A complete list of a kind, or a part of one: known objects of the kind that are in none
         * of its parts are gone.
         *
         * @param value What it carries.
         */
        record Listed(Listing value) implements Event {}

        /**
         * A plan was carried out, perhaps only in part.
         *
         * @param value What it carries.
         */
        record Finished(Report value) implements Event {}
    }

    /**
     * A malformed object: not JSON, or a field that is read has a different type than in the API.
     *
     * @param kind Its kind.
     * @param name {@code namespace/name} if they can be read; otherwise empty.
     * @param reason What is wrong, and where.
     */
    public record Malformed(String kind, String name, String reason) {}

    /** An HTTP method. */
    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    /** A value of the header {@code Content-Type}. */
    public enum ContentType {
        /** {@code application/json} */
        JSON,

        /** {@code application/merge-patch+json} */
        MERGE_PATCH,

        /** {@code application/strategic-merge-patch+json} */
        STRATEGIC_MERGE_PATCH
    }

    /**
     * One request to the API server, as it is to be sent.
     *
     * @param method The HTTP method.
     * @param path The path from the server's root, without a query: {@code
     *     /apis/batch/v1/namespaces/default/jobs/pi/status}.
     * @param contentType The type of the body; ignored if there is none.
     * @param body The body as JSON; empty if there is none.
     * @param tolerates HTTP statuses that do not stop the commands that depend on this one: 404
     *     where something is to be removed. They are reported as {@code failed}.
     * @param after The one command that this one depends on, by its number in the plan: the first
     *     command of the first batch is 0, and numbering continues over all batches. It is in an
     *     earlier batch; any other number is a bug in the component, and this command is skipped.
     *     {@code none}: it depends on every command of all batches before its own.
     */
    public record Command(
            Method method,
            String path,
            ContentType contentType,
            String body,
            List<@Unsigned(16) Integer> tolerates,
            Optional<@Unsigned(32) Long> after) {}

    /**
     * What all decisions of one code have in common.
     *
     * @param code Which decision, in one stable word: {@code BackoffLimitExceeded}.
     * @param page The page of the Kubernetes documentation.
     * @param heading The heading on that page.
     * @param url Where that heading is on the web.
     * @param rule The rule of this project's specification: {@code J-46d}.
     * @param fields The fields of the manifest that it rests on: {@code spec.backoffLimit}.
     */
    public record DecisionKind(
            String code,
            String page,
            String heading,
            String url,
            String rule,
            List<String> fields) {}

    /**
     * A Kubernetes Event to record.
     *
     * @param regarding The object that it is about.
     * @param reportingController The controller that reports it: {@code job-controller}.
     * @param warning Whether its type is {@code Warning} rather than {@code Normal}.
     * @param reason The reason in one word.
     * @param message The message.
     */
    public record Notice(
            ObjectRef regarding,
            String reportingController,
            boolean warning,
            String reason,
            String message) {}

    /**
     * How many values there were up to each bound.
     *
     * @param buckets Upper bounds, ascending, and how many values are at or below each. The last
     *     bucket, {@code +Inf}, is left out: it equals {@code count}.
     * @param sum The sum of all values.
     * @param count How many values there were.
     */
    public record Histogram(
            List<Tuple2<Double, @Unsigned(64) Long>> buckets,
            double sum,
            @Unsigned(64) long count) {}

    /** A counted value. All samples of a family are of one case. */
    public sealed interface Measure permits Measure.Counter, Measure.Gauge, Measure.Histogram {
        /**
         * A number that never decreases.
         *
         * @param value What it carries.
         */
        record Counter(@Unsigned(64) long value) implements Measure {}

        /**
         * A number that goes up and down.
         *
         * @param value What it carries.
         */
        record Gauge(long value) implements Measure {}

        /**
         * How many values there were up to each bound.
         *
         * @param value What it carries.
         */
        record Histogram(Types.Histogram value) implements Measure {}
    }

    /**
     * What was counted under one set of labels.
     *
     * @param labels Names and values of the labels.
     * @param value What was counted.
     */
    public record Sample(List<Tuple2<String, String>> labels, Measure value) {}

    /**
     * All that is counted under one name, as Prometheus has it.
     *
     * @param name The name, with its prefix and unit: {@code job_controller_job_syncs_total}.
     * @param help What is counted, in a sentence.
     * @param samples One entry for each set of labels that has occurred, sorted by them.
     */
    public record Family(String name, String help, List<Sample> samples) {}

    /**
     * A point in time, from -9999-01-02T01:59:59Z to 9999-12-30T22:00:00.999999999Z; a time outside
     * this range traps.
     *
     * @param seconds Seconds since 1970-01-01T00:00:00Z without leap seconds, rounded down.
     * @param nanoseconds Nanoseconds since that second: 0 to 999999999.
     */
    public record Timestamp(long seconds, @Unsigned(32) long nanoseconds) {}

    /**
     * How long something is waited for, where known.
     *
     * @param since Since when.
     * @param until Until when.
     */
    public record Period(Optional<Timestamp> since, Optional<Timestamp> until) {}

    /** What a decision means for what happens next. */
    public sealed interface Role permits Role.Action, Role.Wait, Role.Invalid, Role.Routine {
        /** Something is done. */
        record Action() implements Role {}

        /**
         * Something is left alone, or waited for.
         *
         * @param value What it carries.
         */
        record Wait(Period value) implements Role {}

        /** Something in the object is invalid, and what it asks for is not done. */
        record Invalid() implements Role {}

        /** It follows from what is already visible. */
        record Routine() implements Role {}
    }

    /** A part of a sentence. */
    public sealed interface TextPart
            permits TextPart.Text,
                    TextPart.Time,
                    TextPart.Duration,
                    TextPart.Object,
                    TextPart.Field {
        /**
         * Plain text.
         *
         * @param value What it carries.
         */
        record Text(String value) implements TextPart {}

        /**
         * A point in time.
         *
         * @param value What it carries.
         */
        record Time(Timestamp value) implements TextPart {}

        /**
         * A duration in milliseconds.
         *
         * @param value What it carries.
         */
        record Duration(long value) implements TextPart {}

        /**
         * An object of the cluster; a view writes its name.
         *
         * @param value What it carries.
         */
        record Object(ObjectRef value) implements TextPart {}

        /**
         * A field of the manifest: {@code spec.backoffLimit}; a view writes its last name.
         *
         * @param value What it carries.
         */
        record Field(String value) implements TextPart {}
    }

    /** A value of a decision. */
    public sealed interface Value
            permits Value.Boolean,
                    Value.Integer,
                    Value.Text,
                    Value.Time,
                    Value.Duration,
                    Value.Object {
        /**
         * Yes or no.
         *
         * @param value What it carries.
         */
        record Boolean(boolean value) implements Value {}

        /**
         * A whole number.
         *
         * @param value What it carries.
         */
        record Integer(long value) implements Value {}

        /**
         * Text.
         *
         * @param value What it carries.
         */
        record Text(String value) implements Value {}

        /**
         * A point in time.
         *
         * @param value What it carries.
         */
        record Time(Timestamp value) implements Value {}

        /**
         * A duration in milliseconds.
         *
         * @param value What it carries.
         */
        record Duration(long value) implements Value {}

        /**
         * An object of the cluster.
         *
         * @param value What it carries.
         */
        record Object(ObjectRef value) implements Value {}
    }

    /**
     * A decision, for people and programs. {@code decision-kinds} has what all decisions with this
     * code have in common.
     *
     * @param code Which decision, in one stable word: {@code BackoffLimitExceeded}.
     * @param role What it means for what happens next.
     * @param sentence The decision in words. A view shows times in its own time zone, and objects
     *     and fields as links.
     * @param values The values in it, by name. {@code verdict} is how it ends the object's work, in
     *     a few words.
     */
    public record Decision(
            String code, Role role, List<TextPart> sentence, List<Tuple2<String, Value>> values) {}

    /**
     * When an object's next sync is due, and why.
     *
     * @param at When.
     * @param reason Why: "the back-off ends".
     */
    public record Requeue(Timestamp at, String reason) {}

    /**
     * What to do about one object, and why.
     *
     * <p>Batches run one after the other: one starts when the batch before it has ended. Within a
     * batch, commands run in parallel.
     *
     * <p>A command depends on others: on the one command that its {@code after} names, or else on
     * every command of all batches before its own. It is sent if all of them succeeded, that is,
     * each is {@code done}, or {@code failed} with a status that it tolerates. Otherwise it is
     * {@code skipped}. A batch all of whose commands are skipped ends at once.
     *
     * <pre>{@code
     * batches: [[PATCH a, PATCH b], [DELETE a after 0, DELETE b after 1], [PUT status]]
     * PATCH a fails:  PATCH b is done, DELETE a is skipped, DELETE b is sent, PUT status is skipped
     * }</pre>
     *
     * <p>A plan without commands is finished when it is handed out: there are no outcomes to
     * report.
     *
     * @param id The plan's number, unique for the instance.
     * @param controller The controller that made it: {@code job}.
     * @param object The object that it is about.
     * @param batches What to do; may be empty.
     * @param decisions Why; empty only if the configuration leaves decisions out, because not
     *     acting is a decision too.
     * @param notices Kubernetes Events to record, best effort: their outcome is not reported.
     * @param requeueAt When the object's next sync is due if nothing happens first. A host need not
     *     act on it: {@code next-wakeup} covers it.
     */
    public record Plan(
            @Unsigned(64) long id,
            String controller,
            ObjectRef object,
            List<List<Command>> batches,
            List<Decision> decisions,
            List<Notice> notices,
            Optional<Requeue> requeueAt) {}

    /**
     * When the manager wants to be asked for plans again.
     *
     * @param at When; it may have passed.
     * @param controller The controller that has something to do then.
     * @param object The object.
     * @param reason Why.
     */
    public record Wakeup(Timestamp at, String controller, ObjectRef object, String reason) {}

    /**
     * Something that keeps an object from making progress.
     *
     * @param code Which obstacle, in one stable word: {@code Unschedulable}.
     * @param objects The objects that are stuck, by name: a Job, pods of it, or the Job of a
     *     CronJob. Of more than 20, the first 20.
     * @param count How many objects are stuck.
     * @param since Since when, if that is known.
     * @param until When it passes; {@code none} if that is not known, or if it does not pass by
     *     itself.
     * @param passes Whether it passes without anybody's help.
     * @param sentence The obstacle in words, without a full stop.
     * @param remedy What helps on a cluster, in words; may be empty.
     */
    public record Obstacle(
            String code,
            List<ObjectRef> objects,
            @Unsigned(32) long count,
            Optional<Timestamp> since,
            Optional<Timestamp> until,
            boolean passes,
            List<TextPart> sentence,
            List<TextPart> remedy) {}

    /**
     * What is decided at one moment.
     *
     * @param decisions Why.
     * @param batches The requests that would be sent, batch by batch.
     */
    public record Forecast(List<Decision> decisions, List<List<Command>> batches) {}

    /**
     * A decision about an object that belongs to another one.
     *
     * @param object The object.
     * @param decision The decision.
     */
    public record Related(ObjectRef object, Decision decision) {}

    /**
     * What is decided about an object. None of it is carried out.
     *
     * @param controllers The controllers that decide.
     * @param headline The answer in one sentence: how the object ended, what it is stuck on, or
     *     what it waits for.
     * @param obstacles What keeps the object from making progress, the nearest cause first; empty
     *     if it has finished and is not being deleted, or if the controllers act at this moment.
     * @param now What they decide at this moment.
     * @param requeueAt When the first of them syncs the object again, if nothing changes before.
     * @param next What it decides then; {@code none} if that depends on the outcomes of the
     *     requests in {@code now}.
     * @param related Decisions, present or past, about other objects that belong to this one: for a
     *     Job, each failed pod that still exists; for a CronJob, the Job of each of its last
     *     scheduled times, the earliest first, even if it no longer exists.
     */
    public record Explanation(
            List<String> controllers,
            List<TextPart> headline,
            List<Obstacle> obstacles,
            Forecast now,
            Optional<Requeue> requeueAt,
            Optional<Forecast> next,
            List<Related> related) {}

    /**
     * Versions.
     *
     * @param component The version of this component: {@code 0.1.0}.
     * @param kubernetes The version of Kubernetes that it follows: {@code v1.37}.
     * @param timeZones The version of the time zone database in it: {@code 2026b}; {@code none} if
     *     it has none.
     */
    public record Versions(String component, String kubernetes, Optional<String> timeZones) {}

    /** A tuple of 2 values. */
    public record Tuple2<A, B>(A first, B second) {}
}
