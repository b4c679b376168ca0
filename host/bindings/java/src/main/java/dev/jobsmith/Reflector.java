package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Event;
import dev.jobsmith.Types.Listing;
import dev.jobsmith.Types.Part;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;

/** Lists one resource and watches it, again and again, until it is interrupted. */
final class Reflector extends Thread {
    /** Down to 0 when the first list is complete. */
    final CountDownLatch listed = new CountDownLatch(1);

    private final Cluster cluster;
    private final Loop.Listener listener;
    private final ApiResource resource;
    private final BlockingQueue<Optional<Event>> events;
    private final CountDownLatch before;

    /** The page of a list that waits for the next one, as the last one is handed over as such. */
    private List<String> held;

    private boolean begun;

    /** It begins when the resource before it has been listed. */
    Reflector(
            Cluster cluster,
            Loop.Listener listener,
            ApiResource resource,
            BlockingQueue<Optional<Event>> events,
            CountDownLatch before) {
        super("jobsmith-" + resource.plural());
        setDaemon(true);
        this.cluster = cluster;
        this.listener = listener;
        this.resource = resource;
        this.events = events;
        this.before = before;
    }

    @Override
    public void run() {
        try {
            before.await();
            while (!isInterrupted()) {
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
            if (!isInterrupted()) {
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
            events.put(Optional.of(event));
        } catch (InterruptedException interrupted) {
            throw new Interrupted();
        }
    }

    /** An interrupt on its way through a cluster's code. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
