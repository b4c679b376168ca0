// Plans on their way to the cluster: batch after batch, the commands of a batch side by side.
//
// Docs: [Plan]; which plan is next is decided in loop.go.

package controllers

import (
	"context"
	"log/slog"
	"sync"
)

// executor carries plans out.
type executor struct {
	cluster Cluster
	// places has as many as requests may be under way at once.
	places chan struct{}
	log    *slog.Logger
}

// execute carries out a plan batch by batch, the commands of a batch side by side, and returns an outcome for each command.
func (e executor) execute(ctx context.Context, plan *Plan) []Outcome {
	var outcomes []Outcome
	skipping := false
	for _, batch := range plan.Batches {
		if skipping {
			for range batch {
				outcomes = append(outcomes, OutcomeSkipped{})
			}
			continue
		}
		of := e.batch(ctx, batch)
		for number, command := range batch {
			if !command.Tolerated(of[number]) {
				skipping = true
				e.refused(command, of[number])
			}
		}
		outcomes = append(outcomes, of...)
	}
	return outcomes
}

func (e executor) batch(ctx context.Context, batch []Command) []Outcome {
	outcomes := make([]Outcome, len(batch))
	var sending sync.WaitGroup
	for number, command := range batch {
		e.places <- struct{}{}
		sending.Add(1)
		go func() {
			defer sending.Done()
			outcomes[number] = e.cluster.Send(ctx, command)
			<-e.places
		}()
	}
	sending.Wait()
	return outcomes
}

// refused logs a command that did not succeed. Conflicts are expected.
func (e executor) refused(command Command, outcome Outcome) {
	failed, _ := outcome.(OutcomeFailed)
	level := slog.LevelWarn
	if failed.Code == 409 {
		level = slog.LevelDebug
	}
	e.log.Log(context.Background(), level, "a request failed", "method", command.Method.HTTP(), "path", command.Path, "error", APIError(failed).Error())
}
