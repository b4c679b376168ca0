package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"upstream/loopback"

	"k8s.io/client-go/rest"
)

// controller is one run of a controller that reaches the API server through a proxy that counts.
type controller struct {
	cmd    *exec.Cmd
	server *http.Server
	mu     sync.Mutex
	byVerb map[string]int
}

// start runs a command as one of the controllers: job or cronjob.
func (m *meter) start(command, name string) *controller {
	c := &controller{byVerb: map[string]int{}}
	address := c.listen(m.config)
	m.started++
	kubeconfig := filepath.Join(m.dir, fmt.Sprintf("kubeconfig-%d", m.started))
	check(os.WriteFile(kubeconfig, loopback.Kubeconfig("http://"+address, nil, ""), 0o600))
	metrics, err := loopback.FreeAddress()
	check(err)
	words := strings.Fields(command)
	c.cmd = exec.Command(words[0], append(words[1:], "--kubeconfig", kubeconfig, "--controllers", name,
		"--leader-elect=false", "--metrics-addr", metrics)...)
	log, err := os.Create(filepath.Join(*logs, "load-"+filepath.Base(words[0])+".log"))
	check(err)
	defer log.Close()
	c.cmd.Stdout, c.cmd.Stderr = log, log
	check(c.cmd.Start())
	return c
}

func (c *controller) listen(config *rest.Config) (address string) {
	target, err := url.Parse(config.Host)
	check(err)
	transport, err := rest.TransportFor(config)
	check(err)
	proxy := loopback.Proxy(target, transport)
	c.server, address, err = loopback.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.byVerb[r.Method+" "+resource(r.URL)]++
		c.mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	check(err)
	return address
}

// resource is what a request is about, as in "pods", "jobs/status", "jobs (watch)".
func resource(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	name := parts[len(parts)-1]
	for i, p := range parts {
		if p == "namespaces" && i+2 < len(parts) {
			name = strings.Join(append([]string{parts[i+2]}, parts[min(i+4, len(parts)):]...), "/")
		}
	}
	if u.Query().Get("watch") != "" {
		name += " (watch)"
	}
	return name
}

// requests counts the requests of the controller, in all and by verb and resource.
func (c *controller) requests() (all int, byVerb map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	byVerb = map[string]int{}
	for verb, n := range c.byVerb {
		byVerb[verb], all = n, all+n
	}
	return all, byVerb
}

func (c *controller) stop() {
	c.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(10*time.Second, func() { c.cmd.Process.Kill() })
	defer kill.Stop()
	c.cmd.Wait()
	c.server.Close()
}

// cpuSeconds is the CPU time that the controller has used, in user and kernel mode.
func (c *controller) cpuSeconds() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	check(err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	kernel, _ := strconv.ParseFloat(fields[12], 64)
	const ticksPerSecond = 100
	return (user + kernel) / ticksPerSecond
}

// mebibytes reads a line of the controller's status: VmRSS, or VmHWM for the peak.
func (c *controller) mebibytes(line string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	check(err)
	for _, text := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(text, line+":"); ok {
			kibibytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kibibytes / 1024
		}
	}
	check(fmt.Errorf("the controller has ended: see its log in %s", *logs))
	return 0
}
