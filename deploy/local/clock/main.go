// Command clock runs another command in whose go build, go run and go test every program has a
// shifted wall clock: clock -shift 40d .local/bin/local test -- ./services/query/... for example.
//
// Programs of Node.js are shifted, too. PostgreSQL, Meilisearch, the browser and the times of files
// keep the clock of the machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	shift := flag.String("shift", "", "how far ahead the clock is: 40d, -365d or 90m")
	now := flag.String("now", "", "what the clock shows at the start: 2027-03-28T01:30:00+01:00")
	flag.Parse()
	if err := run(context.Background(), *shift, *now, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "clock:", err)
		os.Exit(1)
	}
}

// run replaces this process by the command, or returns why not.
func run(ctx context.Context, shift, now string, command []string) error {
	if len(command) == 0 {
		return errors.New("no command to run")
	}
	by, err := parse(shift, now, time.Now())
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Join(".local", "clock"))
	if err != nil {
		return err
	}
	overlay, err := writeOverlay(ctx, folder)
	if err != nil {
		return err
	}
	nats, node := filepath.Join(folder, "nats-server"), filepath.Join(folder, "date.mjs")
	if err := os.WriteFile(node, []byte(shiftedDate), 0o644); err != nil {
		return err
	}
	environment, err := environ(ctx, overlay, nats, node, by)
	if err != nil {
		return err
	}
	if err := buildNATS(ctx, nats, environment); err != nil {
		return err
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	fmt.Printf("  the clock shows %s\n", time.Now().Add(by).Format(time.RFC3339))
	return syscall.Exec(path, command, environment)
}

// parse returns the shift in whole seconds. Exactly one of shift and now must be given.
func parse(shift, now string, today time.Time) (by time.Duration, err error) {
	days, inDays := strings.CutSuffix(shift, "d")
	switch {
	case (shift == "") == (now == ""):
		return 0, errors.New("give a shift (40d, -365d, 90m) or an instant (2027-03-28T01:30:00+01:00)")
	case now != "":
		var instant time.Time
		if instant, err = time.Parse(time.RFC3339, now); err != nil {
			return 0, fmt.Errorf("not an instant with its offset: %w", err)
		}
		by = instant.Sub(today)
	case inDays:
		var number int
		if number, err = strconv.Atoi(days); err != nil {
			return 0, fmt.Errorf("not a number of days: %w", err)
		}
		by = time.Duration(number) * 24 * time.Hour
	default:
		if by, err = time.ParseDuration(shift); err != nil {
			return 0, fmt.Errorf("not a shift: %w", err)
		}
	}
	return by.Round(time.Second), nil
}

// environ returns this process's environment with the overlay, the shift, the nats-server and the
// script for Node.js. Go does not know that results of tests depend on the shift: -count=1 keeps
// the cache of results out.
func environ(ctx context.Context, overlay, nats, node string, by time.Duration) ([]string, error) {
	flags, err := setting(ctx, "GOFLAGS")
	if err != nil {
		return nil, err
	}
	return withVariables(os.Environ(), map[string]string{
		"GOFLAGS":      strings.TrimSpace(flags + " '-overlay=" + overlay + "' -count=1"),
		shiftVariable:  strconv.Itoa(int(by / time.Second)),
		"NATS_BIN":     nats,
		"NODE_OPTIONS": strings.TrimSpace(os.Getenv("NODE_OPTIONS") + " --import=" + (&url.URL{Scheme: "file", Path: node}).String()),
	}), nil
}

// withVariables returns an environment with variables in place of earlier values: of a name that
// stands twice, programs read the first value.
func withVariables(environment []string, variables map[string]string) []string {
	all := slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		_, replaced := variables[name]
		return replaced
	})
	for name, value := range variables {
		all = append(all, name+"="+value)
	}
	return all
}

// buildNATS builds the pinned nats-server, which the launcher would else build without the overlay,
// and keep.
func buildNATS(ctx context.Context, path string, environment []string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", path, "github.com/nats-io/nats-server/v2")
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building nats-server: %w", err)
	}
	return nil
}
