// Command load measures what controllers cost for the same work on a real API server. It starts etcd and an API server, then,
// for each controller in turn, nodes that start and finish pods, and Jobs to run. It prints a table that holds each controller
// against the first one: the controller's own CPU time and peak memory, the API requests that it made, and how long the Jobs took.
//
//	load -bin DIR 'reference-controller --workers 5' 'jobsmith controller --name kubernetes.io/job-controller'
//	load -bin DIR -case idle COMMAND…
//	load -bin DIR -case cron -cron-jobs 1000 -cron-runs 10 COMMAND…
//	load -bin DIR -jobs 10 -completions 1000 -parallelism 200 -fail 0.05 COMMAND…
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"upstream/cluster"

	"k8s.io/client-go/rest"
)

var (
	bin     = flag.String("bin", "", "folder with etcd and kube-apiserver")
	named   = flag.String("case", "large,many,failing", "cases, comma-separated: large, many, failing, idle, cron")
	custom  = work{Name: "custom"}
	runFor  = flag.Duration("run-for", 0, "how long a pod runs; 0: it ends in the write that starts it")
	limit   = flag.Duration("limit", 15*time.Minute, "give a controller up after")
	rounds  = flag.Int("rounds", 1, "rounds, each with every controller in turn; the table has the medians")
	asJSON  = flag.Bool("json", false, "print a line of JSON for each run instead of the table")
	logs    = flag.String("logs", os.TempDir(), "folder for the controllers' logs")
	idleOf  = flag.Int("idle-jobs", 10000, "case idle: finished Jobs in the cluster, with a pod each")
	idleFor = flag.Duration("idle-for", 5*time.Minute, "case idle: how long each controller is watched")
	settle  = flag.Duration("idle-settle", 20*time.Second, "case idle: how long it has to start before")
)

// work is the Jobs of one case.
type work struct {
	Name        string
	Jobs        int
	Completions int
	Parallelism int
	Fail        float64
}

var cases = []work{
	{Name: "large", Jobs: 1, Completions: 5000, Parallelism: 1000},
	{Name: "many", Jobs: 200, Completions: 10, Parallelism: 5},
	{Name: "failing", Jobs: 1, Completions: 5000, Parallelism: 1000, Fail: 0.1},
}

func (w work) String() string {
	text := fmt.Sprintf("%d × %d completions, parallelism %d", w.Jobs, w.Completions, w.Parallelism)
	if w.Fail > 0 {
		text += fmt.Sprintf(", %g %% of pods fail", 100*w.Fail)
	}
	return text
}

func main() {
	flag.IntVar(&custom.Jobs, "jobs", 1, "a case of your own: Jobs, all created at once")
	flag.IntVar(&custom.Completions, "completions", 1000, "a case of your own: completions of each Job")
	flag.IntVar(&custom.Parallelism, "parallelism", 100, "a case of your own: parallelism of each Job")
	flag.Float64Var(&custom.Fail, "fail", 0, "a case of your own: share of pods that fail")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("load: which controllers? Give their command lines, each as one argument")
	}
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "load")
	check(err)
	defer os.RemoveAll(dir)
	c, err := cluster.Start(cluster.Options{Bin: *bin, Dir: filepath.Join(dir, "cluster")})
	check(err)
	defer c.Stop()
	meter := &meter{config: c.Config, dir: dir}
	var table table
	for _, name := range chosen() {
		table.add(meter.runs(name))
	}
	if !*asJSON {
		table.print()
	}
}

// chosen are the names of the cases; a flag of a case of one's own chooses that one.
func chosen() []string {
	own := false
	flag.Visit(func(f *flag.Flag) { own = own || strings.HasPrefix(f.Usage, "a case of your own") })
	if own {
		return []string{custom.Name}
	}
	return strings.Split(*named, ",")
}

// runs measures every controller in every round of a case.
func (m *meter) runs(name string) (title string, results []result) {
	if name == "idle" {
		title = fmt.Sprintf("idle for %s, %d finished Jobs with a pod each", *idleFor, *idleOf)
		check(populate(context.Background(), m.config, *idleOf))
	}
	for range *rounds {
		for _, command := range flag.Args() {
			var r result
			switch name {
			case "idle":
				r = m.idle(command)
			case "cron":
				title, r = fmt.Sprintf("%d CronJobs with a run every minute, for %d minutes", *cronJobs, *cronRuns), m.cron(command)
			default:
				w := find(name)
				title, r = w.String(), m.load(w, command)
			}
			r.Case = name
			if *asJSON {
				check(json.NewEncoder(os.Stdout).Encode(r))
			} else {
				log.Printf("%s, %s: %.2f s CPU, %.0f MiB, %d requests, %.1f s", name, r.Controller, r.CPUSeconds, r.PeakMiB, r.Requests, r.WallSeconds)
			}
			results = append(results, r)
		}
	}
	return title, results
}

func find(name string) work {
	for _, w := range append(cases, custom) {
		if w.Name == name {
			return w
		}
	}
	log.Fatalf("load: there is no case %q", name)
	return work{}
}

func client(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.UserAgent = "load"
	return config
}

func check(err error) {
	if err != nil {
		log.Fatal("load: ", err)
	}
}
