package controllers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The quick start runs in an empty folder, with this module in the place of the published one.
func TestQuickStart(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, _ = strings.Cut(code, "```")
	if lines := strings.Count(code, "\n"); lines > 20 {
		t.Errorf("it has %d lines", lines)
	}
	const install = "-require jobsmith.dev/controllers@v0.0.0 -replace jobsmith.dev/controllers="
	if !strings.Contains(string(readme), "go mod edit "+install) {
		t.Errorf("it does not say to install with go mod edit %s", install)
	}
	module, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	output := ""
	for _, arguments := range []string{
		"mod init example.com/quickstart", "mod edit " + install + module, "mod tidy", "run .",
	} {
		command := exec.Command("go", strings.Fields(arguments)...)
		command.Dir = folder
		printed, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", arguments, err, printed)
		}
		output = string(printed)
	}
	for _, line := range []string{"Creating 2 pods: 0 active, 2 wanted\n", "POST /api/v1/namespaces/default/pods\nPOST /api/v1/namespaces/default/pods\n"} {
		if !strings.Contains(output, line) {
			t.Errorf("it prints no %q:\n%s", line, output)
		}
	}
}
