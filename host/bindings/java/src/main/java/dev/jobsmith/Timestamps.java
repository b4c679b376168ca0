package dev.jobsmith;

import java.time.Instant;

/** Times of a component, and those of Java. */
public final class Timestamps {
    private static final Instant FIRST = Instant.parse("-9999-01-02T01:59:59Z");
    private static final Instant LAST = Instant.parse("9999-12-30T22:00:00.999999999Z");

    private Timestamps() {}

    /**
     * A time of Java for a component.
     *
     * @throws IllegalArgumentException if no component has such a time.
     */
    public static Types.Timestamp of(Instant time) {
        if (time.isBefore(FIRST) || time.isAfter(LAST)) {
            throw new IllegalArgumentException(
                    "%s is not between %s and %s".formatted(time, FIRST, LAST));
        }
        return new Types.Timestamp(time.getEpochSecond(), time.getNano());
    }

    /** A time of a component for Java. */
    public static Instant instant(Types.Timestamp time) {
        return Instant.ofEpochSecond(time.seconds(), time.nanoseconds());
    }
}
