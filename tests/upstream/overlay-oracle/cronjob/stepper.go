package cronjob

import (
	"context"
	"fmt"
	"time"

	"upstream/virtual"

	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Stepper is a CronJob controller whose caches, clock and turns are in the caller's hands.
type Stepper struct {
	c              *ControllerV2
	queue          *virtual.Queue[string]
	jobs, cronJobs cache.Indexer
}

// NewStepper makes a controller that has just started, with empty caches.
func NewStepper(ctx context.Context, client clientset.Interface, clk clock.WithTicker, recorder record.EventRecorder) (*Stepper, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	c, err := NewControllerV2(ctx, factory.Batch().V1().Jobs(), factory.Batch().V1().CronJobs(), client)
	if err != nil {
		return nil, err
	}
	c.queue.ShutDown()
	c.broadcaster.Shutdown()
	ready := func() bool { return true }
	c.jobListerSynced, c.cronJobListerSynced = ready, ready
	c.now, c.recorder = clk.Now, recorder
	c.jobControl = realJobControl{KubeClient: client, Recorder: recorder}
	s := &Stepper{c: c, queue: virtual.NewQueue[string](clk, 5*time.Millisecond, 1000*time.Second),
		jobs:     factory.Batch().V1().Jobs().Informer().GetIndexer(),
		cronJobs: factory.Batch().V1().CronJobs().Informer().GetIndexer()}
	c.queue = s.queue
	return s, nil
}

// Observe implements virtual.Controller.
func (s *Stepper) Observe(old, new runtime.Object) {
	switch virtual.FirstOf(old, new).(type) {
	case *batch.Job:
		if virtual.Update(s.jobs, old, new) {
			s.c.updateJob(old, new)
		} else if new != nil {
			s.c.addJob(new)
		} else {
			s.c.deleteJob(old)
		}
	case *batch.CronJob:
		if virtual.Update(s.cronJobs, old, new) {
			s.c.updateCronJob(klog.Background(), old, new)
		} else {
			s.c.enqueueController(virtual.FirstOf(old, new))
		}
	}
}

// Next implements virtual.Controller.
func (s *Stepper) Next() (time.Time, bool) { return s.queue.Next() }

// RunDue implements virtual.Controller.
func (s *Stepper) RunDue(ctx context.Context) { s.c.processNextWorkItem(ctx) }

// StepOnce syncs one CronJob once, as a controller that has just started and
// whose caches hold exactly this CronJob and these Jobs.
func StepOnce(ctx context.Context, client clientset.Interface, clk clock.WithTicker, recorder record.EventRecorder,
	cj *batch.CronJob, jobs []*batch.Job) (*time.Duration, error) {
	s, err := NewStepper(ctx, client, clk, recorder)
	if err != nil {
		return nil, err
	}
	s.cronJobs.Add(cj)
	for _, j := range jobs {
		s.jobs.Add(j)
	}
	return s.c.sync(ctx, fmt.Sprintf("%s/%s", cj.Namespace, cj.Name))
}
