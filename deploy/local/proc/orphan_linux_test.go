package proc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The variables that make the test program a launcher: the launcher starts one process, directly
// or as a child in a group, and has the process id written to the named file.
const (
	launcherVariable      = "PROC_TEST_LAUNCHER"
	groupLauncherVariable = "PROC_TEST_GROUP_LAUNCHER"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(launcherVariable); path != "" {
		launch(path)
		return
	}
	if path := os.Getenv(groupLauncherVariable); path != "" {
		_ = RunInGroup(exec.CommandContext(context.Background(), "sh", "-c", parent, path), time.Hour)
		return
	}
	os.Exit(m.Run())
}

func launch(path string) {
	script := "echo $$ > " + path + ".new; mv " + path + ".new " + path + "; exec sleep 1000"
	p := New(Spec{Name: "script", Command: []string{"/bin/sh", "-c", script}, Ready: fileExists(path)})
	_ = p.launch()
	<-p.Done()
}

// TestNothingOutlivesTheLauncher: kill -9 of the launcher ends the processes and groups of the
// launcher, children included.
func TestNothingOutlivesTheLauncher(t *testing.T) {
	for _, variable := range []string{launcherVariable, groupLauncherVariable} {
		t.Run(variable, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pid")
			launcher := exec.Command(os.Args[0])
			launcher.Env = append(os.Environ(), variable+"="+path)
			if err := launcher.Start(); err != nil {
				t.Fatal(err)
			}
			awaitFile(t, path)
			pid := readPID(t, path)
			if err := launcher.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = launcher.Wait() // it was killed
			awaitGone(t, pid)
		})
	}
}
