// The loop of the contract: what the cluster shows goes to the controllers, and what they plan is carried out.
//
// Docs: [Manager]; what the cluster shows comes from reflector.go, plans are carried out in execution.go.

package controllers

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"
)

const (
	// waitingEvents is how many events may wait to be handled; watches wait for the rest.
	waitingEvents = 1000
	// finishing is how long plans that are being carried out are waited for in the end.
	finishing = 4 * time.Second
)

// Loop drives controllers on a cluster: it lists and watches, carries plans out and reports what came of them. Nothing else may hand events to its
// controllers; Explain and Metrics may be called at any time.
type Loop struct {
	// Controllers are what it drives.
	Controllers *Controllers
	// Cluster is where it drives them.
	Cluster Cluster
	// Workers is how many plans are carried out in parallel; 5 if it is 0.
	Workers int
	// Requests is how many commands are under way at once; 100 if it is 0.
	Requests int
	// Observe is called with each plan as it is handed out, decisions and all, on the loop's goroutine.
	Observe func(*Plan)
	// Log takes what goes wrong; [slog.Default] if it is nil.
	Log *slog.Logger
	// DropNotices leaves Kubernetes Events out.
	DropNotices bool
}

// Run drives until the context is done, and returns its error. What is being carried out then is waited for, up to four seconds. It restarts the
// controllers and lists everything, and does so again after a pause if they are [Lost]. It fails if they are closed, and with a [MisuseError] if
// Controllers or Cluster is nil.
func (l *Loop) Run(ctx context.Context) error {
	if l.Controllers == nil {
		return misuse("Loop.Controllers is nil: set it to the controllers that New returns")
	}
	if l.Cluster == nil {
		return misuse("Loop.Cluster is nil: set it to your Cluster, or to that of package httpcluster")
	}
	pause := backoff{first: time.Second, longest: time.Minute}
	for {
		began := time.Now()
		err := l.Controllers.Restart()
		if err == nil {
			err = l.term(ctx)
		}
		var lost *Lost
		if !errors.As(err, &lost) {
			return err
		}
		wait := pause.after(time.Since(began))
		l.log().Error("the controllers are lost; restarting them", "reason", lost.Message, "pause", wait)
		sleep(ctx, wait)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// finished is a plan that was carried out, and what came of it.
type finished struct {
	plan     *Plan
	outcomes []Outcome
}

// term is the life of one instance: what goes on around it.
type term struct {
	*Loop
	events    chan Event
	finished  chan finished
	executor  executor
	recorder  recorder
	executing sync.WaitGroup
	// free is how many more plans may be carried out.
	free int
	// sending is the context of commands, which outlives the loop's a little.
	sending context.Context
	// malformed has the objects that were logged.
	malformed map[string]bool
}

// term lists, watches and acts until the context is done or the controllers are lost.
func (l *Loop) term(ctx context.Context) error {
	resources, err := l.Controllers.Resources()
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	sending, abandon := context.WithCancel(context.WithoutCancel(ctx))
	workers := cmp.Or(l.Workers, 5)
	t := term{
		Loop:      l,
		events:    make(chan Event, waitingEvents),
		finished:  make(chan finished, workers),
		executor:  executor{cluster: l.Cluster, places: make(chan struct{}, cmp.Or(l.Requests, 100)), log: l.log()},
		recorder:  recorder{cluster: l.Cluster, resources: resources, notices: make(chan Notice, waitingNotices), log: l.log()},
		free:      workers,
		sending:   sending,
		malformed: map[string]bool{},
	}
	var around sync.WaitGroup
	for _, resource := range resources {
		reflector := reflector{cluster: l.Cluster, resource: resource, events: t.events, log: l.log()}
		around.Add(1)
		go func() { defer around.Done(); reflector.run(watching) }()
	}
	around.Add(1)
	go func() { defer around.Done(); t.recorder.run(watching) }()
	err = t.run(ctx)
	stop()
	timer := time.AfterFunc(finishing, abandon)
	t.executing.Wait()
	timer.Stop()
	abandon()
	around.Wait()
	return err
}

// run is the loop of the contract.
func (t *term) run(ctx context.Context) error {
	for {
		due, err := t.begin()
		if err != nil {
			return err
		}
		timer := time.NewTimer(due)
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case event := <-t.events:
			err = t.takeIn(event)
		case done := <-t.finished:
			t.free++
			err = t.Controllers.Finished(done.plan, done.outcomes, time.Now())
		case <-timer.C:
		}
		timer.Stop()
		if err != nil {
			return err
		}
	}
}

// begin starts to carry out the plans that are due, and returns how long it is until another one is.
func (t *term) begin() (time.Duration, error) {
	for t.free > 0 {
		plan, err := t.Controllers.NextPlan(time.Now())
		if err != nil {
			return 0, err
		}
		if plan == nil {
			return t.pause()
		}
		t.carryOut(plan)
	}
	return math.MaxInt64, nil
}

func (t *term) pause() (time.Duration, error) {
	wakeup, err := t.Controllers.NextWakeup()
	if wakeup == nil {
		return math.MaxInt64, err
	}
	return time.Until(wakeup.At.Time()), err
}

func (t *term) carryOut(plan *Plan) {
	if t.Observe != nil {
		t.Observe(plan)
	}
	if !t.DropNotices {
		t.recorder.record(plan.Notices)
	}
	if len(plan.Commands()) == 0 {
		return
	}
	t.free--
	t.executing.Add(1)
	go func() {
		defer t.executing.Done()
		t.finished <- finished{plan, t.executor.execute(t.sending, plan)}
	}()
}

// takeIn hands over an event, and all others that wait: plans are made of the newest state.
func (t *term) takeIn(event Event) error {
	for range waitingEvents {
		if err := t.handle(event); err != nil {
			return err
		}
		select {
		case event = <-t.events:
		default:
			return nil
		}
	}
	return t.handle(event)
}

// handle hands over an event. A malformed object is logged once, and ignored until it changes.
func (t *term) handle(event Event) error {
	err := t.Controllers.Handle(event, time.Now())
	var malformed Malformed
	if !errors.As(err, &malformed) {
		return err
	}
	if len(t.malformed) > waitingEvents {
		clear(t.malformed)
	}
	if text := malformed.Error(); !t.malformed[text] {
		t.malformed[text] = true
		t.log().Error("ignoring a malformed object until it changes", "error", text)
	}
	return nil
}

func (l *Loop) log() *slog.Logger {
	if l.Log == nil {
		return slog.Default()
	}
	return l.Log
}
