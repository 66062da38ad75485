package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litfass/deploy/local/stack"
)

// TestVerifyComparesEveryReadNode: also those after one that differs, which makes the whole fail.
func TestVerifyComparesEveryReadNode(t *testing.T) {
	data := t.TempDir()
	lock, err := stack.TakeLock(data) // as a running stack does
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	compared := filepath.Join(data, "compared")
	program := filepath.Join(data, "program")
	script := "#!/bin/sh\necho \"$READ_NODE $*\" >> '" + compared + "'\nexit \"$EXIT\"\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		differs string
		exit    int
	}{{"none", 0}, {"projector", 1}, {"projector-3", 1}, {"admin", 1}} {
		services := map[string]any{"query": map[string]any{"program": "/none"}}
		for _, name := range []string{"admin", "projector-3", "projector", "projector-2"} {
			exit := "EXIT=0"
			if name == test.differs {
				exit = "EXIT=2"
			}
			services[name] = map[string]any{"program": program, "env": []string{"READ_NODE=" + name, exit}}
		}
		state, err := json.Marshal(map[string]any{"services": services})
		if err == nil {
			err = os.WriteFile(filepath.Join(data, "stack.json"), state, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		var code exitError
		err = verifyCommand{}.Run(t.Context(), &environment{data: data})
		if errors.As(err, &code); int(code) != test.exit || (err != nil) != (test.exit > 0) {
			t.Errorf("%s differs: %v", test.differs, err)
		}
		calls, err := os.ReadFile(compared)
		if want := "admin verify\nprojector verify\nprojector-2 verify\nprojector-3 verify\n"; string(calls) != want {
			t.Errorf("%s differs: compared %q, %v", test.differs, strings.Fields(string(calls)), err)
		}
		if err := os.Remove(compared); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVerifyNeedsARunningStack: without one there is nothing to compare, which is no success.
func TestVerifyNeedsARunningStack(t *testing.T) {
	if err := (verifyCommand{}).Run(t.Context(), &environment{data: t.TempDir()}); err == nil {
		t.Error("nothing was compared, and no error")
	}
}
