package controllers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	creation = "POST /api/v1/namespaces/default/pods"
	deletion = "DELETE /apis/batch/v1/namespaces/default/jobs/pi"
)

// fake is a cluster that stores some Jobs, shows what a test wants, and accepts every command. A watch that shows nil breaks.
type fake struct {
	mutex    sync.Mutex
	jobs     []string
	lists    map[string]int
	sent     []Command
	changes  map[string]chan Change
	refuse   func(Command) *APIError
	breaks   func(resource APIResource, from string) error
	version  int
	watching chan string
}

func newFake(jobs ...string) *fake {
	changes := map[string]chan Change{"Job": make(chan Change), "Pod": make(chan Change), "CronJob": make(chan Change)}
	return &fake{jobs: jobs, lists: map[string]int{}, changes: changes, version: 10, watching: make(chan string, 100)}
}

func (f *fake) List(_ context.Context, resource APIResource, from string) (Page, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if from == "" {
		f.lists[resource.Kind]++
	}
	if f.breaks != nil {
		if err := f.breaks(resource, from); err != nil {
			return Page{}, err
		}
	}
	if resource.Kind != "Job" {
		return Page{ResourceVersion: "7"}, nil
	}
	// Each Job is a page.
	var page int
	fmt.Sscan(from, &page)
	if page+1 >= len(f.jobs) {
		return Page{ResourceVersion: "7", Objects: f.jobs[page:]}, nil
	}
	return Page{Objects: f.jobs[page : page+1], Next: fmt.Sprint(page + 1)}, nil
}

func (f *fake) Watch(ctx context.Context, resource APIResource, version string) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		f.watching <- resource.Kind
		for {
			select {
			case <-ctx.Done():
				return
			case change := <-f.changes[resource.Kind]:
				if change == nil {
					yield(nil, errors.New("the watch broke"))
					return
				}
				if !yield(change, nil) {
					return
				}
			}
		}
	}
}

func (f *fake) Send(_ context.Context, command Command) Outcome {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.sent = append(f.sent, command)
	if f.refuse != nil {
		if refused := f.refuse(command); refused != nil {
			return OutcomeFailed(*refused)
		}
	}
	f.version++
	return OutcomeDone{Name: fmt.Sprintf("pi-%d", f.version), UID: fmt.Sprint(f.version), ResourceVersion: fmt.Sprint(f.version)}
}

// paths returns how often each path was written to.
func (f *fake) paths() map[string]int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	paths := map[string]int{}
	for _, command := range f.sent {
		paths[command.Method.HTTP()+" "+command.Path]++
	}
	return paths
}

// listed returns how often a kind was listed.
func (f *fake) listed(kind string) int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.lists[kind]
}

// renamed returns another Job.
func renamed(job string) string {
	return strings.ReplaceAll(strings.ReplaceAll(job, `"pi"`, `"e"`), `"u"`, `"v"`)
}

// complete returns a Job that is deleted some seconds after it has finished.
func complete(at time.Time, ttl int) string {
	status := fmt.Sprintf(`"status":{"completionTime":"%s","succeeded":1,"conditions":[{"type":"Complete","status":"True","lastTransitionTime":"%[1]s"}]},
		"spec":{"ttlSecondsAfterFinished":%d,`, at.UTC().Format(time.RFC3339), ttl)
	return strings.Replace(job(1), `"spec":{`, status, 1)
}

// until waits until something holds.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not come to hold within 30 seconds")
}

// run runs a loop until the test ends, and returns the decisions' codes.
func run(t *testing.T, c *Controllers, cluster Cluster) func() string {
	t.Helper()
	var mutex sync.Mutex
	var codes []string
	observe := func(plan *Plan) {
		mutex.Lock()
		defer mutex.Unlock()
		for _, decision := range plan.Decisions {
			codes = append(codes, decision.Code)
		}
	}
	t.Cleanup(begin(t, Loop{Controllers: c, Cluster: cluster, Observe: observe, Log: slog.New(slog.DiscardHandler)}))
	return func() string { mutex.Lock(); defer mutex.Unlock(); return strings.Join(codes, " ") }
}

// begin runs a loop until the function that it returns is called.
func begin(t *testing.T, loop Loop) func() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- loop.Run(ctx) }()
	return func() {
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the loop ends with %v", err)
		}
	}
}

