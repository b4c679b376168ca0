package dev.jobsmith;

/** What all exceptions of this library have in common that are not bugs of their caller. */
public abstract sealed class JobsmithException extends RuntimeException
        permits ConfigException, ExplainException, LostException, MalformedException {
    private static final long serialVersionUID = 1;

    JobsmithException(String message, Throwable cause) {
        super(message, cause);
    }
}
