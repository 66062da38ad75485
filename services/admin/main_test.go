package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

// asProgram makes the test program behave as the service itself.
const asProgram = "LITFASS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the service as its users run it, with a database and a stream of one test.
type program struct {
	t           *testing.T
	db          *postgres.DB
	environment []string
	address     string    // where it serves
	log         io.Writer // of serve, besides the test's output; may be nil
}

func newProgram(t *testing.T) *program {
	t.Helper()
	db, database := storetest.New(t)
	config := streamtest.Config(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, db: db, address: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	p.environment = append(os.Environ(), asProgram+"=1", "LOG_FORMAT=text", "DATABASE_URL="+database,
		"NATS_URL="+config.URL, "STREAM="+config.Name, "LISTEN="+p.address)
	return p
}

func (p *program) command(args ...string) *exec.Cmd {
	command := exec.Command(os.Args[0], args...) //nolint:gosec // ourselves
	command.Env = p.environment
	return command
}

// run runs a command to its end.
func (p *program) run(stdin io.Reader, args ...string) (stdout, stderr string, exit int) {
	p.t.Helper()
	var out, errs bytes.Buffer
	command := p.command(args...)
	command.Stdin, command.Stdout, command.Stderr = stdin, &out, &errs
	var failed *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &failed) {
		p.t.Fatal(err)
	}
	return out.String(), errs.String(), command.ProcessState.ExitCode()
}

// must runs a command that must succeed and returns its output.
func (p *program) must(args ...string) string {
	p.t.Helper()
	stdout, stderr, exit := p.run(nil, args...)
	if exit != 0 {
		p.t.Fatalf("admin %s: exit %d: %s", strings.Join(args, " "), exit, stderr)
	}
	return stdout
}

// serve starts the service and waits until it is ready. The returned function stops it and checks
// that it stops well.
func (p *program) serve() (stop func()) {
	p.t.Helper()
	command := p.command("serve")
	output := p.t.Output()
	if p.log != nil {
		output = io.MultiWriter(output, p.log)
	}
	command.Stdout, command.Stderr = output, output
	if err := command.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = command.Process.Kill() })
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(20 * time.Millisecond) {
		_, err := p.get("/readyz")
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("not ready: %v", err)
		}
	}
	return func() {
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			p.t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			p.t.Errorf("the service stopped with %v", err)
		}
	}
}

// get returns the body of an answer 200; any other answer is an error.
func (p *program) get(path string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+path, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s", body)
	}
	return string(body), err
}

func TestFromEmptyToServed(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	if got := p.must("migrate"); got != "0 migrations applied, 0 value sets written\n" {
		t.Errorf("migrate: %q", got)
	}
	first := p.must("demo", "--day", "2026-11-20")
	second := p.must("demo", "--day", "2026-11-20")
	if first == second || strings.Contains(second, " 1 ") {
		t.Errorf("demo:\n%s\nagain:\n%s", first, second)
	}
	stop := p.serve()
	p.must("republish", "--kind", "lookup")
	p.must("verify")
	metrics, err := p.get("/metrics")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"litfass_relay_leader 1", "litfass_outbox_failed 0", "litfass_relay_unpublishable_total 0"} {
		if !strings.Contains(metrics, "\n"+line+"\n") {
			t.Errorf("the metrics lack %q", line)
		}
	}
	stop()
}

func TestImportReportsRefusedLines(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	file := `{"kind":"organization","uuid":"01941f29-7c00-7000-8000-00000000000a","name":"Verein"}
{"kind":"organisation"}
`
	stdout, stderr, exit := p.run(strings.NewReader(file), "import", "-")
	wantErr := "line 2: kind must be one of region, organization, venue, space, label, series, contributor, event, portal, list\nadmin: 1 lines were refused\n"
	if exit != 1 || stderr != wantErr || !strings.Contains(stdout, "organization        1        0          0        0") {
		t.Errorf("exit %d\n%s%s", exit, stdout, stderr)
	}

	name := filepath.Join(t.TempDir(), "catalogue.jsonl")
	if got := p.must("export", name); got != "1 lines written to "+name+"\n" {
		t.Errorf("export: %q", got)
	}
	if got := p.must("import", name); !strings.Contains(got, "organization        0        0          1        0") {
		t.Errorf("import of the export:\n%s", got)
	}
	written, err := os.ReadFile(name) //nolint:gosec // our own
	if err != nil || p.must("export") != string(written) || !json.Valid(written) {
		t.Errorf("the export to standard output differs from the file: %v", err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	piped := make(chan []byte)
	go func() { data, _ := os.ReadFile(pipe); piped <- data }() //nolint:gosec // our own
	p.must("export", pipe)
	if got := <-piped; !bytes.Equal(got, written) {
		t.Errorf("the pipe gave %q", got)
	}
	if left, err := filepath.Glob(name + ".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestVerifyFailsOnADifference(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	stop := p.serve()
	defer stop()
	stdout, stderr, exit := p.run(nil, "verify") // the template's value sets were never published
	if exit != 1 || !strings.Contains(stdout, "lookup languages: is missing in the stream\n") ||
		!strings.Contains(stderr, "the stream differs from the database in ") {
		t.Errorf("exit %d\n%s%s", exit, stdout, stderr)
	}
	p.must("republish")
	p.must("verify")
}

func TestMistakesOfTheCaller(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	for want, args := range map[string][]string{
		"--id needs --kind":                      {"republish", "--id", "languages"},
		`--day "today" is not a date YYYY-MM-DD`: {"demo", "--day", "today"},
		"no such file or directory":              {"import", filepath.Join(t.TempDir(), "missing")},
		"catalogue.part: no such file":           {"export", filepath.Join(t.TempDir(), "missing", "catalogue")},
		"unexpected argument nonsense":           {"nonsense"},
	} {
		if _, stderr, exit := p.run(nil, args...); exit == 0 || !strings.Contains(stderr, want) {
			t.Errorf("admin %v: exit %d: %s", args, exit, stderr)
		}
	}
	p.environment = append(p.environment, "DATABASE_URL=", "NATS_URL=")
	if _, stderr, exit := p.run(nil, "migrate"); exit == 0 || !strings.Contains(stderr, "DATABASE_URL") {
		t.Errorf("without a database: exit %d: %s", exit, stderr)
	}
}
