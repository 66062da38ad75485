package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/propagation"
)

type engine struct {
	URL string `env:"ENGINE_URL,required"`
	Key string `env:"ENGINE_KEY,notEmpty"`
}

type config struct {
	Common
	Engine  engine
	Workers int `env:"WORKERS" envDefault:"4"`
}

func TestConfigReadsEnvironmentAndDefaults(t *testing.T) {
	got, err := configFrom(map[string]string{
		"LOG_LEVEL": "debug", "STOP_TIMEOUT": "3s", "ENGINE_URL": "http://engine", "ENGINE_KEY": "secret",
	}, config{Common: Common{Listen: ":8082"}})
	if err != nil {
		t.Fatal(err)
	}
	want := config{
		Common:  Common{LogLevel: slog.LevelDebug, LogFormat: FormatJSON, Listen: ":8082", StopTimeout: 3 * time.Second},
		Engine:  engine{URL: "http://engine", Key: "secret"},
		Workers: 4,
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestConfigNamesEveryBadVariableAndNoValue(t *testing.T) {
	_, err := configFrom[config](map[string]string{
		"LOG_LEVEL": "hunter2", "LOG_FORMAT": "hunter2", "STOP_TIMEOUT": "hunter2", "WORKERS": "hunter2", "ENGINE_KEY": "",
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"LOG_LEVEL is not valid", "LOG_FORMAT is not valid", "STOP_TIMEOUT is not valid", "WORKERS is not valid",
		"ENGINE_URL is not set", "ENGINE_KEY is empty",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%q shows a value", err)
	}
}

func TestLoggerFormats(t *testing.T) {
	for format, want := range map[Format]string{FormatJSON: `"service":"query"`, FormatText: "service=query"} {
		var out bytes.Buffer
		log := Common{LogFormat: format, LogLevel: slog.LevelInfo}.logger(&out, "query")
		log.Debug("hidden")
		log.Info("shown")
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "hidden") {
			t.Errorf("%s: %q", format, out.String())
		}
	}
}

func TestLinesOfATraceCarryItsID(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	ctx := propagation.TraceContext{}.Extract(context.Background(),
		propagation.MapCarrier{"traceparent": "00-" + id + "-00f067aa0ba902b7-01"})
	var out bytes.Buffer
	log := Common{LogFormat: FormatText}.logger(&out, "query").With("part", "http").WithGroup("group")
	log.InfoContext(ctx, "traced")
	log.InfoContext(context.Background(), "alone")
	lines := strings.Split(out.String(), "\n")
	if !strings.Contains(lines[0], "trace_id="+id) || strings.Contains(lines[1], "trace_id") {
		t.Errorf("%q", lines)
	}
}

type refusedError struct{ error }

func (refusedError) ExitCode() int { return 3 }

func TestExitCode(t *testing.T) {
	signalled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name    string
		ctx     context.Context
		err     error
		code    int
		message string
	}{
		{"success", context.Background(), nil, ExitOK, ""},
		{"stopped by a signal", signalled, fmt.Errorf("serve: %w", context.Canceled), ExitOK, ""},
		{"failure", context.Background(), errors.New("no engine"), ExitFailure, "query: no engine\n"},
		{"failure while stopping", signalled, errors.New("too slow"), ExitFailure, "query: too slow\n"},
		{"own code", context.Background(), fmt.Errorf("import: %w", refusedError{errors.New("2 lines")}), 3, "query: import: 2 lines\n"},
	} {
		var out bytes.Buffer
		if code := exitCode(test.ctx, &out, "query", test.err); code != test.code || out.String() != test.message {
			t.Errorf("%s: got %d %q, want %d %q", test.name, code, out.String(), test.code, test.message)
		}
	}
}

// recorder records the order in which the parts of a group stopped.
type recorder struct {
	mu    sync.Mutex
	order []string
}

func (r *recorder) part(name string, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		<-ctx.Done()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.order = append(r.order, name)
		return err
	}
}

func TestGroupStopsInReverseOrder(t *testing.T) {
	var r recorder
	ctx, cancel := context.WithCancel(context.Background())
	g := NewGroup(slog.New(slog.DiscardHandler), time.Minute)
	for _, name := range []string{"store", "relay", "server"} {
		g.Add(name, r.part(name, context.Canceled))
	}
	cancel()
	if err := g.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.order, " "); got != "server relay store" {
		t.Errorf("stopped in the order %q", got)
	}
}

func TestGroupFirstErrorStopsAll(t *testing.T) {
	var r recorder
	broken, late := errors.New("broken"), errors.New("late")
	g := NewGroup(slog.New(slog.DiscardHandler), time.Minute)
	g.Add("store", r.part("store", late))
	g.Add("once", func(context.Context) error { return nil })
	g.Add("relay", func(context.Context) error { return broken })
	g.Add("server", r.part("server", nil))
	err := g.Run(context.Background())
	if !errors.Is(err, broken) || !errors.Is(err, late) {
		t.Errorf("got %v, want both failures", err)
	}
	if want := "relay: broken\nstore: late"; err == nil || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestGroupEndsWhenAllPartsAreDone(t *testing.T) {
	g := NewGroup(slog.New(slog.DiscardHandler), time.Minute)
	g.Add("a", func(context.Context) error { return nil })
	g.Add("b", func(context.Context) error { return nil })
	if err := g.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestGroupGivesUpOnAPartThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	release := make(chan struct{})
	defer close(release)
	storeStopped := make(chan struct{})
	g := NewGroup(slog.New(slog.DiscardHandler), time.Millisecond)
	g.Add("store", func(ctx context.Context) error { <-ctx.Done(); close(storeStopped); return nil })
	g.Add("relay", func(context.Context) error { <-release; return nil })
	err := g.Run(ctx)
	if err == nil || !strings.Contains(err.Error(), "relay did not stop within 1ms") {
		t.Errorf("got %v", err)
	}
	<-storeStopped
}
