package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.ContentType;
import dev.jobsmith.Types.Method;
import dev.jobsmith.Types.Notice;
import dev.jobsmith.Types.ObjectRef;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Records Kubernetes Events, one after the other and best effort: what is too much is dropped, and
 * nobody waits.
 *
 * <p>Docs: Kubernetes API Reference, "Event".
 */
final class Notices {
    /** How many Events may wait. */
    private static final int WAITING = 1000;

    private final Cluster cluster;
    private final Map<String, String> apiVersions = new HashMap<>();
    private final ThreadPoolExecutor recorder =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(WAITING),
                    Notices::named,
                    new ThreadPoolExecutor.DiscardPolicy());

    Notices(Cluster cluster, List<ApiResource> resources) {
        this.cluster = cluster;
        for (ApiResource each : resources) {
            String version = each.group().isEmpty() ? "" : each.group() + "/";
            apiVersions.put(each.kind(), version + each.version());
        }
    }

    void record(List<Notice> notices) {
        for (Notice notice : notices) {
            Command creation = creation(notice, Instant.now());
            recorder.execute(() -> send(creation));
        }
    }

    void close() {
        recorder.shutdownNow();
    }

    private void send(Command command) {
        try {
            cluster.send(command);
        } catch (Exception lost) {
            // Events may be lost.
        }
    }

    private Command creation(Notice notice, Instant now) {
        ObjectRef object = notice.regarding();
        // The Events about objects that are in no namespace are in this one.
        String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
        String name = object.name() + "." + Long.toHexString(now.getEpochSecond()) + now.getNano();
        String regarding =
                json(
                        "apiVersion", apiVersions.getOrDefault(object.kind(), ""),
                        "kind", object.kind(),
                        "namespace", object.namespace(),
                        "name", object.name(),
                        "uid", object.uid());
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        String fields =
                json(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Event",
                        "type",
                        notice.warning() ? "Warning" : "Normal",
                        "reason",
                        notice.reason(),
                        "message",
                        notice.message(),
                        "reportingComponent",
                        notice.reportingController(),
                        "reportingInstance",
                        "",
                        "firstTimestamp",
                        time,
                        "lastTimestamp",
                        time);
        String body =
                "{%s,\"count\":1,\"metadata\":{%s},\"involvedObject\":{%s},\"source\":{%s}}"
                        .formatted(
                                fields,
                                json("name", name, "namespace", namespace),
                                regarding,
                                json("component", notice.reportingController()));
        String path = "/api/v1/namespaces/" + namespace + "/events";
        return new Command(Method.POST, path, ContentType.JSON, body, List.of(), Optional.empty());
    }

    /** Members of a JSON object: names and texts in turns. */
    private static String json(String... members) {
        StringBuilder json = new StringBuilder();
        for (int index = 0; index < members.length; index++) {
            json.append(index == 0 ? "" : index % 2 == 0 ? "," : ":");
            quote(members[index], json);
        }
        return json.toString();
    }

    private static void quote(String text, StringBuilder json) {
        json.append('"');
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            if (character == '"' || character == '\\') {
                json.append('\\').append(character);
            } else if (character < ' ') {
                json.append("\\u%04x".formatted((int) character));
            } else {
                json.append(character);
            }
        }
        json.append('"');
    }

    private static Thread named(Runnable recorder) {
        Thread thread = new Thread(recorder, "jobsmith-events");
        thread.setDaemon(true);
        return thread;
    }
}
