package controllers

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"jobsmith.dev/controllers/component"
)

var start = time.Unix(1_790_000_000, 0)

const pod = `{"metadata":{"name":"pi-1","namespace":"default","uid":"p","resourceVersion":"%d","labels":{"batch.kubernetes.io/controller-uid":"u"},
	"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"u","controller":true}],
	"finalizers":["batch.kubernetes.io/job-tracking"]},"status":{"phase":"Running"}}`

// job returns a Job with this parallelism.
func job(pods int) string {
	return fmt.Sprintf(`{"metadata":{"name":"pi","namespace":"default","uid":"u","resourceVersion":"5","generation":1,
		"creationTimestamp":"2026-09-21T00:00:00Z"},"spec":{"parallelism":%d,"completions":%[1]d,"backoffLimit":6,"completionMode":"NonIndexed",
		"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"u"}},"template":{"metadata":{"labels":
		{"batch.kubernetes.io/controller-uid":"u"}},"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"b"}]}}}}`, pods)
}

// made returns controllers that are closed when the test ends.
func made(t *testing.T, options Options) *Controllers {
	t.Helper()
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// listed returns controllers that know one Job.
func listed(t *testing.T, pods int) *Controllers {
	t.Helper()
	c := made(t, Options{})
	list(t, c, pods)
	return c
}

func list(t *testing.T, c *Controllers, pods int) {
	t.Helper()
	for kind, objects := range map[string][]string{"CronJob": nil, "Job": {job(pods)}, "Pod": nil} {
		if err := c.Listed(kind, "7", objects, start); err != nil {
			t.Fatal(err)
		}
	}
}

// plan returns the first plan that has commands.
func plan(t *testing.T, c *Controllers) *Plan {
	t.Helper()
	for plan := range c.Plans(start) {
		if len(plan.Batches) > 0 {
			return plan
		}
	}
	t.Fatalf("no plan has commands: %v", c.Err())
	return nil
}

// done returns outcomes of a plan that succeeded.
func done(plan *Plan) []Outcome {
	outcomes := make([]Outcome, len(plan.Commands()))
	for number := range outcomes {
		outcomes[number] = OutcomeDone{Name: fmt.Sprintf("pi-%d", number), UID: fmt.Sprint(number), ResourceVersion: fmt.Sprint(8 + number)}
	}
	return outcomes
}

// refused checks that an error is a misuse that says what to do.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	var misuse *MisuseError
	if !errors.As(err, &misuse) || !strings.Contains(err.Error(), words) {
		t.Errorf("%q is missing in %T: %v", words, err, err)
	}
}

func TestPlansHaveCommandsAndReasons(t *testing.T) {
	c := listed(t, 2)
	plan := plan(t, c)
	if plan.Controller != "job" || plan.Object.Name != "pi" || plan.Object.UID != "u" {
		t.Errorf("it is about %+v", plan.Object)
	}
	create := plan.Commands()[0]
	if create.Method.HTTP() != "POST" || create.Path != "/api/v1/namespaces/default/pods" || create.ContentType.Header() != "application/json" {
		t.Errorf("the first command is %s %s %s", create.Method.HTTP(), create.Path, create.ContentType.Header())
	}
	var said []string
	for _, decision := range plan.Decisions {
		said = append(said, decision.String())
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text, "Creating 2 pods: 0 active, 2 wanted") {
		t.Errorf("it decides\n%s", text)
	}
	if err := c.Finished(plan, done(plan), start); err != nil {
		t.Error(err)
	}
}

func TestAllCallsAnswer(t *testing.T) {
	c := listed(t, 2)
	resources, err := c.Resources()
	if err != nil || len(resources) != 3 || resources[1].Path("a") != "/apis/batch/v1/namespaces/a/jobs" || resources[1].APIVersion() != "batch/v1" {
		t.Errorf("it lists %v, %v", resources, err)
	}
	explanation, err := c.Explain(ObjectRef{Kind: "Job", Namespace: "default", Name: "pi"}, nil, start)
	if err != nil || len(explanation.Now.Decisions) == 0 {
		t.Errorf("it explains %+v, %v", explanation, err)
	}
	var none *NoExplanation
	if _, err := c.Explain(ObjectRef{Kind: "Job", Namespace: "default", Name: "e"}, nil, start); !errors.As(err, &none) {
		t.Errorf("it explains what is not there: %v", err)
	}
	if wakeup, err := c.NextWakeup(); err != nil || wakeup == nil || wakeup.Object.Name != "pi" {
		t.Errorf("it wakes up at %+v, %v", wakeup, err)
	}
	if kinds, err := c.DecisionKinds(); err != nil || len(kinds) < 50 {
		t.Errorf("it has %d kinds of decisions, %v", len(kinds), err)
	}
	if versions, err := c.About(); err != nil || !strings.HasPrefix(versions.Kubernetes, "v1.") {
		t.Errorf("it is %+v, %v", versions, err)
	}
	families, err := c.Metrics(start)
	var text strings.Builder
	if err != nil || WriteMetrics(&text, families) != nil || !strings.Contains(text.String(), "# TYPE ") {
		t.Errorf("it counts %s, %v", text.String(), err)
	}
}

