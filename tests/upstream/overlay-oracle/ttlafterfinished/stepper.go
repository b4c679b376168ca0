package ttlafterfinished

import (
	"context"
	"time"

	"upstream/virtual"

	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Stepper is a TTL controller whose cache, clock and turns are in the caller's hands.
type Stepper struct {
	c     *Controller
	queue *virtual.Queue[string]
	jobs  cache.Indexer
}

// NewStepper makes a controller that has just started, with an empty cache.
func NewStepper(ctx context.Context, client clientset.Interface, clk clock.WithTicker) *Stepper {
	factory := informers.NewSharedInformerFactory(client, 0)
	c := New(ctx, factory.Batch().V1().Jobs(), client)
	c.queue.ShutDown()
	s := &Stepper{c: c, queue: virtual.NewQueue[string](clk, 5*time.Millisecond, 1000*time.Second),
		jobs: factory.Batch().V1().Jobs().Informer().GetIndexer()}
	c.clock, c.queue, c.jListerSynced = clk, s.queue, func() bool { return true }
	return s
}

// Observe implements virtual.Controller.
func (s *Stepper) Observe(old, new runtime.Object) {
	if _, ok := virtual.FirstOf(old, new).(*batch.Job); !ok {
		return
	}
	if virtual.Update(s.jobs, old, new) {
		s.c.updateJob(klog.Background(), old, new)
	} else if new != nil {
		s.c.addJob(klog.Background(), new)
	}
}

// Next implements virtual.Controller.
func (s *Stepper) Next() (time.Time, bool) { return s.queue.Next() }

// RunDue implements virtual.Controller.
func (s *Stepper) RunDue(ctx context.Context) { s.c.processNextWorkItem(ctx) }
