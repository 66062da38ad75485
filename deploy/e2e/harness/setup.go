package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// Patience is the time that a test waits for a condition without progress, and maxPatience the time
// with it. Neither is a measurement.
const (
	Patience    = 2 * time.Minute
	maxPatience = 10 * time.Minute
)

// System is a running stack of one test.
type System struct {
	*stack.Stack
	Client *client.Client
}

// Seed returns the seed of a test's random draws, and logs it when the test fails.
func Seed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(1)
	if text := os.Getenv("LITFASS_E2E_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("LITFASS_E2E_SEED: %v", err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the seed was %d (LITFASS_E2E_SEED)", seed)
		}
	})
	return seed
}

// Start runs an empty stack until the test ends.
func Start(t *testing.T) *System {
	t.Helper()
	return Ready(t, Run(t, stack.Options{}))
}

// Ready waits until a stack serves its catalogue, and returns it with a client.
func Ready(t *testing.T, s *stack.Stack) *System {
	t.Helper()
	sys := &System{Stack: s, Client: client.New(s.URL(), 8)}
	sys.AwaitReady(t)
	return sys
}

// RunRaced is Run with the race detector in the services if TEST_RACE is true, as make test sets
// it: for tests of concurrent writes, of faults and of restarts. With it, the services take several
// times as long.
func RunRaced(t *testing.T, options stack.Options) *stack.Stack {
	t.Helper()
	options.Race = os.Getenv("TEST_RACE") == "true"
	return Run(t, options)
}

// Run starts a stack with its own data and stops it when the test ends. When the test fails, the
// ends of the logs are shown.
func Run(t *testing.T, options stack.Options) *stack.Stack {
	t.Helper()
	options.Scratch = true
	// All requests come from one address, and most name no language. A busy machine may take its time
	// over a read, which must not fail.
	options.Env = append([]string{"RATE_LIMITS=off", "DEFAULT_LANGUAGE=en", "QUERY_TIMEOUT=25s", "ACCESS_TOKEN_LIFETIME=3h"}, options.Env...)
	s, err := stack.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			showLogs(t, s)
		}
		wantNoDefects(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	watch(t, s)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// troubled are the lines of a log that a process writes when something is wrong.
var troubled = regexp.MustCompile(`level=(WARN|ERROR)|\[(WRN|ERR|FTL)\]| (WARN|ERROR) |(ERROR|FATAL|PANIC): `)

// showLogs shows the last warnings of each process, and its last line. It is short, since a CI
// shows the end of the output, and the findings of the test come before this.
func showLogs(t *testing.T, s *stack.Stack) {
	t.Helper()
	const warnings, width = 2, 160
	for _, name := range []string{
		stack.Admin, stack.Projector, stack.Query, stack.Site, stack.Console, stack.NATS, stack.Meili, stack.Postgres,
	} {
		content, err := os.ReadFile(s.LogFile(name))
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(content)), "\n")
		last := len(lines) - 1
		var shown []string
		for _, line := range lines[:last] {
			if troubled.MatchString(line) {
				shown = append(shown, line)
			}
		}
		shown = append(shown[max(0, len(shown)-warnings):], lines[last])
		for i, line := range shown {
			shown[i] = line[:min(len(line), width)]
		}
		t.Logf("the log of %s: its last warnings, and its end:\n%s", name, strings.Join(shown, "\n"))
	}
}

