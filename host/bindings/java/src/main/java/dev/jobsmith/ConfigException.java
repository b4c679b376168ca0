package dev.jobsmith;

/** The controllers refuse a configuration; its message says why. Nothing has changed. */
public final class ConfigException extends JobsmithException {
    private static final long serialVersionUID = 1;

    ConfigException(String message) {
        super(message, null);
    }
}
