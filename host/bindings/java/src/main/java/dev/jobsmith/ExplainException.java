package dev.jobsmith;

/** There is nothing to explain about an object; the message says why. */
public final class ExplainException extends JobsmithException {
    private static final long serialVersionUID = 1;

    ExplainException(String message) {
        super(message, null);
    }
}
