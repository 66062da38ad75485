package main

import (
	"context"
	"errors"
	"os"

	"litfass/deploy/local/console"
	"litfass/deploy/local/stack"
)

// verifyCommand compares all that a running stack holds.
type verifyCommand struct{}

// Run compares PostgreSQL with the stream, and then the stream with the index of every read node.
// All are compared, also after one that differs; the exit code is then 1.
func (verifyCommand) Run(_ context.Context, env *environment) error {
	nodes, err := stack.RunningInstances(env.data, stack.Projector)
	if err != nil {
		return err
	}
	screen := console.New(os.Stdout)
	var failed error
	for _, name := range append([]string{stack.Admin}, nodes...) {
		screen.Line("%s verify", name)
		err := execCommand{Service: name, Args: []string{"verify"}}.Run(env)
		var code exitError
		if err != nil && !errors.As(err, &code) {
			return err
		}
		if err != nil {
			failed = exitError(1)
		}
	}
	return failed
}
