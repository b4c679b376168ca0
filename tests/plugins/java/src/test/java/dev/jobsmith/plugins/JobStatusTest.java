package dev.jobsmith.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jobsmith.Controllers;
import dev.jobsmith.Loop;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Jobs on fabric8's mock server: their status changes, as the controllers run beside it. */
@EnableKubernetesMockClient(crud = true)
class JobStatusTest {
    private static final String EXIT_CODE = "exit-code";

    KubernetesClient client;
    private Controllers controllers;
    private Loop loop;
    private Thread running;
    private Kubelet kubelet;

    @BeforeEach
    void start() {
        controllers = new Controllers();
        loop = new Loop(controllers, new MockServerCluster(client));
        running = new Thread(loop);
        running.start();
        kubelet = new Kubelet(client, JobStatusTest::exitCode);
    }

    @AfterEach
    void stop() throws InterruptedException {
        kubelet.close();
        loop.close();
        running.join();
        controllers.close();
    }

    @Test
    void aJobCompletes() {
        client.resource(job("pi", 0).build()).create();

        Job job = ended("pi");

        assertEquals(List.of("SuccessCriteriaMet", "Complete"), conditions(job));
        assertEquals(3, job.getStatus().getSucceeded());
        assertTrue(client.pods().list().getItems().stream().allMatch(JobStatusTest::released));
    }

    @Test
    void aJobFailsByItsPodFailurePolicy() {
        JobBuilder job = job("fragile", 42);
        job.editSpec()
                .withNewPodFailurePolicy()
                .addNewRule()
                .withAction("FailJob")
                .withNewOnExitCodes()
                .withOperator("In")
                .withValues(42)
                .endOnExitCodes()
                .endRule()
                .endPodFailurePolicy()
                .endSpec();
        client.resource(job.build()).create();

        Job failed = ended("fragile");

        assertEquals(List.of("FailureTarget", "Failed"), conditions(failed));
        JobCondition why = failed.getStatus().getConditions().get(1);
        assertEquals("PodFailurePolicy", why.getReason());
        assertTrue(why.getMessage().contains("exit code 42"), why.getMessage());
    }

    /** A Job of three pods that end with an exit code, as an API server would have stored it. */
    private static JobBuilder job(String name, int exitCode) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("test")
                .endMetadata()
                .withNewSpec()
                .withCompletions(3)
                .withParallelism(3)
                .withBackoffLimit(6)
                .withManualSelector(true)
                .withNewSelector()
                .addToMatchLabels("job", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("job", name)
                .addToAnnotations(EXIT_CODE, Integer.toString(exitCode))
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("main")
                .withImage("pi")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec();
    }

    private static int exitCode(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get(EXIT_CODE));
    }

    private Job ended(String name) {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace("test")
                .withName(name)
                .waitUntilCondition(
                        job ->
                                job != null
                                        && job.getStatus() != null
                                        && conditions(job).stream()
                                                .anyMatch(
                                                        type ->
                                                                type.equals("Complete")
                                                                        || type.equals("Failed")),
                        30,
                        TimeUnit.SECONDS);
    }

    private static List<String> conditions(Job job) {
        Stream<JobCondition> conditions = job.getStatus().getConditions().stream();
        return conditions.map(JobCondition::getType).toList();
    }

    /** Whether the Job has let go of a pod that it has counted. */
    private static boolean released(Pod pod) {
        List<String> finalizers = pod.getMetadata().getFinalizers();
        return finalizers == null || finalizers.isEmpty();
    }
}
