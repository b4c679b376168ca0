package dev.jobsmith.plugins;

import dev.jobsmith.Controllers;
import dev.jobsmith.Types.ApiResource;

import java.time.Instant;
import java.util.List;

/** Objects of the size that real ones have. */
final class Samples {
    private static final String LABELS = "{\"batch.kubernetes.io/controller-uid\":\"u1\"}";

    private Samples() {}

    /** Hands over lists: of this Job, and of no object of another kind. */
    static void list(Controllers controllers, String job, Instant now) {
        for (ApiResource resource : controllers.resources()) {
            List<String> objects = resource.kind().equals("Job") ? List.of(job) : List.of();
            controllers.listed(resource.kind(), objects, "10", now);
        }
    }

    /** A Job with this parallelism. */
    static String job(int pods) {
        return """
        {"metadata":{"name":"pi","namespace":"default","uid":"u1","resourceVersion":"10",\
        "generation":1,"creationTimestamp":"2026-09-21T00:00:00Z"},"spec":{"parallelism":%1$d,\
        "completions":%1$d,"backoffLimit":6,"completionMode":"NonIndexed","suspend":false,\
        "podReplacementPolicy":"TerminatingOrFailed","selector":{"matchLabels":%2$s},\
        "template":{"metadata":{"labels":%2$s},"spec":{"restartPolicy":"Never",\
        "containers":[{"name":"pi","image":"perl"}]}}},"status":{}}\
        """
                .formatted(pods, LABELS);
    }

    /** A pod of that Job, of 1.6 kB. */
    static String pod() {
        return """
        {"metadata":{"name":"pi-x","namespace":"default","uid":"p1","resourceVersion":"11",\
        "labels":%s,"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi",\
        "uid":"u1","controller":true}],"finalizers":["batch.kubernetes.io/job-tracking"]},\
        "spec":{"containers":[{"name":"pi","image":"%s"}]},"status":{"phase":"Running"}}\
        """
                .formatted(LABELS, "perl".repeat(300));
    }
}
