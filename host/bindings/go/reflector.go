// All that a cluster stores of a resource: a list first, then each change.
//
// Docs: Kubernetes API Concepts, "Efficient detection of changes"; it is handed over in loop.go.

package controllers

import (
	"context"
	"log/slog"
	"time"
)

// reflector lists and watches one resource.
type reflector struct {
	cluster  Cluster
	resource APIResource
	events   chan<- Event
	log      *slog.Logger
}

// run sends all that the cluster stores until the context is done.
func (r reflector) run(ctx context.Context) {
	pause := backoff{first: 500 * time.Millisecond, longest: 30 * time.Second}
	for ctx.Err() == nil {
		began := time.Now()
		err := r.reflect(ctx)
		if ctx.Err() != nil {
			return
		}
		wait := pause.after(time.Since(began))
		if err == nil && time.Since(began) > time.Second {
			continue
		}
		r.log.Warn("cannot list or watch; listing again", "resource", r.resource.Plural, "error", err, "pause", wait)
		sleep(ctx, wait)
	}
}

// reflect lists, and watches until that cannot go on.
func (r reflector) reflect(ctx context.Context) error {
	version, err := r.list(ctx)
	if err != nil {
		return err
	}
	for change, err := range r.cluster.Watch(ctx, r.resource, version) {
		if err != nil {
			return err
		}
		if !r.send(ctx, EventChanged{change}) {
			return ctx.Err()
		}
	}
	return nil
}

// list sends a complete list page by page, and returns its resource version.
func (r reflector) list(ctx context.Context) (string, error) {
	part, last, from := PartFirst, PartWhole, ""
	for {
		page, err := r.cluster.List(ctx, r.resource, from)
		if err != nil {
			return "", err
		}
		if page.Next == "" {
			part = last
		}
		listed := EventListed{Kind: r.resource.Kind, Part: part, ResourceVersion: page.ResourceVersion, Objects: page.Objects}
		if !r.send(ctx, listed) {
			return "", ctx.Err()
		}
		if page.Next == "" {
			return page.ResourceVersion, nil
		}
		part, last, from = PartMiddle, PartLast, page.Next
	}
}

func (r reflector) send(ctx context.Context, event Event) bool {
	select {
	case r.events <- event:
		return true
	case <-ctx.Done():
		return false
	}
}

// backoff is a pause that doubles with each failure, up to a longest.
type backoff struct{ first, longest, next time.Duration }

// after returns how long to pause after something that lasted this long before it failed: beyond the longest pause it had succeeded.
func (b *backoff) after(lasted time.Duration) time.Duration {
	if lasted > b.longest || b.next == 0 {
		b.next = b.first
	}
	pause := b.next
	b.next = min(2*b.next, b.longest)
	return pause
}

func sleep(ctx context.Context, pause time.Duration) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}
