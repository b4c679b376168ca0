package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Event;
import dev.jobsmith.Types.Listing;
import dev.jobsmith.Types.Part;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Lists one resource and watches it, again and again, until the session is over. */
final class Reflector extends Thread {
    /** Down to 0 when the first list is complete. */
    final CountDownLatch listed = new CountDownLatch(1);

    private final Session session;
    private final Cluster cluster;
    private final Loop.Listener listener;
    private final ApiResource resource;
    private final CountDownLatch before;

    /** The page of a list that waits for the next one, as the last one is handed over as such. */
    private List<String> held;

    private boolean begun;

    /** It begins when the resource before it has been listed. */
    Reflector(
            Session session,
            Cluster cluster,
            Loop.Listener listener,
            ApiResource resource,
            CountDownLatch before) {
        super("jobsmith-" + resource.plural());
        setDaemon(true);
        this.session = session;
        this.cluster = cluster;
        this.listener = listener;
        this.resource = resource;
        this.before = before;
    }

    @Override
    public void run() {
        try {
            before.await();
            while (!session.stopped()) {
                reflect();
                sleep(Loop.PAUSE);
            }
        } catch (InterruptedException | Interrupted ended) {
            // The session is over.
        }
    }

    /** Lists and watches, until one of them ends. */
    private void reflect() throws InterruptedException {
        try {
            held = null;
            begun = false;
            String version = cluster.list(resource, this::page);
            put(new Event.Listed(part(begun ? Part.LAST : Part.WHOLE, version)));
            listed.countDown();
            cluster.watch(resource, version, change -> put(new Event.Changed(change)));
        } catch (InterruptedException | Interrupted ended) {
            throw ended;
        } catch (Exception exception) {
            if (!session.stopped()) {
                listener.interrupted(resource, exception);
            }
        }
    }

    private void page(List<String> objects) {
        if (held != null) {
            put(new Event.Listed(part(begun ? Part.MIDDLE : Part.FIRST, "")));
            begun = true;
        }
        held = objects;
    }

    private Listing part(Part part, String version) {
        return new Listing(resource.kind(), part, version, held == null ? List.of() : held);
    }

    private void put(Event event) {
        try {
            session.put(event);
        } catch (InterruptedException interrupted) {
            throw new Interrupted();
        }
    }

    /** An interrupt on its way through a cluster's code. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
