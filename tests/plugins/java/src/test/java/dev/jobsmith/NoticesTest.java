package dev.jobsmith;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Command;
import dev.jobsmith.Types.Notice;
import dev.jobsmith.Types.ObjectRef;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;

/** Kubernetes Events, as they are sent. */
@Timeout(60)
class NoticesTest {
    private static final List<ApiResource> RESOURCES =
            List.of(
                    new ApiResource("batch", "v1", "Job", "jobs", true),
                    new ApiResource("", "v1", "Node", "nodes", false));

    @Test
    void anEventNamesItsObject() throws InterruptedException {
        Command sent = sent("Job", "d", "it says \"no\"\n\\");
        JsonNode event = JsonMapper.builder().build().readTree(sent.body());

        assertEquals("/api/v1/namespaces/d/events", sent.path());
        assertEquals("Warning", event.get("type").stringValue());
        assertEquals("it says \"no\"\n\\", event.get("message").stringValue());
        assertEquals("d", event.at("/metadata/namespace").stringValue());
        assertEquals("batch/v1", event.at("/involvedObject/apiVersion").stringValue());
        assertEquals("u", event.at("/involvedObject/uid").stringValue());
        assertEquals("a-controller", event.at("/source/component").stringValue());
    }

    @Test
    void anEventAboutAnObjectWithoutANamespaceIsInTheDefaultOne() throws InterruptedException {
        Command sent = sent("Node", "", "m");
        JsonNode event = JsonMapper.builder().build().readTree(sent.body());

        assertEquals("/api/v1/namespaces/default/events", sent.path());
        assertEquals("default", event.at("/metadata/namespace").stringValue());
        assertEquals("v1", event.at("/involvedObject/apiVersion").stringValue());
        assertEquals("", event.at("/involvedObject/namespace").stringValue());
    }

    private static Command sent(String kind, String namespace, String message)
            throws InterruptedException {
        FakeCluster cluster = new FakeCluster();
        Notices notices = new Notices(cluster, RESOURCES);
        ObjectRef object = new ObjectRef(kind, namespace, "a", "u");
        notices.record(List.of(new Notice(object, "a-controller", true, "Reason", message)));
        while (cluster.sent.isEmpty()) {
            Thread.sleep(1);
        }
        notices.close();
        return cluster.sent.get(0);
    }
}
