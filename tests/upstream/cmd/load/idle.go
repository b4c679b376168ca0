package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// idle watches a controller that has nothing to do.
func (m *meter) idle(command string) result {
	c := m.start(command, "job")
	defer c.stop()
	time.Sleep(*settle)
	started := c.cpuSeconds()
	before, _ := c.requests()
	time.Sleep(*idleFor)
	r := result{Controller: command, WallSeconds: idleFor.Seconds(), StartSeconds: started, CPUSeconds: c.cpuSeconds() - started,
		MiB: c.mebibytes("VmRSS"), PeakMiB: c.mebibytes("VmHWM")}
	r.Requests, r.ByVerb = c.requests()
	r.Requests -= before
	return r
}

// populate fills the namespace idle with finished Jobs and their pods, without any controller.
func populate(ctx context.Context, config *rest.Config, jobs int) error {
	clients := kubernetes.NewForConfigOrDie(client(config))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "idle"}}
	if _, err := clients.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	const workers = 64
	numbers, failed := make(chan int), make(chan error, workers)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for i := range numbers {
				if err := finishedJob(ctx, clients, namespace.Name, i); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	for i := range jobs {
		select {
		case numbers <- i:
		case err := <-failed:
			return err
		}
	}
	close(numbers)
	working.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// finishedJob writes a Job that is Complete, and its pod, which has succeeded.
func finishedJob(ctx context.Context, clients kubernetes.Interface, namespace string, i int) error {
	job := work{Completions: 1, Parallelism: 1}.job(i)
	job, err := clients.BatchV1().Jobs(namespace).Create(ctx, job, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := complete(ctx, clients, job); err != nil {
		return err
	}
	now := metav1.Now()
	meta := job.Spec.Template.ObjectMeta
	meta.Name = fmt.Sprintf("%s-0-abcde", job.Name)
	meta.Annotations = map[string]string{batchv1.JobCompletionIndexAnnotation: "0"}
	meta.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))}
	pod, err := clients.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{ObjectMeta: meta, Spec: podSpec()}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	pod.Status.Phase, pod.Status.StartTime = corev1.PodSucceeded, &now
	_, err = clients.CoreV1().Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

// complete writes that a Job of one index is Complete.
func complete(ctx context.Context, clients kubernetes.Interface, job *batchv1.Job) error {
	now := metav1.Now()
	job = job.DeepCopy()
	job.Status = batchv1.JobStatus{StartTime: &now, CompletionTime: &now, Succeeded: 1, CompletedIndexes: "0", Ready: new(int32), Terminating: new(int32),
		UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{}}
	for _, kind := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobComplete} {
		job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue,
			Reason: batchv1.JobReasonCompletionsReached, Message: "Reached expected number of succeeded pods", LastProbeTime: now, LastTransitionTime: now})
	}
	_, err := clients.BatchV1().Jobs(job.Namespace).UpdateStatus(ctx, job, metav1.UpdateOptions{})
	return err
}