func TestIncompleteLoopDoesNotRun(t *testing.T) {
	c := made(t, Options{})
	refused(t, (&Loop{Controllers: c}).Run(t.Context()), "Loop.Cluster is nil: set it to your Cluster")
	refused(t, (&Loop{Cluster: newFake()}).Run(t.Context()), "Loop.Controllers is nil: set it to the controllers that New returns")
}

func TestLoopActsAndReports(t *testing.T) {
	cluster := newFake(job(3), renamed(job(1)))
	codes := run(t, made(t, Options{}), cluster)
	until(t, func() bool {
		paths := cluster.paths()
		return paths[creation] == 4 && paths["PUT /apis/batch/v1/namespaces/default/jobs/e/status"] > 0
	})
	until(t, func() bool { return strings.Contains(codes(), "PodCreated") })
	until(t, func() bool { return cluster.paths()["POST /api/v1/namespaces/default/events"] > 0 })
}

func TestBrokenWatchIsListedAgain(t *testing.T) {
	cluster := newFake(job(1))
	run(t, made(t, Options{}), cluster)
	until(t, func() bool { return len(cluster.watching) == 3 })
	cluster.changes["Job"] <- nil
	until(t, func() bool { return cluster.listed("Job") == 2 })
	if cluster.listed("Pod") != 1 || cluster.listed("CronJob") != 1 {
		t.Error("what was not broken is listed again")
	}
	until(t, func() bool { return len(cluster.watching) == 4 })
	cluster.changes["Job"] <- ChangeApplied{Kind: "Job", JSON: strings.ReplaceAll(renamed(job(1)), `"5"`, `"8"`)}
	until(t, func() bool { return cluster.paths()[creation] == 2 })
}

func TestListThatBreaksOffBeginsAgain(t *testing.T) {
	cluster := newFake(job(1), renamed(job(1)))
	cluster.breaks = func(_ APIResource, from string) error {
		if from != "" && cluster.lists["Job"] == 1 {
			return APIError{Code: 410, Message: "the continue token is too old"}
		}
		return nil
	}
	run(t, made(t, Options{}), cluster)
	until(t, func() bool { return cluster.paths()[creation] == 2 })
	if lists := cluster.listed("Job"); lists != 2 {
		t.Errorf("it lists %d times", lists)
	}
}

func TestLoopSleepsUntilTheNextWakeup(t *testing.T) {
	finished := time.Now().Truncate(time.Second)
	cluster := newFake(complete(finished, 2))
	run(t, made(t, Options{Config: `{"controllers":["ttl"]}`}), cluster)
	until(t, func() bool { return cluster.paths()[deletion] == 1 })
	if after := time.Since(finished); after < 2*time.Second {
		t.Errorf("it deletes the Job after %s", after)
	}
}

func TestRequestWithoutAnswerIsSentAgain(t *testing.T) {
	cluster := newFake(complete(time.Now(), 0))
	cluster.refuse = func(Command) *APIError {
		if len(cluster.sent) == 1 {
			return &APIError{Message: "connection reset"}
		}
		return nil
	}
	codes := run(t, made(t, Options{Config: `{"controllers":["ttl"]}`}), cluster)
	until(t, func() bool { return cluster.paths()[deletion] == 2 })
	if !strings.Contains(codes(), "RequestFailed") {
		t.Errorf("it decides %s", codes())
	}
}

func TestLoopMayRunAgain(t *testing.T) {
	c := made(t, Options{})
	for range 2 {
		cluster := newFake(job(1))
		stop := begin(t, Loop{Controllers: c, Cluster: cluster, Log: slog.New(slog.DiscardHandler)})
		until(t, func() bool { return cluster.paths()[creation] == 1 })
		stop()
	}
}

