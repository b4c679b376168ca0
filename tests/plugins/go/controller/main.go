// Command controller is a controller manager for Jobs and CronJobs in Go, on plain HTTP: it passes Kubernetes' own suites.
//
// Docs: ../README.md. What it is started with is in ../../../upstream/README.md, "Conformance"; the kubeconfig is read in kubeconfig.go.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"log/slog"
	"net/http"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"jobsmith.dev/controllers"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "where the cluster is")
	metrics := flag.String("metrics-addr", "127.0.0.1:0", "where GET /metrics answers")
	flag.Bool("leader-elect", false, "ignored: there is no leader election")
	names := flag.String("controllers", "job,cronjob", "which controllers run")
	name := flag.String("name", "acme.example/jobs", "whose Jobs and CronJobs they act for")
	limits := map[string]any{
		"syncBatchPeriod":      flag.String("sync-batch-period", "1s", "how long changes of pods are collected"),
		"podFailureBackOff":    flag.String("pod-failure-backoff", "10s", "the first back-off after a failed pod"),
		"podFailureBackOffMax": flag.String("pod-failure-backoff-max", "10m0s", "the longest one"),
		"maxUncountedPods":     flag.Int("max-uncounted-pods", 500, "how many pods are counted at once"),
		"maxPodsPerSync":       flag.Int("max-pods-per-sync", 500, "how many pods are created or deleted at once"),
	}
	flag.Parse()
	config := map[string]any{"controllers": strings.Split(*names, ","), "job": map[string]any{"name": *name, "limits": limits}}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, *kubeconfig, *metrics, config); ctx.Err() == nil {
		log.Fatal(err)
	}
}

// run drives the controllers until the context is done.
func run(ctx context.Context, kubeconfig, metrics string, config any) error {
	cluster, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	text, _ := json.Marshal(config) // It cannot fail: these are strings and numbers.
	manager, err := controllers.New(controllers.Options{Config: string(text)})
	if err != nil {
		return err
	}
	defer manager.Close()
	go serve(metrics, manager)
	return (&controllers.Loop{Controllers: manager, Cluster: cluster, Observe: decided}).Run(ctx)
}

// decided logs what was decided, and why.
func decided(plan *controllers.Plan) {
	for _, decision := range plan.Decisions {
		slog.Info(decision.String(), "code", decision.Code, "object", plan.Object.Kind+" "+plan.Object.Namespace+"/"+plan.Object.Name)
	}
}

// serve serves the metrics.
func serve(address string, manager *controllers.Controllers) {
	http.HandleFunc("GET /metrics", func(writer http.ResponseWriter, _ *http.Request) {
		if families, err := manager.Metrics(time.Now()); err != nil {
			http.Error(writer, err.Error(), http.StatusServiceUnavailable)
		} else {
			_ = controllers.WriteMetrics(writer, families)
		}
	})
	log.Fatal(http.ListenAndServe(address, nil))
}