func TestMetricsAreInPrometheusFormat(t *testing.T) {
	labels := []Tuple2[string, string]{{"mode", "\"\\\n"}}
	histogram := MeasureHistogram{Buckets: []Tuple2[float64, uint64]{{0.004, 1}}, Sum: 1.5, Count: 3}
	families := []Family{
		{Name: "t_seconds", Help: "How\nlong", Samples: []Sample{{Labels: labels, Value: histogram}}},
		{Name: "n", Help: "How many", Samples: []Sample{{Value: MeasureGauge(-1)}}},
		{Name: "none", Help: "Nothing"},
	}
	var text strings.Builder
	if err := WriteMetrics(&text, families); err != nil {
		t.Fatal(err)
	}
	const expected = `# HELP t_seconds How\nlong
# TYPE t_seconds histogram
t_seconds_bucket{mode="\"\\\n",le="0.004"} 1
t_seconds_bucket{mode="\"\\\n",le="+Inf"} 3
t_seconds_sum{mode="\"\\\n"} 1.5
t_seconds_count{mode="\"\\\n"} 3
# HELP n How many
# TYPE n gauge
n -1
`
	if text.String() != expected {
		t.Errorf("it writes\n%s", text.String())
	}
}

func TestMalformedObjectIsNamed(t *testing.T) {
	c := listed(t, 1)
	err := c.Applied("Pod", `{"metadata":{"namespace":"default","name":"p"},"status":{"phase":1}}`, start)
	var malformed Malformed
	if !errors.As(err, &malformed) || malformed.Kind != "Pod" || malformed.Name != "default/p" || malformed.Reason == "" {
		t.Errorf("it answers %v", err)
	}
	if err := c.Applied("Pod", "{", start); !errors.As(err, &malformed) {
		t.Errorf("it answers %v", err)
	}
	plan(t, c)
}

func TestBadConfigurationIsRefused(t *testing.T) {
	var config *ConfigError
	if _, err := New(Options{Config: `{"jobs":{}}`}); !errors.As(err, &config) || !strings.HasPrefix(err.Error(), "invalid configuration: jobs: unknown field") {
		t.Errorf("it answers %v", err)
	}
	c := listed(t, 1)
	if err := c.Configure(`{"controllers":["jobs"]}`); !errors.As(err, &config) {
		t.Errorf("it answers %v", err)
	}
	plan(t, c)
}

func TestTrapLosesTheInstanceUntilItRestarts(t *testing.T) {
	c := made(t, Options{Config: `{"controllers":["job"]}`})
	if _, err := call[*Plan](c, "next-plan", Timestamp{Seconds: math.MaxInt64}); err == nil || !strings.Contains(err.Error(), "a time that does not exist") {
		t.Fatalf("it does not trap: %v", err)
	}
	var lost *Lost
	if err := c.Applied("Pod", "{}", start); !errors.As(err, &lost) || !errors.As(c.Err(), &lost) || !strings.Contains(err.Error(), "call Restart and list again") {
		t.Errorf("a lost instance answers %v", err)
	}
	for range c.Plans(start) {
		t.Error("a lost instance has a plan")
	}
	if err := c.Restart(); err != nil || c.Err() != nil {
		t.Fatal(err)
	}
	if resources, err := c.Resources(); len(resources) != 2 {
		t.Errorf("the configuration is lost too: %v, %v", resources, err)
	}
	for _, kind := range []string{"Job", "Pod"} {
		if err := c.Listed(kind, "7", []string{job(1)}[:len(kind)%2], start); err != nil {
			t.Error(err)
		}
	}
	plan(t, c)
}

