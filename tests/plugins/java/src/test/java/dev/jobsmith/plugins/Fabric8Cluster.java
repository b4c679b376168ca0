package dev.jobsmith.plugins;

import dev.jobsmith.Cluster;
import dev.jobsmith.Types.ApiError;
import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Cause;
import dev.jobsmith.Types.Change;
import dev.jobsmith.Types.ClusterObject;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.ContentType;
import dev.jobsmith.Types.Outcome;
import dev.jobsmith.Types.Written;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A cluster as fabric8's client reaches it: a real one, or its mock server. */
final class Fabric8Cluster implements Cluster {
    private final KubernetesClient client;

    Fabric8Cluster(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public String list(ApiResource resource, Consumer<List<String>> pages) {
        GenericKubernetesResourceList list = objects(resource).list();
        pages.accept(list.getItems().stream().map(Serialization::asJson).toList());
        return Objects.requireNonNullElse(list.getMetadata().getResourceVersion(), "");
    }

    @Override
    public void watch(ApiResource resource, String version, Consumer<Change> changes)
            throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Watcher<GenericKubernetesResource> watcher =
                new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, GenericKubernetesResource object) {
                        String json = Serialization.asJson(object);
                        ClusterObject changed = new ClusterObject(resource.kind(), json);
                        if (action == Action.ADDED || action == Action.MODIFIED) {
                            changes.accept(new Change.Applied(changed));
                        } else if (action == Action.DELETED) {
                            changes.accept(new Change.Deleted(changed));
                        }
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        ended.completeExceptionally(cause);
                    }

                    @Override
                    public void onClose() {
                        ended.complete(null);
                    }
                };
        try (Watch watch = objects(resource).withResourceVersion(version).watch(watcher)) {
            ended.get();
        }
    }

    @Override
    public Outcome send(Command command) throws Exception {
        HttpRequest.Builder request = client.getHttpClient().newHttpRequestBuilder();
        request.url(new URL(client.getMasterUrl(), command.path()));
        String body = command.body().isEmpty() ? null : command.body();
        request.method(command.method().name(), mediaType(command.contentType()), body);
        HttpResponse<String> answer =
                client.getHttpClient().sendAsync(request.build(), String.class).get();
        return answer.isSuccessful()
                ? new Outcome.Done(written(answer.bodyString()))
                : new Outcome.Failed(error(answer));
    }

    private AnyNamespaceOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            objects(ApiResource resource) {
        ResourceDefinitionContext context =
                new ResourceDefinitionContext.Builder()
                        .withGroup(resource.group())
                        .withVersion(resource.version())
                        .withKind(resource.kind())
                        .withPlural(resource.plural())
                        .withNamespaced(resource.namespaced())
                        .build();
        return client.genericKubernetesResources(context).inAnyNamespace();
    }

    private static String mediaType(ContentType type) {
        return switch (type) {
            case JSON -> "application/json";
            case MERGE_PATCH -> "application/merge-patch+json";
            case STRATEGIC_MERGE_PATCH -> "application/strategic-merge-patch+json";
        };
    }

    private static Written written(String body) {
        GenericKubernetesResource object =
                Serialization.unmarshal(body, GenericKubernetesResource.class);
        ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
        return new Written(
                Objects.requireNonNullElse(metadata.getName(), ""),
                Objects.requireNonNullElse(metadata.getUid(), ""),
                Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                metadata.getDeletionTimestamp() != null);
    }

    private static ApiError error(HttpResponse<String> answer) throws Exception {
        Status status = new Status();
        try {
            status = Serialization.unmarshal(answer.bodyString(), Status.class);
        } catch (KubernetesClientException noStatus) {
            status.setMessage(answer.bodyString());
        }
        Stream<StatusCause> causes =
                status.getDetails() == null
                        ? Stream.empty()
                        : status.getDetails().getCauses().stream();
        return new ApiError(
                answer.code(),
                Objects.requireNonNullElse(status.getReason(), ""),
                Objects.requireNonNullElse(status.getMessage(), ""),
                causes.map(each -> new Cause(each.getReason(), each.getField(), each.getMessage()))
                        .toList());
    }
}
