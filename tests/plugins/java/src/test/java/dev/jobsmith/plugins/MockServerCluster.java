package dev.jobsmith.plugins;

import dev.jobsmith.Cluster;
import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.ContentType;
import dev.jobsmith.Types.Outcome;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Consumer;

/**
 * fabric8's mock server as a cluster. It answers strategic merge patches with 415, so the one that
 * takes a finalizer away is sent as a merge patch with the finalizers that remain.
 */
final class MockServerCluster implements Cluster {
    private static final String REMOVED = "$deleteFromPrimitiveList/finalizers";

    private final KubernetesClient client;
    private final Fabric8Cluster cluster;

    MockServerCluster(KubernetesClient client) {
        this.client = client;
        this.cluster = new Fabric8Cluster(client);
    }

    @Override
    public String list(ApiResource resource, Consumer<List<String>> pages) {
        return cluster.list(resource, pages);
    }

    @Override
    public void watch(ApiResource resource, String version, Consumer<Change> changes)
            throws Exception {
        cluster.watch(resource, version, changes);
    }

    @Override
    public Outcome send(Command command) throws Exception {
        return cluster.send(
                command.contentType() == ContentType.STRATEGIC_MERGE_PATCH
                        ? merging(command)
                        : command);
    }

    private Command merging(Command command) {
        ObjectNode patch = Serialization.unmarshal(command.body(), ObjectNode.class);
        ObjectNode metadata = (ObjectNode) patch.get("metadata");
        JsonNode removed = metadata.remove(REMOVED);
        String object = removed == null ? null : client.raw(command.path());
        if (object != null) {
            JsonNode present =
                    Serialization.unmarshal(object, JsonNode.class).at("/metadata/finalizers");
            List<JsonNode> remaining =
                    present.valueStream()
                            .filter(each -> removed.valueStream().noneMatch(each::equals))
                            .toList();
            // The server ignores an empty array, and null takes a field away.
            if (remaining.isEmpty()) {
                metadata.putNull("finalizers");
            } else {
                metadata.putArray("finalizers").addAll(remaining);
            }
        }
        return new Command(
                command.method(),
                command.path(),
                ContentType.MERGE_PATCH,
                patch.toString(),
                command.tolerates(),
                command.after());
    }
}
