package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The variable that makes this test program a launcher, which starts one process and writes its id
// to the named file.
const launcherVariable = "PROC_TEST_LAUNCHER"

func TestMain(m *testing.M) {
	if path := os.Getenv(launcherVariable); path != "" {
		launch(path)
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

// TestNothingOutlivesTheLauncher: kill -9 of the launcher ends its processes.
func TestNothingOutlivesTheLauncher(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pid")
	launcher := exec.Command(os.Args[0])
	launcher.Env = append(os.Environ(), launcherVariable+"="+path)
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for fileExists(path)(t.Context()) != nil {
		if time.Now().After(deadline) {
			t.Fatal("the launcher does not start its process")
		}
		time.Sleep(10 * time.Millisecond)
	}
	pid := readPID(t, path)
	if err := launcher.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = launcher.Wait() // it was killed
	awaitGone(t, pid)
}
