package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"litfass/deploy/local/console"
	"litfass/deploy/local/stack"
)

// upCommand runs everything in the foreground.
type upCommand struct {
	Port   int  `env:"LITFASS_PORT" default:"8080" help:"Base port; the others follow it."`
	Watch  bool `help:"Rebuild and restart a service when its source changes."`
	Nodes  int  `name:"read-nodes" env:"READ_NODES" default:"1" help:"Read nodes, each with its own Meilisearch, projector and query service."`
	Admins int  `env:"ADMINS" default:"1" help:"Admin services."`
	Demo   bool `env:"DEMO" default:"true" negatable:"" help:"Fill an empty database with the demo catalogue."`
}

// maxInstances bounds the instances of a service on one machine.
const maxInstances = 9

// Run returns after Ctrl-C, or with an error after a part of the stack ended unexpectedly.
// Everything is stopped then.
func (u upCommand) Run(ctx context.Context, env *environment) error {
	for variable, count := range map[string]int{"READ_NODES": u.Nodes, "ADMINS": u.Admins} {
		if count < 1 || count > maxInstances {
			return fmt.Errorf("%s is %d, it must be 1 to %d", variable, count, maxInstances)
		}
	}
	endWithTerminal()
	lock, err := stack.TakeLock(env.data)
	if err != nil {
		return err
	}
	defer lock.Release()
	ports, err := stack.PortsFrom(u.Port)
	if err != nil {
		return fmt.Errorf("LITFASS_PORT: %w", err)
	}
	screen := console.New(os.Stdout)
	s, err := stack.New(ctx, stack.Options{
		Root: env.root, Data: env.data, Ports: ports, ReadNodes: u.Nodes, Admins: u.Admins,
		Demo: u.Demo, External: true, Watch: u.Watch, Console: screen,
	})
	if err != nil {
		return err
	}
	err = u.serve(ctx, s, screen)
	screen.Line("stopping")
	return errors.Join(err, s.Close())
}

// serve starts the stack and waits until it fails or ctx ends.
func (u upCommand) serve(ctx context.Context, s *stack.Stack, screen *console.Console) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go s.WatchRoom(watching)
	if err := s.Start(ctx); err != nil {
		return err
	}
	if err := s.SaveState(); err != nil {
		return err
	}
	if err := screen.Step("filling the index", func() error { return s.AwaitReady(ctx) }); err != nil {
		return err
	}
	screen.Line("%s", s.Welcome())
	if u.Watch {
		screen.Line("Services are rebuilt and restarted when their source changes.")
		go s.WatchSource(watching)
	}
	select {
	case failure := <-s.Failed():
		return failure
	case <-ctx.Done():
		return nil
	}
}

// waitUntilFree waits until the launcher that was signalled has ended.
func waitUntilFree(ctx context.Context, data string) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if stack.Holder(data) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("still stopping after a minute")
}

// execCommand runs a command of a service, e.g. "admin verify".
type execCommand struct {
	Service string   `arg:"" help:"admin, projector or query."`
	Args    []string `arg:"" optional:"" passthrough:"" help:"The command and its arguments."`
}

// Run connects the command to standard input and output and ends with its exit code.
func (e execCommand) Run(env *environment) error {
	cmd, err := stack.RunningCommand(env.data, e.Service, withoutDash(e.Args)...)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return commandEnd(cmd.Run())
}

// enginesCommand fetches the engines ahead of time.
type enginesCommand struct{}

// Run prints where each engine is.
func (enginesCommand) Run(ctx context.Context, env *environment) error {
	found, err := stack.Engines(ctx, env.root, env.data, console.New(os.Stdout))
	if err != nil {
		return err
	}
	fmt.Printf("PostgreSQL  %-8s %s\n", found.PostgresVersion, found.PostgresDir)
	fmt.Printf("NATS        %-8s %s\n", found.NATSVersion, found.NATS)
	fmt.Printf("Meilisearch %-8s %s\n", found.MeiliVersion, found.Meili)
	return nil
}
