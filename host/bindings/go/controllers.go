// One instance of the component: the calls of its contract.
//
// Docs: what the contract says is in types.go; misuse is noticed in session.go.

package controllers

import (
	_ "embed"
	"iter"
	"sync"
	"time"

	"jobsmith.dev/controllers/component"
)

//go:embed controllers.wasm
var embedded []byte

var _ Manager = (*Controllers)(nil)

// Options are what [New] may be given; the zero value is good.
type Options struct {
	// Config is the configuration in JSON, as [Manager.Configure] takes it; empty for the defaults.
	Config string
	// Component is the component, in place of the one that this package carries.
	Component []byte
}

// Controllers are one instance of the component. They may be used from several goroutines: a call waits until the one before has ended, and none takes
// longer than the computation.
//
// Every call may end with [Lost], [ErrClosed], or a [MisuseError], which changes nothing.
type Controllers struct {
	mutex     sync.Mutex
	program   *component.Program
	instance  *component.Instance
	config    string
	resources []APIResource
	session   session
	lost      *Lost
	closed    bool
}

// New makes an instance. A configuration that it refuses is a [ConfigError]. The first instance of a process takes a fraction of a second, as the
// component is compiled.
func New(options Options) (*Controllers, error) {
	if options.Component == nil {
		options.Component = embedded
	}
	program, err := component.Compile(options.Component, Contract)
	if err != nil {
		return nil, err
	}
	controllers := &Controllers{program: program, config: "{}"}
	if options.Config != "" {
		controllers.config = options.Config
	}
	if err := controllers.Restart(); err != nil {
		controllers.Close()
		return nil, err
	}
	return controllers, nil
}

// Restart puts a new instance with the same configuration in the place of this one, which may be lost. It begins again with lists.
func (c *Controllers) Restart() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.closed {
		return ErrClosed
	}
	if c.instance != nil {
		c.instance.Close()
	}
	instance, err := c.program.Instantiate()
	if err != nil {
		c.lost = &Lost{Message: err.Error(), Cause: err}
		return c.lost
	}
	c.instance, c.lost = instance, nil
	return c.configure(c.config)
}

// Close gives the memory back. Later calls answer [ErrClosed].
func (c *Controllers) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return c.program.Close()
}

// Err returns why no call is of use: [Lost], [ErrClosed], or nil.
func (c *Controllers) Err() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.unusable()
}

// Configure implements [Manager.Configure]. The error is a [ConfigError] if the configuration is refused.
func (c *Controllers) Configure(config string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.configure(config)
}

func (c *Controllers) configure(config string) error {
	configured, err := call[component.Result[component.None, string]](c, "configure", config)
	if err != nil {
		return err
	}
	if configured.Error != nil {
		return &ConfigError{Reason: *configured.Error}
	}
	c.config, c.session = config, newSession()
	c.resources, err = call[[]APIResource](c, "resources")
	return err
}

// Resources implements [Manager.Resources].
func (c *Controllers) Resources() ([]APIResource, error) {
	return locked[[]APIResource](c, "resources")
}

// Handle implements [Manager.Handle]. The error is a [Malformed] if an object is malformed.
func (c *Controllers) Handle(event Event, now time.Time) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := c.unusable(); err != nil {
		return err
	}
	at, err := timestamp(now)
	if err != nil {
		return err
	}
	if err := c.session.check(event, c.resources); err != nil {
		return err
	}
	handled, err := call[component.Result[component.None, Malformed]](c, "handle", event, at)
	if err != nil {
		return err
	}
	c.session.handled(event)
	if handled.Error != nil {
		return *handled.Error
	}
	return nil
}

// Listed hands over a complete list: its objects in JSON, and the resource version of the list itself.
func (c *Controllers) Listed(kind, resourceVersion string, objects []string, now time.Time) error {
	return c.Handle(EventListed{Kind: kind, ResourceVersion: resourceVersion, Objects: objects}, now)
}

// Applied hands over an object in JSON that a watch showed as added or modified.
func (c *Controllers) Applied(kind, json string, now time.Time) error {
	return c.Handle(EventChanged{ChangeApplied{Kind: kind, JSON: json}}, now)
}

// Deleted hands over the last state of an object in JSON that a watch showed as deleted.
func (c *Controllers) Deleted(kind, json string, now time.Time) error {
	return c.Handle(EventChanged{ChangeDeleted{Kind: kind, JSON: json}}, now)
}

// Finished hands over what came of a plan: an [Outcome] for each of its commands, batch by batch. Of a plan without commands there is nothing to report.
func (c *Controllers) Finished(plan *Plan, outcomes []Outcome, now time.Time) error {
	if plan == nil {
		return misuse("plan is nil: pass a plan of NextPlan or Plans")
	}
	if len(plan.Commands())+len(outcomes) == 0 {
		return c.Err()
	}
	return c.Handle(EventFinished{Plan: plan.ID, Outcomes: outcomes}, now)
}

// NextPlan implements [Manager.NextPlan].
func (c *Controllers) NextPlan(now time.Time) (*Plan, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	plan, err := timed[*Plan](c, "next-plan", now)
	if plan != nil {
		c.session.handedOut(plan)
	}
	return plan, err
}

// Plans returns the plans that are due, one after the other. It ends early if the instance is lost or closed, which [Controllers.Err]
// reports, or the time is zero or out of range.
func (c *Controllers) Plans(now time.Time) iter.Seq[*Plan] {
	return func(yield func(*Plan) bool) {
		for {
			plan, err := c.NextPlan(now)
			if plan == nil || err != nil || !yield(plan) {
				return
			}
		}
	}
}

// NextWakeup implements [Manager.NextWakeup].
func (c *Controllers) NextWakeup() (*Wakeup, error) {
	return locked[*Wakeup](c, "next-wakeup")
}

// Explain implements [Manager.Explain]. The warnings are Events in JSON, and may be nil. The error is a [NoExplanation] if there is none.
func (c *Controllers) Explain(object ObjectRef, warnings []string, now time.Time) (Explanation, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	at, err := timestamp(now)
	if err != nil {
		return Explanation{}, err
	}
	explained, err := call[component.Result[Explanation, string]](c, "explain", object, warnings, at)
	if err != nil {
		return Explanation{}, err
	}
	if explained.Error != nil {
		return Explanation{}, &NoExplanation{Reason: *explained.Error}
	}
	return *explained.Value, nil
}

// Metrics implements [Manager.Metrics]. [WriteMetrics] writes them as Prometheus reads them.
func (c *Controllers) Metrics(now time.Time) ([]Family, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return timed[[]Family](c, "metrics", now)
}

// DecisionKinds implements [Manager.DecisionKinds].
func (c *Controllers) DecisionKinds() ([]DecisionKind, error) {
	return locked[[]DecisionKind](c, "decision-kinds")
}

// About implements [Manager.About].
func (c *Controllers) About() (Versions, error) {
	return locked[Versions](c, "about")
}

// MemorySize returns how much memory the instance takes, in bytes.
func (c *Controllers) MemorySize() uint32 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.unusable() != nil {
		return 0
	}
	return c.instance.MemorySize()
}
