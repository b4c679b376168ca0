// Command bench measures the binding, and prints microseconds as JSON.
//
//	bench [COMPONENT]
//
// Docs: ../../README.md. Each figure is the median of several runs.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"jobsmith.dev/controllers"
)

// parallelism is that of the large Job: so many pods are created at once, and its status is written.
const parallelism = 500

var now = time.Unix(1_790_000_000, 0)

func main() {
	log.SetFlags(0)
	options := controllers.Options{}
	if len(os.Args) > 1 {
		bytes, err := os.ReadFile(os.Args[1])
		check(err)
		options.Component = bytes
	}
	began := time.Now()
	manager, err := controllers.New(options)
	check(err)
	compile := time.Since(began)
	instantiate := median(20, func() time.Duration { return measured(func() { check(manager.Restart()) }) })
	list(manager, 1)
	text := pod()
	event := median(5000, func() time.Duration { return measured(func() { check(manager.Applied("Pod", text, now)) }) })
	commands := 0
	plan := median(20, func() time.Duration {
		check(manager.Restart())
		list(manager, parallelism)
		return measured(func() { commands = largest(manager) })
	})
	micros := func(length time.Duration) float64 { return float64(length.Nanoseconds()) / 1000 }
	printed, err := json.Marshal(map[string]any{
		"language": "go", "loadMicros": micros(compile), "instantiateMicros": micros(instantiate), "eventMicros": micros(event),
		"eventBytes": len(text), "planMicros": micros(plan), "planCommands": commands,
	})
	check(err)
	fmt.Println(string(printed))
}

// list hands over a Job with so many pods to create.
func list(manager *controllers.Controllers, pods int) {
	job := fmt.Sprintf(`{"metadata": {"name": "pi", "namespace": "default", "uid": "u1", "resourceVersion": "10", "generation": 1,
		"creationTimestamp": "2026-09-21T00:00:00Z"}, "spec": {"parallelism": %d, "completions": %[1]d, "backoffLimit": 6,
		"completionMode": "NonIndexed", "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": "u1"}}, "template": {"metadata":
		{"labels": {"batch.kubernetes.io/controller-uid": "u1"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "pi", "image": "perl"}]}}}}`, pods)
	for _, kind := range []string{"CronJob", "Job", "Pod"} {
		objects := []string{}
		if kind == "Job" {
			objects = append(objects, job)
		}
		check(manager.Listed(kind, "10", objects, now))
	}
}

// pod answers a running pod of 1.6 kB.
func pod() string {
	return `{"metadata": {"name": "pi-x", "namespace": "default", "uid": "p1", "resourceVersion": "11", "labels":
		{"batch.kubernetes.io/controller-uid": "u1"}, "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "u1",
		"controller": true}], "finalizers": ["batch.kubernetes.io/job-tracking"]}, "spec": {"containers": [{"name": "pi", "image": "` +
		strings.Repeat("perl", 300) + `"}]}, "status": {"phase": "Running"}}`
}

// largest answers how many commands the largest plan that is due has.
func largest(manager *controllers.Controllers) int {
	commands := 0
	for plan := range manager.Plans(now) {
		commands = max(commands, len(plan.Commands()))
	}
	check(manager.Err())
	return commands
}

func measured(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}

func median(runs int, run func() time.Duration) time.Duration {
	lengths := make([]time.Duration, runs)
	for number := range lengths {
		lengths[number] = run()
	}
	slices.Sort(lengths)
	return lengths[runs/2]
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
