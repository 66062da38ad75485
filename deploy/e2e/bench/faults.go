package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

// fault is something that goes wrong for a while.
type fault struct {
	name    string
	lasting time.Duration
	begin   func(context.Context) error
	end     func(context.Context) error // what an operator, or the machine itself, does about it
}

const (
	down   = 2 * time.Second  // how long a process is missing
	frozen = 20 * time.Second // how long one is stopped by a signal, or cut off
)

// faults returns all faults of the drill.
func (d *drill) faults() []fault {
	var faults []fault
	for _, name := range []string{stack.Query, stack.Projector, stack.Admin, stack.Meili, stack.NATS, stack.Postgres} {
		process := d.stack.Process(name)
		faults = append(faults,
			fault{"kill -9 " + name, down, func(context.Context) error { return process.Kill() }, process.Start},
			fault{"stop " + name, down, process.Stop, process.Start},
			fault{
				"SIGSTOP " + name, d.span(frozen),
				func(context.Context) error { return signalFamily(process.PID(), syscall.SIGSTOP) },
				func(context.Context) error { return signalFamily(process.PID(), syscall.SIGCONT) },
			})
	}
	return append(faults,
		fault{"restart postgres", 0, d.stack.Process(stack.Postgres).Stop, d.stack.Process(stack.Postgres).Start},
		fault{"disk full for the index", d.span(frozen) / 2, d.fillDisk, d.freeDisk},
		fault{"projector and nats cut, connections ended", d.span(frozen) / 2, quick(d.cutter.cut), quick(d.cutter.mend)},
		fault{"projector and nats cut, connections silent", d.span(frozen), quick(d.cutter.hush), quick(d.cutter.mend)},
		fault{"clock an hour back: postgres and meilisearch", down, d.setClock(-time.Hour), d.setClock(0)},
		fault{"clock an hour ahead: postgres and meilisearch", down, d.setClock(time.Hour), d.setClock(0)},
	)
}

func quick(do func()) func(context.Context) error {
	return func(context.Context) error {
		do()
		return nil
	}
}

// signalFamily signals a process and its children, which PostgreSQL puts into groups of their own.
func signalFamily(pid int, signal syscall.Signal) error {
	for _, child := range children(pid) {
		_ = syscall.Kill(child, signal) // it may have ended
	}
	return syscall.Kill(pid, signal)
}

// fillDisk lets the engine write nothing beyond the beginning of a file any more, as when its disk
// were full: the limit needs no privileges, and a write beyond it fails, since the signal that
// comes with it is ignored.
func (d *drill) fillDisk(ctx context.Context) error {
	return d.limitFiles(ctx, "4096")
}

// freeDisk gives the disk back once the index is behind, and starts the engine again after a crash.
func (d *drill) freeDisk(ctx context.Context) error {
	if err := d.awaitLag(ctx); err != nil {
		return err
	}
	process := d.stack.Process(stack.Meili)
	if !process.Running() {
		return process.Start(ctx)
	}
	return d.limitFiles(ctx, "unlimited")
}

// longestLag is how long the index may keep up with the edits of a drill without a disk.
const longestLag = time.Minute

// awaitLag waits until the index lacks the changes of two seconds and more. It fails if the engine
// can write all the time.
func (d *drill) awaitLag(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, longestLag)
	defer cancel()
	projector := client.New(d.stack.ServiceURL(stack.Projector), 1)
	for {
		answer, err := projector.Get(ctx, "/lag")
		if err != nil {
			return err
		}
		var lag struct{ Pending int }
		if err := json.Unmarshal(answer.Body, &lag); err != nil {
			return err
		}
		if lag.Pending >= 2*drillEdits {
			return nil
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("the index is not behind: %s: %w", answer.Body, err)
		}
	}
}

func (d *drill) limitFiles(ctx context.Context, bytes string) error {
	pid := strconv.Itoa(d.stack.Process(stack.Meili).PID())
	output, err := exec.CommandContext(ctx, "prlimit", "--pid", pid, "--fsize="+bytes+":").CombinedOutput()
	if err != nil {
		return fmt.Errorf("prlimit: %w: %s", err, output)
	}
	return nil
}

// errNotHere means that this machine cannot inject a fault.
var errNotHere = errors.New("not tried")

// setClock returns a function that restarts PostgreSQL and Meilisearch with a shifted clock. The
// services keep theirs: they measure durations with the monotonic clock, which does not jump, and
// compare points in time only with the ones that PostgreSQL recorded.
func (d *drill) setClock(offset time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		libraries, err := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1")
		if err != nil || len(libraries) == 0 {
			return fmt.Errorf("%w: libfaketime is not installed", errNotHere)
		}
		for _, name := range []string{stack.Postgres, stack.Meili} {
			process := d.stack.Process(name)
			if err := process.Stop(ctx); err != nil {
				return err
			}
			process.Env = slices.DeleteFunc(slices.Clone(process.Env), func(variable string) bool {
				return strings.HasPrefix(variable, "LD_PRELOAD=") || strings.HasPrefix(variable, "FAKETIME")
			})
			// Waits are measured by the monotonic clock, which stays.
			process.Env = append(process.Env, "LD_PRELOAD="+libraries[0], "FAKETIME="+fmt.Sprintf("%+ds", int(offset.Seconds())), "FAKETIME_DONT_FAKE_MONOTONIC=1")
			if err := process.Start(ctx); err != nil {
				return err
			}
		}
		return d.mustDiffer(ctx, offset)
	}
}

// mustDiffer returns an error unless PostgreSQL's clock differs from ours by about an offset.
func (d *drill) mustDiffer(ctx context.Context, offset time.Duration) error {
	connection, err := pgx.Connect(ctx, d.stack.DatabaseURL())
	if err != nil {
		return err
	}
	defer connection.Close(context.WithoutCancel(ctx))
	var now time.Time
	if err := connection.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now); err != nil {
		return err
	}
	if differs := time.Until(now); (differs - offset).Abs() > time.Minute {
		return fmt.Errorf("the clock of PostgreSQL differs by %s, and not by %s", differs, offset)
	}
	return nil
}
