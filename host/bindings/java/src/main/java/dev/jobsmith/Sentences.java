package dev.jobsmith;

import dev.jobsmith.Types.Decision;
import dev.jobsmith.Types.TextPart;

import java.util.stream.Collectors;

/** Decisions in words. */
public final class Sentences {
    private Sentences() {}

    /** The sentence of a decision, with times in UTC as RFC 3339 writes them. */
    public static String of(Decision decision) {
        return decision.sentence().stream().map(Sentences::words).collect(Collectors.joining());
    }

    private static String words(TextPart part) {
        if (part instanceof TextPart.Text text) {
            return text.value();
        }
        if (part instanceof TextPart.Time time) {
            return Timestamps.instant(time.value()).toString();
        }
        if (part instanceof TextPart.Duration duration) {
            return seconds(duration.value());
        }
        if (part instanceof TextPart.Object object) {
            return object.value().name();
        }
        if (part instanceof TextPart.Field field) {
            return field.value().substring(field.value().lastIndexOf('.') + 1);
        }
        return part.toString();
    }

    /** Milliseconds in seconds, with a tenth only where there is one. */
    private static String seconds(long milliseconds) {
        long tenths = milliseconds / 100;
        return tenths % 10 == 0
                ? tenths / 10 + " s"
                : tenths / 10 + "." + Math.abs(tenths % 10) + " s";
    }
}
