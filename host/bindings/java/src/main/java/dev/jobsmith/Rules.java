package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.Event;
import dev.jobsmith.Types.Listing;
import dev.jobsmith.Types.Part;
import dev.jobsmith.Types.Plan;
import dev.jobsmith.Types.Report;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a caller has to keep to, checked before the instance would trap or take it for something
 * else.
 *
 * <p>Docs: {@link Types.Manager}. It knows kinds and plans by their names and numbers alone.
 */
final class Rules {
    private final List<String> kinds;

    /** The kinds whose list has begun and not ended. */
    private final Set<String> begun = new HashSet<>();

    /** How many commands each plan has that was handed out and not reported. */
    private final Map<Long, Integer> open = new HashMap<>();

    /** Larger than the number of each plan so far: plans are numbered in ascending order. */
    private @Unsigned(64) long next;

    Rules(List<ApiResource> resources) {
        this.kinds = resources.stream().map(ApiResource::kind).toList();
    }

    /** Remembers a plan whose outcomes are to be reported. */
    void handedOut(Plan plan) {
        next = plan.id() + 1;
        int commands = plan.batches().stream().mapToInt(List::size).sum();
        if (commands > 0) {
            open.put(plan.id(), commands);
        }
    }

    /** Refuses an event that breaks a rule. */
    void check(Event event) {
        if (event instanceof Event.Changed changed) {
            check(
                    changed.value() instanceof Change.Applied applied
                            ? applied.value().kind()
                            : ((Change.Deleted) changed.value()).value().kind());
        } else if (event instanceof Event.Listed listed) {
            check(listed.value());
        } else if (event instanceof Event.Finished finished) {
            check(finished.value());
        }
    }

    /** Remembers an event that the instance has handled. */
    void handled(Event event) {
        if (event instanceof Event.Listed listed) {
            Part part = listed.value().part();
            if (part == Part.FIRST || part == Part.MIDDLE) {
                begun.add(listed.value().kind());
            } else {
                begun.remove(listed.value().kind());
            }
        } else if (event instanceof Event.Finished finished) {
            open.remove(finished.value().plan());
        }
    }

    private void check(String kind) {
        if (!kinds.contains(kind)) {
            throw new IllegalArgumentException(
                    "these controllers do not watch the kind %s: hand over objects of the kinds of"
                                    .formatted(kind)
                            + " resources() only, "
                            + String.join(", ", kinds));
        }
    }

    private void check(Listing listing) {
        check(listing.kind());
        Part part = listing.part();
        if ((part == Part.MIDDLE || part == Part.LAST) && !begun.contains(listing.kind())) {
            throw new IllegalStateException(
                    "the list of kind %s has not begun: hand over its part FIRST before %s"
                            .formatted(listing.kind(), part));
        }
    }

    private void check(Report report) {
        String plan = "plan " + Long.toUnsignedString(report.plan());
        Integer commands = open.get(report.plan());
        if (commands == null) {
            boolean finished = Long.compareUnsigned(report.plan(), next) < 0;
            throw new IllegalStateException(
                    plan
                            + (finished
                                    ? " is finished already: report each plan once"
                                    : " is not in flight: report only plans of this instance"));
        }
        if (commands != report.outcomes().size()) {
            throw new IllegalArgumentException(
                    "%s has %d commands, but %d outcomes are reported: report one for each, batch"
                                    .formatted(plan, commands, report.outcomes().size())
                            + " by batch, including those that were skipped");
        }
    }
}
