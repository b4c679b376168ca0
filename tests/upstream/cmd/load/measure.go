package main

import (
	"context"
	"fmt"
	"time"

	"upstream/cluster"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// meter measures on one cluster.
type meter struct {
	config  *rest.Config
	dir     string
	started int
}

// result is what one run of a controller cost.
type result struct {
	Case         string         `json:"case"`
	Controller   string         `json:"controller"`
	Pods         int64          `json:"pods"`
	Runs         int64          `json:"runs,omitempty"`
	MedianLate   float64        `json:"medianLateSeconds,omitempty"`
	HighLate     float64        `json:"p99LateSeconds,omitempty"`
	WallSeconds  float64        `json:"wallSeconds"`
	CPUSeconds   float64        `json:"cpuSeconds"`
	StartSeconds float64        `json:"startCpuSeconds,omitempty"`
	MiB          float64        `json:"rssMiB"`
	PeakMiB      float64        `json:"peakRssMiB"`
	Requests     int            `json:"requests"`
	ByVerb       map[string]int `json:"byVerb"`
	Finished     int            `json:"jobsFinished"`
	GaveUp       bool           `json:"gaveUp,omitempty"`
}

// load gives a controller Jobs to run in a namespace of their own, which is empty again afterwards.
func (m *meter) load(w work, command string) result {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	clients := kubernetes.NewForConfigOrDie(client(m.config))
	c := m.start(command, "job")
	defer c.stop()
	namespace := fmt.Sprintf("load-%d", m.started)
	_, err := clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	check(err)
	time.Sleep(2 * time.Second) // its caches fill before the clock starts
	started := c.cpuSeconds()
	nodes := &cluster.Nodes{Client: clients, Namespace: namespace, RunFor: *runFor, Fail: w.Fail}
	if *runFor > 0 {
		nodes.Count = 3
	}
	nodes.Start(ctx)

	start := time.Now()
	for i := range w.Jobs {
		_, err := clients.BatchV1().Jobs(namespace).Create(ctx, w.job(i), metav1.CreateOptions{})
		check(err)
	}
	finished := 0
	for finished < w.Jobs && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		finished = finishedJobs(ctx, clients, namespace, finished)
	}
	r := result{Controller: command, Pods: nodes.Seen(), WallSeconds: time.Since(start).Seconds(), CPUSeconds: c.cpuSeconds() - started,
		StartSeconds: started, MiB: c.mebibytes("VmRSS"), PeakMiB: c.mebibytes("VmHWM"), Finished: finished, GaveUp: finished < w.Jobs}
	r.Requests, r.ByVerb = c.requests()
	c.stop()
	cancel()
	empty(clients, namespace)
	return r
}

func finishedJobs(ctx context.Context, clients kubernetes.Interface, namespace string, before int) (finished int) {
	list, err := clients.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		return before
	}
	for i := range list.Items {
		for _, c := range list.Items[i].Status.Conditions {
			if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
				finished++
			}
		}
	}
	return finished
}

// empty leaves nothing for the next controller to see.
func empty(clients kubernetes.Interface, namespace string) {
	ctx, now, background := context.Background(), int64(0), metav1.DeletePropagationBackground
	options := metav1.DeleteOptions{GracePeriodSeconds: &now, PropagationPolicy: &background}
	check(clients.BatchV1().Jobs(namespace).DeleteCollection(ctx, options, metav1.ListOptions{}))
	check(clients.CoreV1().Pods(namespace).DeleteCollection(ctx, options, metav1.ListOptions{}))
}

func (w work) job(i int) *batchv1.Job {
	completions, parallelism, backoffLimit := int32(w.Completions), int32(w.Parallelism), int32(1<<30)
	mode := batchv1.IndexedCompletion
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("job-%d", i)},
		Spec: batchv1.JobSpec{Completions: &completions, Parallelism: &parallelism, BackoffLimit: &backoffLimit, CompletionMode: &mode,
			Template: corev1.PodTemplateSpec{Spec: podSpec()}},
	}
}

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever,
		Containers: []corev1.Container{{Name: "main", Image: "busybox", Command: []string{"true"}}}}
}
