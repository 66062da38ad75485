// Package clients tests that programs can be generated of the OpenAPI documents.
package clients

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

const (
	email    = "anna@example.org"
	password = "two unrelated words"
)

// documents are the paths of the OpenAPI documents by the names under which deploy/clients has
// them.
var documents = map[string]string{"query": "/api/openapi.json", "admin": "/api/admin/openapi.json"}

// TestGeneratedClients generates the clients of deploy/clients, compiles them and runs them: each
// releases an event and finds it.
func TestGeneratedClients(t *testing.T) {
	s := harness.Start(t)
	s.Account(t, email, password)
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	at := workshop{folder: t.TempDir(), base: s.URL()}
	if err := os.CopyFS(at.folder, os.DirFS(filepath.Join(root, "deploy", "clients"))); err != nil {
		t.Fatal(err)
	}
	for name, path := range documents {
		answer, err := s.Client.Get(t.Context(), path)
		if err != nil || answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %v", path, answer.Status, err)
		}
		for _, folder := range []string{"", "openapi-fetch"} {
			if err := os.WriteFile(filepath.Join(at.folder, folder, name+".json"), answer.Body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Run("clients", func(t *testing.T) {
		t.Run("go", func(t *testing.T) { t.Parallel(); at.inGo(t) })
		t.Run("typescript", func(t *testing.T) { t.Parallel(); at.inTypeScript(t) })
	})
}

// workshop is a copy of deploy/clients with the documents.
type workshop struct {
	folder string
	base   string // address of the stack
}

func (w workshop) inGo(t *testing.T) {
	t.Helper()
	for name := range documents {
		if err := os.MkdirAll(filepath.Join(w.folder, "oapi"+name), 0o750); err != nil {
			t.Fatal(err)
		}
		w.run(t, "", "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "oapi"+name,
			"-o", "oapi"+name+"/client.go", name+".json")
		w.run(t, "", "go", "tool", "ogen", "-config", "ogen.yml", "-package", "ogen"+name, "-target", "ogen"+name, name+".json")
	}
	// Without optimizations, compiling takes half the time.
	w.run(t, "", "go", "build", "-gcflags=litfass/deploy/clients/...=-N -l", "-o", "bin/", "./ogen", "./oapi")
	w.run(t, "", "bin/ogen")
	w.run(t, "", "bin/oapi")
}

func (w workshop) inTypeScript(t *testing.T) {
	t.Helper()
	w.run(t, "openapi-fetch", "npm", "ci", "--ignore-scripts", "--prefer-offline", "--loglevel=error")
	w.run(t, "openapi-fetch", "npm", "run", "--silent", "generate")
	w.run(t, "openapi-fetch", "npm", "run", "--silent", "build")
	w.run(t, "openapi-fetch", "node", "built/main.js")
}

// run runs a command in a folder of the workshop; it must succeed.
func (w workshop) run(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	if strings.HasPrefix(name, "bin/") {
		name = filepath.Join(w.folder, name)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = filepath.Join(w.folder, folder)
	cmd.Env = append(os.Environ(), "GOWORK=off", "BASE="+w.base, "EMAIL="+email, "PASSWORD="+password)
	if output, err := cmd.CombinedOutput(); err != nil {
		lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, bytes.Join(lines[max(0, len(lines)-30):], []byte("\n")))
	}
}
