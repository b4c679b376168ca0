package dev.jobsmith;

/**
 * An instance trapped, because of a bug in the component or of a caller that broke its contract.
 * All that it knew is lost: call {@link Controllers#restart} after a short wait, and hand over
 * lists again.
 */
public final class LostException extends JobsmithException {
    private static final long serialVersionUID = 1;

    private final String panic;

    LostException(String panic, Throwable cause) {
        super(
                "the controllers were lost, call restart() and list again: "
                        + (panic.isEmpty() ? cause.getMessage() : panic),
                cause);
        this.panic = panic;
    }

    /** The same once more, for a later call. */
    LostException(LostException first) {
        super(first.getMessage(), first);
        this.panic = first.panic;
    }

    /** The message of the panic; empty if the instance was lost in another way. */
    public String panic() {
        return panic;
    }
}
