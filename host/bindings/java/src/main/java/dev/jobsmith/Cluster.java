package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Outcome;

import java.util.List;
import java.util.function.Consumer;

/**
 * What a {@link Loop} needs of an API server.
 *
 * <p>Several threads call it at once. They are interrupted when the loop ends.
 */
public interface Cluster {
    /**
     * Lists all objects of a resource.
     *
     * @param pages Takes the objects in JSON, all at once or page by page; each must be the text
     *     that the server sent.
     * @return The {@code metadata.resourceVersion} of the list, from which it can be watched.
     * @throws Exception if it cannot be listed; the loop tries again after a short wait.
     */
    String list(ApiResource resource, Consumer<List<String>> pages) throws Exception;

    /**
     * Watches a resource from a resource version on, and returns when the watch ends: the loop
     * lists again then.
     *
     * @param changes Takes each change, in order.
     * @throws Exception if it cannot be watched, or breaks; the loop lists again after a short
     *     wait.
     */
    void watch(ApiResource resource, String resourceVersion, Consumer<Change> changes)
            throws Exception;

    /**
     * Sends one request, with the header {@code Content-Type} that it names.
     *
     * @return What came of it: {@link Outcome.Done} below status 300, otherwise {@link
     *     Outcome.Failed} with the server's {@code Status}.
     * @throws Exception if there was no response, so it is unknown whether it took effect.
     */
    Outcome send(Command command) throws Exception;
}
