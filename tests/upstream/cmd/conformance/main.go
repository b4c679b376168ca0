// Command conformance runs Kubernetes' own integration suites for Jobs and
// CronJobs, against a real API server, with a controller that lives in another
// process, and prints a line for each test and the totals.
//
//	conformance -build DIR [-run PATTERN] [-suite job,cronjob] COMMAND…
//
// DIR is what ../build made. COMMAND is the controller (see external). The exit
// status is 0 where no applicable test failed.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

var (
	build    = flag.String("build", ".build", "folder with etcd and the test binaries")
	run      = flag.String("run", "", "only tests that match, as go test -run reads it")
	suites   = flag.String("suite", "job,cronjob", "suites, comma-separated")
	skipFile = flag.String("skip-file", "not-applicable.txt", "patterns of tests that do not apply")
	logs     = flag.String("logs", "", "folder for the logs (default: a new one under the system's temporary folder)")
)

func main() {
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("conformance: which controller? Give its command line")
	}
	dir, err := filepath.Abs(*build)
	check(err)
	if *logs == "" {
		*logs, err = os.MkdirTemp("", "conformance")
		check(err)
	}
	*logs, err = filepath.Abs(*logs)
	check(err)
	check(os.MkdirAll(*logs, 0o755))
	results := &results{outcomes: map[string]string{}}
	for _, suite := range strings.Split(*suites, ",") {
		results.add(suite, dir)
	}
	passed, failed, skipped := results.count("PASS"), results.count("FAIL"), results.count("SKIP")
	fmt.Printf("logs in %s\n%d passed, %d failed, %d skipped\n", *logs, passed, failed, skipped)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

// results are the outcomes of tests, PASS, FAIL or SKIP, by name and in order.
type results struct {
	outcomes map[string]string
	order    []string
}

// add runs a suite.
func (r *results) add(suite, dir string) {
	out, err := os.Create(filepath.Join(*logs, suite+".log"))
	check(err)
	defer out.Close()
	cmd := exec.Command(filepath.Join(dir, suite+".test"), arguments()...)
	cmd.Dir = *logs
	module, err := filepath.EvalSymlinks(filepath.Join(dir, "kubernetes"))
	check(err)
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"),
		// The binaries know no paths, so the suites look for their files below the folder of all modules.
		"TEST_SRCDIR="+filepath.Dir(filepath.Dir(module)), "TEST_WORKSPACE=.",
		"CONTROLLER_CMD="+command(), "CONTROLLER_LOGS="+*logs)
	cmd.Stderr = out
	pipe, err := cmd.StdoutPipe()
	check(err)
	start, before := time.Now(), r.count("FAIL")
	check(cmd.Start())
	r.read(suite, pipe, out)
	if err := cmd.Wait(); err != nil {
		fmt.Printf("# %s: %v after %.0f s, log in %s\n", suite, err, time.Since(start).Seconds(), out.Name())
		if r.count("FAIL") == before {
			// It panicked, took too long, or never began.
			r.record(suite+"/(all)", "FAIL")
		}
	}
}

// command is the controller's command line, for any working directory.
func command() string {
	words := append([]string{}, flag.Args()...)
	if strings.Contains(words[0], "/") {
		path, err := filepath.Abs(words[0])
		check(err)
		words[0] = path
	}
	return strings.Join(words, " ")
}

func arguments() []string {
	args := []string{"-test.v", "-test.timeout=60m"}
	if *run != "" {
		args = append(args, "-test.run", *run)
	}
	if skip := patterns(*skipFile); len(skip) > 0 {
		args = append(args, "-test.skip", strings.Join(skip, "|"))
	}
	return args
}

var (
	outcome = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)`)
	// begin is the line before the messages of a test.
	begin = regexp.MustCompile(`^=== (?:RUN|NAME|CONT)\s+(\S+)`)
	// message is a line that a test printed, or what follows its first line.
	message = regexp.MustCompile(`^    (\s|\w+_test\.go:\d+: )`)
)

// read reads what a suite prints, and copies it to its log. The messages of a
// test that failed are printed too: they are all that is left of a run in CI.
func (r *results) read(suite string, in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	test, messages := "", map[string]string{}
	for lines.Scan() {
		line := lines.Text()
		fmt.Fprintln(out, line)
		if m := outcome.FindStringSubmatch(line); m != nil {
			fmt.Printf("%s %s/%s (%ss)\n", m[1], suite, m[2], m[3])
			r.record(suite+"/"+m[2], m[1])
			if m[1] == "FAIL" {
				fmt.Print(messages[m[2]])
			}
		} else if m := begin.FindStringSubmatch(line); m != nil {
			test = m[1]
		} else if message.MatchString(line) {
			messages[test] += line + "\n"
		}
	}
}

func (r *results) record(name, outcome string) {
	r.outcomes[name] = outcome
	r.order = append(r.order, name)
}

// count is how many tests without parts of their own ended so.
func (r *results) count(outcome string) (n int) {
	for _, name := range r.order {
		if r.outcomes[name] == outcome && !r.hasParts(name) {
			n++
		}
	}
	return n
}

func (r *results) hasParts(name string) bool {
	for _, other := range r.order {
		if strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

func patterns(file string) (out []string) {
	b, err := os.ReadFile(file)
	check(err)
	for _, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

func check(err error) {
	if err != nil {
		log.Fatal("conformance: ", err)
	}
}
