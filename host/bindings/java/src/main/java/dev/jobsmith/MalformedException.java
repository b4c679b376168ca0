package dev.jobsmith;

/**
 * An object is malformed. What was known of it stays as it was, and everything else in the same
 * event has been handled.
 */
public final class MalformedException extends JobsmithException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final String name;
    private final String reason;

    MalformedException(Types.Malformed malformed) {
        super(
                "malformed %s: %s"
                        .formatted(
                                (malformed.kind() + " " + malformed.name()).strip(),
                                malformed.reason()),
                null);
        kind = malformed.kind();
        name = malformed.name();
        reason = malformed.reason();
    }

    /** Its kind. */
    public String kind() {
        return kind;
    }

    /** Namespace and name, with a slash between them, if they can be read. */
    public String name() {
        return name;
    }

    /** What is wrong, and where. */
    public String reason() {
        return reason;
    }
}
