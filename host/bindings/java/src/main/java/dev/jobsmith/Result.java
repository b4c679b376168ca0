package dev.jobsmith;

/**
 * What a function of a component answers that may fail.
 *
 * @param <T> What it answers; {@link Void} if it answers no value.
 * @param <E> Its error.
 */
public sealed interface Result<T, E> permits Result.Ok, Result.Err {
    /**
     * It succeeded.
     *
     * @param <T> What it answers.
     * @param <E> Its error.
     * @param value The answer; {@code null} if it answers no value.
     */
    record Ok<T, E>(T value) implements Result<T, E> {}

    /**
     * It failed.
     *
     * @param <T> What it answers.
     * @param <E> Its error.
     * @param error The error.
     */
    record Err<T, E>(E error) implements Result<T, E> {}
}
