// Package cronjob stands in for the CronJob controller in the integration
// tests: the same names, with the work done by an external process.
package cronjob

import (
	"context"
	"fmt"
	"os"

	"upstream/external"

	batchinformers "k8s.io/client-go/informers/batch/v1"
	clientset "k8s.io/client-go/kubernetes"
)

// ControllerV2 is one external run.
type ControllerV2 struct{ process *external.Process }

// NewControllerV2 prepares the run.
func NewControllerV2(_ context.Context, _ batchinformers.JobInformer, _ batchinformers.CronJobInformer, kubeClient clientset.Interface) (*ControllerV2, error) {
	process, err := external.New(kubeClient, "cronjob")
	if err != nil {
		return nil, err
	}
	return &ControllerV2{process}, nil
}

// Run blocks until ctx ends.
func (c *ControllerV2) Run(ctx context.Context, _ int) {
	if err := c.process.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
