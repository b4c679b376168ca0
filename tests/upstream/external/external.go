// Package external runs a controller that lives in another process behind the
// Go API that the Kubernetes integration tests call.
//
// The command comes from the environment variable CONTROLLER_CMD and is split
// on spaces. It is started once for each controller that a test starts, with:
//
//	--kubeconfig FILE      where the API server of the test is
//	--controllers NAME     job or cronjob
//	--leader-elect=false
//	--metrics-addr ADDR    where GET /metrics must answer, in Prometheus text format
//
// and the controller's own settings, as the caller gives them. It must stop on
// SIGTERM. Its standard error goes to a file beside the test binary's work
// directory, named in CONTROLLER_LOGS.
package external

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"upstream/loopback"

	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Process is one run of the external controller.
type Process struct {
	args   []string
	apiURL *url.URL
	client *http.Client
	// Counter gets how far a Prometheus counter went up since the last look.
	Counter func(name string, labels map[string]string, delta float64)
}

// New prepares a run against the API server that kubeClient talks to.
func New(kubeClient clientset.Interface, controller string, settings ...string) (*Process, error) {
	rc, ok := kubeClient.BatchV1().RESTClient().(*rest.RESTClient)
	if !ok || rc == nil {
		return nil, fmt.Errorf("external controller: a real client is needed, not %T", kubeClient)
	}
	u := rc.Get().URL()
	base := &url.URL{Scheme: u.Scheme, Host: u.Host}
	return &Process{
		args:   append([]string{"--controllers", controller, "--leader-elect=false"}, settings...),
		apiURL: base,
		client: rc.Client,
	}, nil
}

var runs atomic.Int64

// Run starts the command and blocks until ctx ends and the command has stopped.
func (p *Process) Run(ctx context.Context) error {
	proxy, address, err := loopback.Serve(loopback.Proxy(p.apiURL, p.client.Transport))
	if err != nil {
		return err
	}
	defer proxy.Close()

	dir, err := os.MkdirTemp("", "external-controller")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kubeconfig := filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(kubeconfig, loopback.Kubeconfig("http://"+address, nil, ""), 0o600); err != nil {
		return err
	}
	metricsAddr, err := loopback.FreeAddress()
	if err != nil {
		return err
	}

	words := strings.Fields(os.Getenv("CONTROLLER_CMD"))
	if len(words) == 0 {
		return fmt.Errorf("external controller: CONTROLLER_CMD is not set")
	}
	args := append(words[1:], "--kubeconfig", kubeconfig, "--metrics-addr", metricsAddr)
	cmd := exec.Command(words[0], append(args, p.args...)...)
	logDir := os.Getenv("CONTROLLER_LOGS")
	if logDir == "" {
		logDir = os.TempDir()
	}
	logFile, err := os.Create(filepath.Join(logDir, fmt.Sprintf("controller-%d-%d.log", os.Getpid(), runs.Add(1))))
	if err != nil {
		return err
	}
	defer logFile.Close()
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()

	seen := map[string]float64{}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			// From here on the next controller acts, and the process needs its time to end.
			proxy.Close()
			cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-exited:
			case <-time.After(5 * time.Second):
				cmd.Process.Kill()
				<-exited
			}
			return nil
		case err := <-exited:
			return fmt.Errorf("external controller ended by itself: %v (see %s)", err, logFile.Name())
		case <-tick.C:
			if p.Counter != nil {
				p.scrape("http://"+metricsAddr+"/metrics", seen)
			}
		}
	}
}

func (p *Process) scrape(addr string, seen map[string]float64) {
	resp, err := http.Get(addr)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		series, labels, value, ok := parseSample(line)
		if !ok {
			continue
		}
		key := line[:strings.LastIndexByte(strings.TrimSpace(line), ' ')]
		if d := value - seen[key]; d > 0 {
			p.Counter(series, labels, d)
			seen[key] = value
		}
	}
}

// parseSample reads `name{a="b",c="d"} 1` (no timestamp).
func parseSample(line string) (name string, labels map[string]string, value float64, ok bool) {
	labels = map[string]string{}
	rest := line
	if i := strings.IndexByte(line, '{'); i >= 0 {
		name = line[:i]
		j := strings.LastIndexByte(line, '}')
		if j < i {
			return "", nil, 0, false
		}
		for _, kv := range strings.Split(line[i+1:j], ",") {
			k, v, found := strings.Cut(strings.TrimSpace(kv), "=")
			if !found {
				continue
			}
			labels[k] = strings.Trim(v, `"`)
		}
		rest = line[j+1:]
	} else {
		var found bool
		name, rest, found = strings.Cut(line, " ")
		if !found {
			return "", nil, 0, false
		}
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(rest), "%g", &value); err != nil {
		return "", nil, 0, false
	}
	return name, labels, value, true
}
