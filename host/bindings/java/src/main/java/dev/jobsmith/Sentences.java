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
            return duration(duration.value());
        }
        if (part instanceof TextPart.Object object) {
            return object.value().name();
        }
        if (part instanceof TextPart.Field field) {
            return field.value().substring(field.value().lastIndexOf('.') + 1);
        }
        return part.toString();
    }

    /** A length of time: {@code 90 s}, and from two minutes on {@code 2m40s}, {@code 1h}, {@code 1d12h}. */
    private static String duration(long milliseconds) {
        String sign = milliseconds <= -100 ? "-" : "";
        long left = Math.abs(milliseconds / 100);
        if (left < 1200) {
            return sign + seconds(left) + " s";
        }
        StringBuilder words = new StringBuilder(sign);
        String[] units = {"d", "h", "m"};
        long[] lengths = {864_000, 36_000, 600};
        for (int unit = 0; unit < units.length; unit++) {
            if (left >= lengths[unit]) {
                words.append(left / lengths[unit]).append(units[unit]);
            }
            left %= lengths[unit];
        }
        return left > 0 ? words + seconds(left) + "s" : words.toString();
    }

    /** Tenths of a second in seconds, with a tenth only where there is one. */
    private static String seconds(long tenths) {
        return tenths % 10 == 0 ? String.valueOf(tenths / 10) : tenths / 10 + "." + tenths % 10;
    }
}
