package dev.jobsmith;

import dev.jobsmith.Types.ApiResource;
import dev.jobsmith.Types.Plan;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Drives controllers on a cluster: lists and watches what they name, carries out their plans, and
 * reports what came of them.
 *
 * <p>{@link #run} does not return before another thread calls {@link #close}, or interrupts it.
 * What goes wrong is tried again: a watch that ends is begun again with a list, and controllers
 * that are lost are restarted. While a loop runs, nobody else should hand events to its
 * controllers.
 */
public final class Loop implements Runnable, AutoCloseable {
    /** How long to wait before what failed is tried again, in milliseconds. */
    static final long PAUSE = 1000;

    private final Controllers controllers;
    private final Cluster cluster;
    private final Listener listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Session session;

    /** Takes what a loop reports; each method writes a line to the log unless it is overridden. */
    public interface Listener {
        /** A plan is being carried out: its decisions say why. */
        default void decided(Plan plan) {
            String about = plan.object().kind() + " " + plan.object().name();
            plan.decisions()
                    .forEach(each -> log(Level.INFO, about + ": " + Sentences.of(each), null));
        }

        /** An object is malformed, and ignored until it changes. */
        default void malformed(MalformedException exception) {
            log(Level.ERROR, exception.getMessage(), null);
        }

        /** A resource could not be listed or watched; it is listed again. */
        default void interrupted(ApiResource resource, Exception exception) {
            log(Level.WARNING, "the watch of " + resource.plural() + " was interrupted", exception);
        }

        /** The controllers were lost, and begin again. */
        default void lost(LostException exception) {
            log(Level.ERROR, "the controllers are lost; restarting them", exception);
        }

        private static void log(Level level, String message, Exception exception) {
            Logger logger = System.getLogger(Loop.class.getName());
            logger.log(level, message, exception);
        }
    }

    /** A loop that logs what is decided. */
    public Loop(Controllers controllers, Cluster cluster) {
        this(controllers, cluster, new Listener() {});
    }

    /** A loop with a listener, whose methods are called by several threads. */
    public Loop(Controllers controllers, Cluster cluster, Listener listener) {
        this.controllers = Objects.requireNonNull(controllers, "controllers is null");
        this.cluster = Objects.requireNonNull(cluster, "cluster is null");
        this.listener = Objects.requireNonNull(listener, "listener is null");
    }

    /** Drives the controllers until the loop is closed or the thread is interrupted. */
    @Override
    public void run() {
        try {
            do {
                drive();
            } while (!closed.await(PAUSE, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the loop; what is being sent is still waited for, for a few seconds. */
    @Override
    public void close() {
        closed.countDown();
        Session current = session;
        if (current != null) {
            current.stop();
        }
    }

    /** Drives controllers that know nothing yet, until they are lost or the loop is closed. */
    private void drive() throws InterruptedException {
        Session current = null;
        try {
            controllers.restart();
            current = new Session(controllers, cluster, listener);
            session = current;
            if (closed.getCount() > 0) {
                current.drive();
            }
        } catch (LostException lost) {
            listener.lost(lost);
        } finally {
            if (current != null) {
                current.close();
            }
        }
    }
}
