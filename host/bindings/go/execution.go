// Plans on their way to the cluster: batch after batch, the commands of a batch in parallel.
//
// Docs: [Plan]; which plan is next is decided in loop.go.

package controllers

import (
	"context"
	"log/slog"
	"slices"
	"sync"
)

// executor carries plans out.
type executor struct {
	cluster Cluster
	// places has as many as requests may be under way at once.
	places chan struct{}
	log    *slog.Logger
}

// execute carries out a plan batch by batch, the commands of a batch in parallel, and returns an outcome for each command.
func (e executor) execute(ctx context.Context, plan *Plan) []Outcome {
	var outcomes []Outcome
	var succeeded []bool
	for _, batch := range plan.Batches {
		of := e.batch(ctx, batch, succeeded)
		for number, command := range batch {
			tolerated := command.Tolerated(of[number])
			if failed, ok := of[number].(OutcomeFailed); ok && !tolerated {
				e.refused(command, failed)
			}
			succeeded = append(succeeded, tolerated)
		}
		outcomes = append(outcomes, of...)
	}
	return outcomes
}

// batch sends the commands of a batch that may run; before has, for each command of the batches before it, whether it succeeded.
func (e executor) batch(ctx context.Context, batch []Command, before []bool) []Outcome {
	outcomes := make([]Outcome, len(batch))
	var sending sync.WaitGroup
	for number, command := range batch {
		if !mayRun(command, before) {
			outcomes[number] = OutcomeSkipped{}
			continue
		}
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

// mayRun returns whether all that a command depends on succeeded.
func mayRun(command Command, before []bool) bool {
	if command.After == nil {
		return !slices.Contains(before, false)
	}
	after := int(*command.After)
	return after < len(before) && before[after]
}

// refused logs a command that did not succeed. Conflicts are expected.
func (e executor) refused(command Command, failed OutcomeFailed) {
	level := slog.LevelWarn
	if failed.Code == 409 {
		level = slog.LevelDebug
	}
	e.log.Log(context.Background(), level, "a request failed", "method", command.Method.HTTP(), "path", command.Path, "error", APIError(failed).Error())
}
