package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes of a process.
const (
	ExitOK          = 0
	ExitFailure     = 1
	ExitInterrupted = 130 // stopped by a second signal, without an orderly stop
)

// Coder is an error that chooses the exit code of the process.
type Coder interface {
	error
	ExitCode() int
}

// Main runs fn and ends the process. SIGINT and SIGTERM end fn's context; a second signal ends the
// process immediately with ExitInterrupted. The process exits with ExitOK when fn returns nil, or
// context.Canceled after a signal. Otherwise the error is written to standard error in one line
// after the name, and the exit code is ExitFailure or that of a Coder.
func Main(name string, fn func(ctx context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(ExitInterrupted)
	}()
	code := exitCode(ctx, os.Stderr, name, fn(ctx))
	cancel()
	os.Exit(code)
}

func exitCode(ctx context.Context, w io.Writer, name string, err error) int {
	if err == nil || (ctx.Err() != nil && errors.Is(err, context.Canceled)) {
		return ExitOK
	}
	_, _ = fmt.Fprintf(w, "%s: %v\n", name, err) // a failure cannot be reported
	var coder Coder
	if errors.As(err, &coder) {
		return coder.ExitCode()
	}
	return ExitFailure
}
