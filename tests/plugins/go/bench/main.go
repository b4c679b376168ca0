// Command bench measures the binding, and prints microseconds as JSON.
//
//	bench COMPONENT < OBJECTS
//
// Docs: ../../README.md. Each figure is the median of several runs.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"jobsmith.dev/controllers"
)

// objects is what `cargo xtask bench bindings` writes.
type objects struct {
	Now        time.Time
	Job, Large string
	Pods       []string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: bench COMPONENT < OBJECTS")
	}
	component, err := os.ReadFile(os.Args[1])
	check(err)
	var given objects
	check(json.NewDecoder(os.Stdin).Decode(&given))

	options := controllers.Options{Component: component, Config: `{"controllers": ["job"]}`}
	began := time.Now()
	manager, err := controllers.New(options)
	check(err)
	load := time.Since(began)
	list := func(job string) {
		check(manager.Listed("Job", "10", []string{job}, given.Now))
		check(manager.Listed("Pod", "10", nil, given.Now))
	}
	list(given.Job)
	event := median(len(given.Pods), func(number int) time.Duration {
		return measured(func() { check(manager.Applied("Pod", given.Pods[number], given.Now)) })
	})
	commands := 0
	plan := median(20, func(int) time.Duration {
		check(manager.Restart())
		list(given.Large)
		return measured(func() {
			plan, err := manager.NextPlan(given.Now)
			check(err)
			commands = len(plan.Commands())
		})
	})
	micros := func(length time.Duration) float64 { return float64(length.Nanoseconds()) / 1000 }
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"load": micros(load), "event": micros(event), "plan": micros(plan), "commands": commands,
	}))
}

func measured(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}

func median(runs int, run func(number int) time.Duration) time.Duration {
	lengths := make([]time.Duration, runs)
	for number := range lengths {
		lengths[number] = run(number)
	}
	slices.Sort(lengths)
	return lengths[runs/2]
}

func check(err error) {
	if err != nil {
		log.Fatal(fmt.Errorf("bench: %w", err))
	}
}
