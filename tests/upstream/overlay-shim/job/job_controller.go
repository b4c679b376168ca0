// Package job stands in for the Job controller in the integration tests: the
// same names, with the work done by an external process.
package job

import (
	"context"
	"fmt"
	"os"
	"time"

	"upstream/external"

	batchinformers "k8s.io/client-go/informers/batch/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	basemetrics "k8s.io/component-base/metrics"
	"k8s.io/kubernetes/pkg/controller/job/metrics"
)

// The settings that the tests change.
var (
	SyncJobBatchPeriod          = time.Second
	DefaultJobApiBackOff        = time.Second
	MaxJobApiBackOff            = time.Minute
	DefaultJobPodFailureBackOff = 10 * time.Second
	MaxJobPodFailureBackOff     = 10 * time.Minute
	MaxUncountedPods            = 500
	MaxPodCreateDeletePerSync   = 500
)

// Controller is one external run.
type Controller struct{ process *external.Process }

// NewController takes the settings as they are now; Run starts the process. The
// last two are informers of the scheduling group, v1alpha2 in Kubernetes v1.36
// and v1beta1 in v1.37.
func NewController(_ context.Context, kubeClient clientset.Interface,
	_ coreinformers.PodInformer, _ batchinformers.JobInformer, _, _ any) (*Controller, error) {
	metrics.Register()
	process, err := external.New(kubeClient, "job",
		"--sync-batch-period", SyncJobBatchPeriod.String(),
		"--pod-failure-backoff", DefaultJobPodFailureBackOff.String(),
		"--pod-failure-backoff-max", MaxJobPodFailureBackOff.String(),
		"--max-uncounted-pods", fmt.Sprint(MaxUncountedPods),
		"--max-pods-per-sync", fmt.Sprint(MaxPodCreateDeletePerSync),
	)
	if err != nil {
		return nil, err
	}
	process.Counter = mirror
	return &Controller{process}, nil
}

// Run blocks until ctx ends.
func (c *Controller) Run(ctx context.Context, _ int) {
	if err := c.process.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// mirrored are the counters that the tests read, with their labels in order.
var mirrored = map[string]struct {
	vec    *basemetrics.CounterVec
	labels []string
}{
	"job_controller_jobs_finished_total":                          {metrics.JobFinishedNum, []string{"completion_mode", "result", "reason"}},
	"job_controller_jobs_by_external_controller_total":            {metrics.JobByExternalControllerTotal, []string{"controller_name"}},
	"job_controller_job_pods_finished_total":                      {metrics.JobPodsFinished, []string{"completion_mode", "result"}},
	"job_controller_pod_failures_handled_by_failure_policy_total": {metrics.PodFailuresHandledByFailurePolicy, []string{"action"}},
	"job_controller_terminated_pods_tracking_finalizer_total":     {metrics.TerminatedPodsTrackingFinalizerTotal, []string{"event"}},
	"job_controller_job_finished_indexes_total":                   {metrics.JobFinishedIndexesTotal, []string{"status", "backoffLimit"}},
	"job_controller_job_pods_creation_total":                      {metrics.JobPodsCreationTotal, []string{"reason", "status"}},
}

func mirror(name string, labels map[string]string, delta float64) {
	m, ok := mirrored[name]
	if !ok {
		return
	}
	values := make([]string, len(m.labels))
	for i, l := range m.labels {
		values[i] = labels[l]
	}
	m.vec.WithLabelValues(values...).Add(delta)
}
