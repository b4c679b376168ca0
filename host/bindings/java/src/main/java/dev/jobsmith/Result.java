package dev.jobsmith;

/**
 * The result of a function of a component that may fail.
 *
 * @param <T> What it returns; {@link Void} if it returns no value.
 * @param <E> Its error.
 */
public sealed interface Result<T, E> permits Result.Ok, Result.Err {
    /**
     * It succeeded.
     *
     * @param <T> What it returns.
     * @param <E> Its error.
     * @param value The result; {@code null} if it returns no value.
     */
    record Ok<T, E>(T value) implements Result<T, E> {}

    /**
     * It failed.
     *
     * @param <T> What it returns.
     * @param <E> Its error.
     * @param error The error.
     */
    record Err<T, E>(E error) implements Result<T, E> {}
}
