package job

import (
	"context"
	"fmt"
	"time"

	"upstream/virtual"

	batch "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/utils/clock"
)

// Stepper is a Job controller whose caches, clock and turns are in the caller's hands.
type Stepper struct {
	c          *Controller
	queue      *virtual.Queue[string]
	orphans    *virtual.Queue[orphanPodKey]
	jobs, pods cache.Indexer
}

// NewStepper makes a controller that has just started, with empty caches.
func NewStepper(ctx context.Context, client clientset.Interface, clk clock.WithTicker, recorder record.EventRecorder) (*Stepper, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	c, err := newControllerWithClock(ctx, client, clk, factory.Core().V1().Pods(), factory.Batch().V1().Jobs(), nil, nil)
	if err != nil {
		return nil, err
	}
	ready := func() bool { return true }
	c.podStoreSynced, c.jobStoreSynced = ready, ready
	c.recorder = recorder
	c.podControl = controller.RealPodControl{KubeClient: client, Recorder: recorder}
	c.broadcaster.Shutdown()
	c.queue.ShutDown()
	c.orphanQueue.ShutDown()
	s := &Stepper{c: c,
		queue:   virtual.NewQueue[string](clk, DefaultJobApiBackOff, MaxJobApiBackOff),
		orphans: virtual.NewQueue[orphanPodKey](clk, DefaultJobApiBackOff, MaxJobApiBackOff),
		jobs:    factory.Batch().V1().Jobs().Informer().GetIndexer(),
		pods:    factory.Core().V1().Pods().Informer().GetIndexer()}
	c.queue, c.orphanQueue = s.queue, s.orphans
	return s, nil
}

// Observe implements virtual.Controller.
func (s *Stepper) Observe(old, new runtime.Object) {
	log := klog.Background()
	switch virtual.FirstOf(old, new).(type) {
	case *batch.Job:
		if virtual.Update(s.jobs, old, new) {
			s.c.updateJob(log, old, new)
		} else if new != nil {
			s.c.addJob(log, new)
		} else {
			s.c.deleteJob(log, old)
		}
	case *v1.Pod:
		if virtual.Update(s.pods, old, new) {
			s.c.updatePod(log, old, new)
		} else if new != nil {
			s.c.addPod(log, new)
		} else {
			s.c.deletePod(log, old, true)
		}
	}
}

// Next implements virtual.Controller.
func (s *Stepper) Next() (time.Time, bool) {
	a, okA := s.queue.Next()
	b, okB := s.orphans.Next()
	if okA && (!okB || !b.Before(a)) {
		return a, true
	}
	return b, okB
}

// RunDue implements virtual.Controller.
func (s *Stepper) RunDue(ctx context.Context) {
	a, okA := s.queue.Next()
	if b, okB := s.orphans.Next(); okB && (!okA || b.Before(a)) {
		s.c.processNextOrphanPod(ctx)
		return
	}
	s.c.processNextWorkItem(ctx)
}

// StepOnce syncs one Job once, as a controller that has just started and whose
// caches hold exactly this Job and these Pods. It returns after how long the Job
// is to be synced again.
func StepOnce(ctx context.Context, client clientset.Interface, clk clock.WithTicker, recorder record.EventRecorder,
	j *batch.Job, pods []*v1.Pod) (*time.Duration, error) {
	s, err := NewStepper(ctx, client, clk, recorder)
	if err != nil {
		return nil, err
	}
	s.jobs.Add(j)
	for _, p := range pods {
		s.pods.Add(p)
	}
	err = s.c.syncJob(ctx, fmt.Sprintf("%s/%s", j.Namespace, j.Name))
	if at, ok := s.queue.Next(); ok {
		d := at.Sub(clk.Now())
		return &d, err
	}
	return nil, err
}
