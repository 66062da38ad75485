package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litfass/deploy/local/proc"
)

// beacon is a program that writes a text into a file and runs until it is stopped.
const beacon = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	if err := os.WriteFile(os.Args[1], []byte(%q), 0o600); err != nil {
		panic(err)
	}
	<-stop
}
`

// workshop is a module with two programs, first and second, and their processes.
type workshop struct {
	t         *testing.T
	dir       string
	programs  Programs
	processes map[string]*proc.Process
	reports   chan error
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	w := &workshop{t: t, dir: dir, processes: map[string]*proc.Process{}, reports: make(chan error, 8)}
	w.write("go.mod", "module workshop\n\ngo 1.26\n")
	w.programs = Programs{
		Root: dir, Folder: filepath.Join(dir, ".bin"), Staging: filepath.Join(dir, ".staging"),
		Packages: []string{"./first", "./second"},
	}
	if err := os.Mkdir(w.programs.Folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second"} {
		w.write(name+"/main.go", fmt.Sprintf(beacon, "1"))
		w.processes[name] = proc.New(proc.Spec{
			Name: name, Command: []string{filepath.Join(w.programs.Folder, name), w.sign(name)},
		})
		t.Cleanup(func() { _ = w.processes[name].Kill() })
	}
	return w
}

func (w *workshop) write(path, content string) {
	w.t.Helper()
	path = filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// sign is the file that a program writes.
func (w *workshop) sign(name string) string { return filepath.Join(w.dir, ".bin", name+".sign") }

// await waits until a program has written a text.
func (w *workshop) await(name, text string) {
	w.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		content, _ := os.ReadFile(w.sign(name))
		if string(content) == text {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%s wrote %q, want %q", name, content, text)
		}
	}
}

// start builds and starts both programs and watches their source until the test ends.
func (w *workshop) start() {
	w.t.Helper()
	if replaced, err := w.programs.Update(w.t.Context()); err != nil || len(replaced) != 2 {
		w.t.Fatalf("the first build replaced %q, %v", replaced, err)
	}
	for name, process := range w.processes {
		if err := process.Start(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		w.await(name, "1")
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	watcher := Watcher{
		Folders: []string{w.dir}, Every: 10 * time.Millisecond, Update: w.programs.Update, Restart: w.restart,
		Report: func(err error) { w.reports <- err },
	}
	go func() { watcher.Run(ctx); close(ended) }()
	w.t.Cleanup(func() { cancel(); <-ended })
}

func (w *workshop) restart(ctx context.Context, name string) error {
	if err := w.processes[name].Stop(ctx); err != nil {
		return err
	}
	return w.processes[name].Start(ctx)
}

func TestChangedProgramIsRestarted(t *testing.T) {
	w := newWorkshop(t)
	w.start()
	second := w.processes["second"].PID()
	w.write("first/main.go", fmt.Sprintf(beacon, "2"))
	w.await("first", "2")
	if got := w.processes["second"].PID(); got != second || got == 0 {
		t.Errorf("the unchanged program runs as process %d, before as %d", got, second)
	}
}

func TestFailedBuildKeepsTheProgram(t *testing.T) {
	w := newWorkshop(t)
	w.start()
	first := w.processes["first"].PID()
	w.write("first/main.go", "package main\n\nfunc main() { missing() }\n")
	if err := <-w.reports; !strings.Contains(err.Error(), "main.go:3:15: undefined: missing") {
		t.Errorf("reported %q, want the compiler's output", err)
	}
	if got := w.processes["first"].PID(); got != first || got == 0 {
		t.Errorf("runs as process %d, before as %d", got, first)
	}
	w.write("first/main.go", fmt.Sprintf(beacon, "3"))
	w.await("first", "3")
}

func TestFailedRestartIsTriedAgain(t *testing.T) {
	w := newWorkshop(t)
	calls := 0
	watcher := Watcher{
		Update:  func(context.Context) ([]string, error) { calls++; return []string{"first"}[:calls%2], nil },
		Restart: func(context.Context, string) error { return fmt.Errorf("attempt %d", calls) },
		Report:  func(err error) { w.reports <- err },
	}
	due := watcher.round(t.Context(), nil)
	watcher.round(t.Context(), due)
	for _, want := range []string{"attempt 1", "attempt 2"} {
		if err := <-w.reports; err.Error() != want {
			t.Errorf("reported %q, want %q", err, want)
		}
	}
}

func TestScanSeesWhatIsCompiled(t *testing.T) {
	w := newWorkshop(t)
	before := scan([]string{w.dir})
	for _, ignored := range []string{"first/main_test.go", "first/testdata/x.go", ".git/HEAD", "first/.main.go.swp"} {
		w.write(ignored, "x")
	}
	if got := scan([]string{w.dir}); len(got) != len(before) {
		t.Errorf("scanned %v", got)
	}
	w.write("first/new.sql", "x")
	if got := scan([]string{w.dir}); len(got) != len(before)+1 {
		t.Errorf("scanned %v", got)
	}
}
