// Package plugins tries the binding with another component, and holds the demo to its size.
package plugins

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"jobsmith.dev/controllers"
)

// labeler is a third party's component, which runs under the binding unchanged.
const labeler = "../../../target/component/pod_labeler.wasm"

func TestOtherComponentRuns(t *testing.T) {
	bytes, err := os.ReadFile(labeler)
	if err != nil {
		t.Fatalf("%v: run `cargo xtask build`", err)
	}
	manager, err := controllers.New(controllers.Options{Component: bytes})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	now := time.Unix(1_790_000_000, 0)
	pod := `{"metadata":{"name":"a","namespace":"d","uid":"u","resourceVersion":"5"},"status":{"phase":"Succeeded"}}`
	if err := manager.Listed("Pod", "7", []string{pod}, now); err != nil {
		t.Fatal(err)
	}
	commands := 0
	for plan := range manager.Plans(now) {
		for _, command := range plan.Commands() {
			commands++
			if command.Method != controllers.MethodPatch || command.Path != "/api/v1/namespaces/d/pods/a" {
				t.Errorf("it sends %s %s", command.Method.HTTP(), command.Path)
			}
		}
	}
	if err := manager.Err(); err != nil || commands != 1 {
		t.Errorf("it sends %d commands, %v", commands, err)
	}
}

// The demo is to stay a controller that can be read at once.
func TestDemoIsSmall(t *testing.T) {
	files, err := filepath.Glob("controller/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("there is no demo", err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(text), "\n")
	}
	if lines > 150 {
		t.Errorf("it has %d lines", lines)
	}
}