// AwaitReady waits until the index holds everything that is committed: first until the outbox is
// empty, then until the projector has applied the stream and each service and the gateway report
// that they are ready.
func (s *System) AwaitReady(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	database, err := pgx.Connect(ctx, s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(context.WithoutCancel(ctx))
	Await(t, "the outbox is empty", func() error {
		var rows int
		if err := database.QueryRow(ctx, `SELECT count(*) FROM outbox`).Scan(&rows); err != nil {
			return err
		}
		if rows > 0 {
			return fmt.Errorf("%d rows", rows)
		}
		return nil
	})
	Await(t, "the index has caught up", func() error { return s.caughtUp(ctx) })
	for _, base := range []string{s.ServiceURL(stack.Admin), s.ServiceURL(stack.Projector), s.ServiceURL(stack.Query), s.URL()} {
		Await(t, base+" is ready", func() error {
			answer, err := client.New(base, 1).Get(ctx, "/readyz")
			if err == nil && answer.Status != http.StatusOK {
				err = fmt.Errorf("%d %s", answer.Status, answer.Body)
			}
			return err
		})
	}
}

// caughtUp asks the projector for its lag.
func (s *System) caughtUp(ctx context.Context) error {
	answer, err := client.New(s.ServiceURL(stack.Projector), 1).Get(ctx, "/lag")
	if err != nil {
		return err
	}
	var lag struct {
		Pending *int `json:"pending"`
	}
	if err := json.Unmarshal(answer.Body, &lag); err != nil || answer.Status != http.StatusOK || lag.Pending == nil {
		return fmt.Errorf("GET /lag: %d %s", answer.Status, answer.Body)
	}
	if *lag.Pending > 0 {
		return fmt.Errorf("%d changes behind", *lag.Pending)
	}
	return nil
}

// Await waits until the condition holds. The test fails with the condition's last error when that
// stays the same for patience ("37 rows"), and at once when a process of the stack has ended.
func Await(t *testing.T, what string, condition func() error) {
	t.Helper()
	began := time.Now()
	for changed, last := began, ""; ; {
		err := condition()
		if err == nil {
			return
		}
		wantRunning(t)
		if err.Error() != last {
			changed, last = time.Now(), err.Error()
		}
		if time.Since(changed) > Patience || time.Since(began) > maxPatience {
			t.Fatalf("%s: still not after %s: %v", what, time.Since(began).Round(time.Second), err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// RunCommand runs a command of a service to its end and returns its output and exit code.
func (s *System) RunCommand(ctx context.Context, service string, args ...string) (output string, exit int, err error) {
	combined, err := s.Command(ctx, service, args...).CombinedOutput()
	var failure *exec.ExitError
	if errors.As(err, &failure) {
		return string(combined), failure.ExitCode(), nil
	}
	return string(combined), 0, err
}

// MustRun runs a command that must succeed.
func (s *System) MustRun(t *testing.T, service string, args ...string) string {
	t.Helper()
	output, exit, err := s.RunCommand(t.Context(), service, args...)
	if err != nil || exit != 0 {
		t.Fatalf("%s %s: exit code %d, %v\n%s", service, strings.Join(args, " "), exit, err, Tail(output))
	}
	return output
}

// Tail returns the last lines of an output.
func Tail(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "\n")
}

// ImportCatalogue runs "admin import" on the catalogue; no line may be refused.
func (s *System) ImportCatalogue(t *testing.T, c *reference.Catalogue) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.jsonl")
	if err := WriteFile(path, c); err != nil {
		t.Fatal(err)
	}
	s.MustRun(t, stack.Admin, "import", path)
}

// WriteFile writes a catalogue file.
func WriteFile(path string, c *reference.Catalogue) error {
	var lines bytes.Buffer
	if err := c.Write(&lines); err != nil {
		return err
	}
	return os.WriteFile(path, lines.Bytes(), 0o600)
}

// Verify runs both verifications; neither may find a difference.
func (s *System) Verify(t *testing.T) {
	t.Helper()
	s.MustRun(t, stack.Admin, "verify")
	s.MustRun(t, stack.Projector, "verify")
}

// Reference returns the expected catalogue, and today in the stack's time zone.
func (s *System) Reference(c *reference.Catalogue) *reference.Reference {
	return reference.New(c, s.URL(), time.Now())
}

// Berlin is the time zone that the services are configured with.
var Berlin = func() *time.Location {
	location, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return location
}()

// Today is the current day in Berlin.
func Today() string { return time.Now().In(Berlin).Format(time.DateOnly) }

// describe formats a date for messages.
func describe(d *reference.Dated) string {
	place := ""
	if v := d.Place.Venue; v != nil {
		place = fmt.Sprintf(" at %.30q in %q", v.Name, v.City)
	}
	return fmt.Sprintf("%s %s %.50q%s", d.Date.UUID, d.StartAt(), d.Event.Title, place)
}

// Address formats a query for messages, so that it can be repeated by hand.
func Address(q generate.Query) string {
	method := "GET"
	if q.Post {
		method = "POST"
	}
	return fmt.Sprintf("%s /api/events?%s", method, client.Encode(q.Parameters, q.Repeat))
}
