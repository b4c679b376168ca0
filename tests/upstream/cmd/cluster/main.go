// Command cluster starts a real Kubernetes API server on this machine, with nodes that play pods, and runs until it is
// stopped: etcd and kube-apiserver on loopback, nothing in containers.
//
//	cluster -bin DIR [-port N] [-nodes N] [-run-for 5s] [-fail 0.1] [-stop-on-eof] [FOLDER]
//
// When all is ready, it prints one line of JSON: {"kubeconfig":"FILE","server":"URL","folder":"FOLDER"}. On standard input it takes
// lines, and answers each with one line of JSON, {"done":"LINE"} or {"error":"why"}:
//
//	restart etcd|apiserver [DURATION]     kills the process, starts it again after that time, and waits until all is ready
//
// SIGTERM and SIGINT stop everything, and so does, with -stop-on-eof, the end of standard input. Data, logs and kubeconfig are
// in FOLDER and stay there; without one, they are in a new folder and go.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"upstream/cluster"

	"k8s.io/client-go/kubernetes"
)

var (
	bin       = flag.String("bin", "", "folder with etcd and kube-apiserver")
	port      = flag.Int("port", 0, "port of the API server (default: any free one)")
	nodes     = flag.Int("nodes", 3, "nodes that play pods; 0: pods stay pending")
	runFor    = flag.Duration("run-for", 5*time.Second, "how long a pod runs")
	fail      = flag.Float64("fail", 0, "share of pods that fail")
	stopOnEOF = flag.Bool("stop-on-eof", false, "stop when standard input ends")
)

// Processes die with the thread that started them, so that is the one that lives as long as the program.
func init() { runtime.LockOSThread() }

func main() {
	flag.Parse()
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal("cluster: ", err)
	}
}

func run() error {
	stop, release := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer release()
	folder, err := filepath.Abs(flag.Arg(0))
	if err != nil {
		return err
	}
	if flag.NArg() == 0 {
		if folder, err = os.MkdirTemp("", "jobsmith-cluster-"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	c, err := cluster.Start(cluster.Options{Bin: *bin, Dir: folder, Port: *port})
	if err != nil {
		return err
	}
	defer c.Stop()
	play(stop, c)
	printLine(map[string]string{"kubeconfig": c.Kubeconfig, "server": c.Config.Host, "folder": folder})
	log.Printf("a real API server is ready; Ctrl-C stops it\n\n    export KUBECONFIG=%s\n\n", c.Kubeconfig)
	lines := lines()
	for {
		select {
		case <-stop.Done():
			return nil
		case line, open := <-lines:
			switch {
			case open:
				answer(line, obey(c, line))
			case *stopOnEOF:
				return nil
			default:
				lines = nil
			}
		}
	}
}

func play(ctx context.Context, c *cluster.Cluster) {
	if *nodes > 0 {
		n := &cluster.Nodes{Client: kubernetes.NewForConfigOrDie(c.Config), Count: *nodes, RunFor: *runFor, Fail: *fail}
		n.Start(ctx)
	}
}

func obey(c *cluster.Cluster, line string) error {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 || words[0] != "restart" {
		return fmt.Errorf("%q is not: restart etcd|apiserver [DURATION]", line)
	}
	down := time.Duration(0)
	if len(words) == 3 {
		var err error
		if down, err = time.ParseDuration(words[2]); err != nil {
			return err
		}
	}
	return c.Restart(words[1], down)
}

func lines() <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			lines <- in.Text()
		}
	}()
	return lines
}

func answer(line string, err error) {
	if err != nil {
		printLine(map[string]string{"error": err.Error()})
		return
	}
	printLine(map[string]string{"done": line})
}

func printLine(what map[string]string) {
	if err := json.NewEncoder(os.Stdout).Encode(what); err != nil {
		log.Fatal("cluster: ", err)
	}
}
