package dev.jobsmith.plugins;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.ToIntFunction;

/**
 * Plays the kubelet: each pod that is created ends at once, with an exit code that a test gives.
 */
final class Kubelet implements AutoCloseable {
    private final Watch watch;

    Kubelet(KubernetesClient client, ToIntFunction<Pod> exitCode) {
        Watcher<Pod> watcher =
                new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, Pod pod) {
                        if (action == Action.ADDED) {
                            PodStatus status = ended(pod, exitCode.applyAsInt(pod));
                            client.resource(pod).editStatus(each -> with(each, status));
                        }
                    }

                    @Override
                    public void onClose(WatcherException cause) {}
                };
        watch = client.pods().inAnyNamespace().watch(watcher);
    }

    @Override
    public void close() {
        watch.close();
    }

    private static Pod with(Pod pod, PodStatus status) {
        pod.setStatus(status);
        return pod;
    }

    private static PodStatus ended(Pod pod, int exitCode) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return new PodStatusBuilder()
                .withPhase(exitCode == 0 ? "Succeeded" : "Failed")
                .withStartTime(now)
                .addToContainerStatuses(
                        new ContainerStatusBuilder()
                                .withName(pod.getSpec().getContainers().get(0).getName())
                                .withNewState()
                                .withNewTerminated()
                                .withExitCode(exitCode)
                                .withStartedAt(now)
                                .withFinishedAt(now)
                                .endTerminated()
                                .endState()
                                .build())
                .build();
    }
}
