package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell returns a process that runs a shell script in a folder of the test.
func shell(t *testing.T, script string, change func(*Spec)) *Process {
	t.Helper()
	dir := t.TempDir()
	spec := Spec{Name: "script", Command: []string{"/bin/sh", "-c", script}, Dir: dir, LogFile: filepath.Join(dir, "script.log")}
	if change != nil {
		change(&spec)
	}
	p := New(spec)
	t.Cleanup(func() { _ = p.Kill() })
	return p
}

// fileExists is a Ready that waits for a file.
func fileExists(path string) func(context.Context) error {
	return func(context.Context) error {
		_, err := os.Stat(path)
		return err
	}
}

func TestStartWaitsUntilReady(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "ready")
	p := shell(t, "echo started; touch "+mark+"; exec sleep 1000", func(s *Spec) { s.Ready = fileExists(mark) })
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !p.Running() || p.PID() == 0 {
		t.Fatal("does not run after Start")
	}
	if err := p.Start(t.Context()); err == nil {
		t.Error("a second Start of a running process is no error")
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.Running() || p.PID() != 0 || p.Failure() != nil {
		t.Errorf("after Stop: running %v, pid %d, failure %v", p.Running(), p.PID(), p.Failure())
	}
}

func TestStartAgainAfterKill(t *testing.T) {
	p := shell(t, "exec sleep 1000", nil)
	for range 3 {
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		if p.Running() || p.Failure() != nil {
			t.Fatalf("after Kill: running %v, failure %v", p.Running(), p.Failure())
		}
	}
}

func TestStartFails(t *testing.T) {
	never := func(context.Context) error { return errors.New("not yet") }
	cases := map[string]struct {
		script string
		change func(*Spec)
		want   []string
	}{
		"no such program": {"", func(s *Spec) { s.Command = []string{"/no/such/program"} }, []string{"script does not start", "/no/such/program"}},
		"ends at once":    {"echo first; echo disk full >&2; exit 3", func(s *Spec) { s.Ready = never }, []string{"script stopped: exit status 3", `"disk full"`, "script.log"}},
		"never ready": {"exec sleep 1000", func(s *Spec) { s.Ready, s.ReadyTimeout = never, 10*time.Millisecond },
			[]string{"script is not ready", "not yet"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := shell(t, c.script, c.change)
			err := p.Start(t.Context())
			if err == nil {
				t.Fatal("started")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is missing in %q", want, err)
				}
			}
			if p.Running() {
				t.Error("something was left running")
			}
		})
	}
}

func TestStopKillsWhatDoesNotStop(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "ready")
	p := shell(t, "trap '' TERM; touch "+mark+"; while :; do sleep 1; done", func(s *Spec) {
		s.Ready, s.StopTimeout = fileExists(mark), 10*time.Millisecond
	})
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "was killed") {
		t.Errorf("Stop answers %v", err)
	}
	if p.Running() {
		t.Error("still runs")
	}
}

func TestChildrenEndWithTheProcess(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "child")
	p := shell(t, "sleep 1000 & echo $! > "+mark+".new; mv "+mark+".new "+mark+"; wait", func(s *Spec) { s.Ready = fileExists(mark) })
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	child := readPID(t, mark)
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, child)
}

func TestFailureIsReported(t *testing.T) {
	reported := make(chan error, 1)
	p := shell(t, "exec sleep 1000", func(s *Spec) { s.OnFailure = func(err error) { reported <- err } })
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil { // from outside
		t.Fatal(err)
	}
	if err := <-reported; !strings.Contains(err.Error(), "script stopped: signal: killed") {
		t.Errorf("reported %q", err)
	}
	if p.Failure() == nil {
		t.Error("Failure answers nil")
	}
}

func TestLastLine(t *testing.T) {
	cases := map[string]struct{ content, want string }{
		"empty":         {"", ""},
		"blank":         {"\n \n", ""},
		"one":           {"only", "only"},
		"trailing":      {"one\ntwo\n\n", "two"},
		"far back":      {strings.Repeat("x\n", 5000) + "last\n", "last"},
		"long":          {strings.Repeat("ä", 200), strings.Repeat("ä", 120) + "..."},
		"broken letter": {"\xff\xfeend", "end"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := lastLine(path); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func readPID(t *testing.T, path string) int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// awaitGone waits until a process has ended; a zombie counts as ended.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil && syscall.Kill(pid, 0) != nil {
			return
		}
		if _, rest, found := strings.Cut(string(stat), ") "); found && strings.HasPrefix(rest, "Z") {
			return
		}
	}
	t.Fatalf("process %d still runs", pid)
}