func TestMisuseSaysWhatToDo(t *testing.T) {
	c := listed(t, 2)
	first := plan(t, c)
	refused(t, c.Applied("Node", "{}", start), "hand over only CronJob, Job, Pod")
	refused(t, c.Listed("Node", "1", nil, start), `kind "Node" is not one of Resources`)
	refused(t, c.Handle(EventListed{Kind: "Pod", Part: PartLast}, start), "begin with PartFirst or PartWhole")
	refused(t, c.Handle(EventListed{Kind: "Pod", Part: 9}, start), "use one of its constants")
	refused(t, c.Finished(first, done(first)[1:], start), "report one outcome for each command")
	refused(t, c.Finished(first, make([]Outcome, len(done(first))), start), "Outcome is nil: set it to one of its cases")
	refused(t, c.Handle(EventFinished{Plan: 77}, start), "plan 77 is not in flight: report only plans of this instance")
	refused(t, c.Finished(nil, nil, start), "plan is nil: pass a plan of NextPlan or Plans")
	zero := "now is the zero time: pass time.Now() or the time of your clock"
	refused(t, c.Applied("Job", job(2), time.Time{}), zero)
	_, err := c.NextPlan(time.Time{})
	refused(t, err, zero)
	refused(t, c.Handle(nil, start), "handle needs a controllers.Event as argument 1")
	refused(t, c.Handle(EventChanged{}, start), "Change is nil")
	refused(t, c.Handle(&EventListed{Kind: "Pod"}, start), "is not a case of controllers.Event: use a value, not a pointer")
	refused(t, c.Listed("Pod", "9", nil, time.Unix(1<<40, 0)), "use a time between the years")
	if err := c.Finished(first, done(first), start); err != nil {
		t.Fatal(err)
	}
	refused(t, c.Finished(first, done(first), start), "plan 1 is finished already: report each plan once")
	if err := c.Listed("Pod", "9", nil, start.Add(-time.Hour)); err != nil {
		t.Errorf("time may go backwards: %v", err)
	}
	if _, err := c.NextPlan(start.Add(-2 * time.Hour)); err != nil {
		t.Errorf("time may go backwards: %v", err)
	}
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	refused(t, c.Finished(first, done(first), start), "plan 1 is not in flight: report only plans of this instance")
}

func TestClosedInstanceAnswersNothing(t *testing.T) {
	c := listed(t, 1)
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, next := c.NextPlan(start)
	for _, err := range []error{next, c.Applied("Pod", "{}", start), c.Restart(), c.Err(), c.Configure("{}")} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("a closed instance answers %v", err)
		}
	}
}

func TestOtherBytesAreRefused(t *testing.T) {
	for words, bytes := range map[string][]byte{"not a WebAssembly component": []byte("\x00asm\x01\x00\x00\x00"), "truncated": embedded[:2000]} {
		if _, err := New(Options{Component: bytes}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("it answers %v", err)
		}
	}
	other := component.NewInterface("jobsmith:controllers/manager@9.0.0", nil, []component.Function{component.FunctionOf[func() string]("about")})
	if _, err := component.Compile(embedded, other); err == nil || !strings.Contains(err.Error(), Contract.Name) {
		t.Errorf("another version is not named: %v", err)
	}
}

func TestInvalidTextIsReplaced(t *testing.T) {
	c := listed(t, 1)
	// A lone surrogate, as some encoders write it, and a byte that is never valid.
	_, err := c.Explain(ObjectRef{Kind: "Job", Namespace: "default", Name: "a\xed\xa0\x80b\xff"}, nil, start)
	if err == nil || !strings.Contains(err.Error(), "a\uFFFDb\uFFFD") {
		t.Errorf("it answers %v", err)
	}
}

func TestTwoGoroutines(t *testing.T) {
	c := listed(t, 1)
	var working sync.WaitGroup
	for worker := range 2 {
		working.Add(1)
		go func() {
			defer working.Done()
			for number := range 500 {
				if err := c.Applied("Pod", fmt.Sprintf(pod, 10+number*2+worker), start); err != nil {
					t.Error(err)
				}
				for range c.Plans(start) {
				}
				if _, err := c.Metrics(start); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	working.Wait()
}

func TestMemoryIsConstant(t *testing.T) {
	c := listed(t, 1)
	events := func(from, to int) uint32 {
		for number := from; number < to; number++ {
			if err := c.Applied("Pod", fmt.Sprintf(pod, 10+number), start); err != nil {
				t.Fatal(err)
			}
			for range c.Plans(start) {
			}
		}
		return c.MemorySize()
	}
	before := events(0, 1000)
	host := resident(t)
	if after := events(1000, 100_000); after > before {
		t.Errorf("the instance grows from %d to %d bytes", before, after)
	}
	if after := resident(t); after > host+64<<10 {
		t.Errorf("the process grows from %d to %d kB", host, after)
	}
}

// resident returns how much memory the process takes, in kB.
func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("there is no /proc")
	}
	_, text, _ := strings.Cut(string(status), "VmRSS:")
	var size int
	fmt.Sscan(text, &size)
	return size
}

func TestDurationsInSentencesHaveTheirUnits(t *testing.T) {
	for milliseconds, expected := range map[TextPartDuration]string{10_000: "10 s", 1_500: "1.5 s", 160_000: "2m40s", 129_600_000: "1d12h"} {
		if said := (Decision{Sentence: []TextPart{milliseconds}}).String(); said != expected {
			t.Errorf("%d ms are %q, not %q", milliseconds, said, expected)
		}
	}
}
