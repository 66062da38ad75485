package main

import (
	"context"
	"fmt"
	"os"

	"litfass/deploy/local/fence"
)

// fenceCommand checks which packages reach which.
type fenceCommand struct {
	Patterns []string `arg:"" help:"Packages, for example ./pkg/..."`
}

// Run prints every breach to standard error; one is enough to fail.
func (f fenceCommand) Run(ctx context.Context, env *environment) error {
	breaches, err := fence.Check(ctx, env.root, f.Patterns)
	if err != nil {
		return err
	}
	for _, breach := range breaches {
		fmt.Fprintln(os.Stderr, breach)
	}
	if len(breaches) > 0 {
		return exitError(1)
	}
	return nil
}

// unitCommand lists the packages that can be tested without engines.
type unitCommand struct {
	Patterns []string `arg:"" help:"Packages, for example ./pkg/..."`
}

// Run prints one package a line.
func (u unitCommand) Run(ctx context.Context, env *environment) error {
	packages, err := fence.UnitPackages(ctx, env.root, u.Patterns)
	if err != nil {
		return err
	}
	for _, name := range packages {
		fmt.Println(name)
	}
	return nil
}