func TestMalformedObjectIsLoggedOnce(t *testing.T) {
	var log strings.Builder
	cluster := newFake()
	stop := begin(t, Loop{Controllers: made(t, Options{}), Cluster: cluster, Log: slog.New(slog.NewTextHandler(&log, nil))})
	until(t, func() bool { return len(cluster.watching) == 3 })
	for range 2 {
		cluster.changes["Pod"] <- ChangeApplied{Kind: "Pod", JSON: `{"metadata":{"namespace":"d","name":"x"},"status":3}`}
	}
	cluster.changes["Job"] <- ChangeApplied{Kind: "Job", JSON: strings.ReplaceAll(job(1), `"5"`, `"8"`)}
	until(t, func() bool { return cluster.paths()[creation] == 1 })
	stop()
	if strings.Count(log.String(), "malformed Pod d/x: ") != 1 {
		t.Errorf("it logs %s", log.String())
	}
}

func TestLostControllersListAgain(t *testing.T) {
	cluster := newFake(job(1))
	c := made(t, Options{})
	run(t, c, cluster)
	until(t, func() bool { return len(cluster.watching) == 3 })
	c.mutex.Lock()
	_, err := call[*Plan](c, "next-plan", Timestamp{Seconds: math.MaxInt64})
	c.mutex.Unlock()
	if err == nil {
		t.Fatal("it does not trap")
	}
	cluster.changes["Pod"] <- ChangeApplied{Kind: "Pod", JSON: fmt.Sprintf(pod, 9)}
	until(t, func() bool { return cluster.listed("Job") == 2 })
	until(t, func() bool { return c.Err() == nil })
}

func TestLaterBatchesAreSkippedAfterAFailure(t *testing.T) {
	cluster := newFake()
	cluster.refuse = func(command Command) *APIError {
		switch command.Path {
		case "/gone":
			return &APIError{Code: 404}
		case "/forbidden":
			return &APIError{Code: 403}
		}
		return nil
	}
	command := func(path string) Command { return Command{Path: path, Tolerates: []uint16{404}} }
	plan := &Plan{Batches: [][]Command{{command("/gone"), command("/a")}, {command("/forbidden"), command("/b")}, {command("/c")}}}
	executor := executor{cluster: cluster, places: make(chan struct{}, 1), log: slog.New(slog.DiscardHandler)}
	var names []string
	for _, outcome := range executor.execute(context.Background(), plan) {
		names = append(names, Contract.VariantCase(outcome))
	}
	if text := strings.Join(names, " "); text != "failed done failed done skipped" {
		t.Errorf("the outcomes are %s", text)
	}
	if len(cluster.sent) != 4 {
		t.Errorf("%d commands were sent", len(cluster.sent))
	}
}

func TestACommandAfterAnotherOneRunsWhateverBecomesOfTheRest(t *testing.T) {
	cluster := newFake()
	cluster.refuse = func(command Command) *APIError {
		if command.Path == "/forbidden" {
			return &APIError{Code: 403}
		}
		return nil
	}
	after := func(path string, number uint32) Command { return Command{Path: path, After: &number} }
	plan := &Plan{Batches: [][]Command{
		{{Path: "/forbidden"}, {Path: "/b"}}, {after("/x", 0), after("/y", 1), after("/z", 3), after("/z", 9)}, {{Path: "/c"}, after("/x", 2), after("/y", 3)},
	}}
	executor := executor{cluster: cluster, places: make(chan struct{}, 1), log: slog.New(slog.DiscardHandler)}
	var names []string
	for _, outcome := range executor.execute(context.Background(), plan) {
		names = append(names, Contract.VariantCase(outcome))
	}
	if text := strings.Join(names, " "); text != "failed done skipped done skipped skipped skipped skipped done" {
		t.Errorf("the outcomes are %s", text)
	}
}

func TestEventNamesItsObject(t *testing.T) {
	notice := Notice{Regarding: ObjectRef{Kind: "Job", Namespace: "d", Name: "pi", UID: "u"}, ReportingController: "job-controller", Warning: true, Reason: "R", Message: "M"}
	command := EventCommand(notice, APIResource{Group: "batch", Version: "v1"}, start)
	var event struct {
		Type, Reason   string
		InvolvedObject struct{ APIVersion, Kind, UID string }
	}
	if err := json.Unmarshal([]byte(command.Body), &event); err != nil {
		t.Fatal(err)
	}
	if command.Path != "/api/v1/namespaces/d/events" || event.Type != "Warning" || event.InvolvedObject.APIVersion != "batch/v1" || event.InvolvedObject.UID != "u" {
		t.Errorf("it is %s %s", command.Path, command.Body)
	}
}
