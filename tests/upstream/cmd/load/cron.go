package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

var (
	cronJobs = flag.Int("cron-jobs", 1000, "case cron: CronJobs, each with a run every minute")
	cronRuns = flag.Int("cron-runs", 10, "case cron: for how many minutes")
)

// jobRunsFor is how long the Job of a run takes.
const jobRunsFor = time.Second

// runs are the Jobs that a controller of CronJobs has started, as a watch shows them.
type runs struct {
	mu       sync.Mutex
	lateness map[types.UID]time.Duration
}

// cron gives a controller CronJobs with a run every minute. No controller of Jobs is there: the meter finishes each Job itself, so that only CronJobs cost something.
func (m *meter) cron(command string) result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	clients := kubernetes.NewForConfigOrDie(client(m.config))
	c := m.start(command, "cronjob")
	defer c.stop()
	namespace := fmt.Sprintf("cron-%d", m.started)
	_, err := clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	check(err)
	seen := &runs{lateness: map[types.UID]time.Duration{}}
	go func() {
		for ctx.Err() == nil { // the API server ends each watch after a while
			jobs, err := clients.BatchV1().Jobs(namespace).Watch(ctx, metav1.ListOptions{})
			if err == nil {
				seen.finish(ctx, clients, jobs)
			}
		}
	}()
	afterHalfAMinute() // all CronJobs are there well before the first run
	for i := range *cronJobs {
		_, err := clients.BatchV1().CronJobs(namespace).Create(ctx, cronJob(i), metav1.CreateOptions{})
		check(err)
	}
	time.Sleep(2 * time.Second)
	started := c.cpuSeconds()
	before, _ := c.requests()
	start := time.Now()
	// The last run has half a minute to be started, finished and seen.
	time.Sleep(time.Until(start.Truncate(time.Minute).Add(time.Duration(*cronRuns)*time.Minute + 30*time.Second)))
	r := result{Controller: command, WallSeconds: time.Since(start).Seconds(), CPUSeconds: c.cpuSeconds() - started,
		StartSeconds: started, MiB: c.mebibytes("VmRSS"), PeakMiB: c.mebibytes("VmHWM")}
	r.Requests, r.ByVerb = c.requests()
	r.Requests -= before
	r.Runs, r.MedianLate, r.HighLate = seen.sum()
	r.GaveUp = r.Runs < int64(*cronJobs**cronRuns)
	c.stop()
	cancel()
	background := metav1.DeletePropagationBackground
	check(clients.BatchV1().CronJobs(namespace).DeleteCollection(context.Background(), metav1.DeleteOptions{PropagationPolicy: &background}, metav1.ListOptions{}))
	empty(clients, namespace)
	return r
}

// afterHalfAMinute waits for the first seconds of a minute, unless it is in its first half.
func afterHalfAMinute() {
	if now := time.Now(); now.Second() >= 30 {
		time.Sleep(time.Until(now.Truncate(time.Minute).Add(time.Minute + time.Second)))
	}
}

// finish notes how late each Job is, and finishes it after a second.
func (r *runs) finish(ctx context.Context, clients kubernetes.Interface, jobs watch.Interface) {
	for event := range jobs.ResultChan() {
		job, ok := event.Object.(*batchv1.Job)
		if !ok || event.Type != watch.Added {
			continue
		}
		scheduled, err := time.Parse(time.RFC3339, job.Annotations[batchv1.CronJobScheduledTimestampAnnotation])
		check(err)
		if !r.add(job.UID, time.Since(scheduled)) {
			continue
		}
		time.AfterFunc(jobRunsFor, func() {
			if err := complete(ctx, clients, job); err != nil && ctx.Err() == nil {
				check(err)
			}
		})
	}
}

// add notes how late a Job is, when it is seen for the first time.
func (r *runs) add(job types.UID, late time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.lateness[job]
	if !known {
		r.lateness[job] = late
	}
	return !known
}

// sum is how many runs there were, and by how many seconds the median and the 99th percentile of them were late.
func (r *runs) sum() (count int64, median, high float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var late []time.Duration
	for _, by := range r.lateness {
		late = append(late, by)
	}
	slices.Sort(late)
	if len(late) == 0 {
		return 0, 0, 0
	}
	return int64(len(late)), late[len(late)/2].Seconds(), late[len(late)*99/100].Seconds()
}

func cronJob(i int) *batchv1.CronJob {
	return &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("cron-%d", i)},
		Spec: batchv1.CronJobSpec{Schedule: "* * * * *", ConcurrencyPolicy: batchv1.ForbidConcurrent,
			JobTemplate: batchv1.JobTemplateSpec{Spec: work{Completions: 1, Parallelism: 1}.job(i).Spec}},
	}
}
