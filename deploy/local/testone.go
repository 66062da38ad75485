package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"litfass/deploy/local/build"
	"litfass/deploy/local/console"
	"litfass/deploy/local/engine"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// testOneCommand runs the tests of one package, or of some, as a developer does after each edit.
type testOneCommand struct {
	Name     string   `name:"run" help:"A regular expression of the tests' names (default: all)."`
	Packages string   `required:"" help:"Packages, such as ./services/query/internal/filter, with spaces between them."`
	Flags    []string `arg:"" optional:"" passthrough:"" help:"Further flags of go test."`
}

// requirement is what the tests of packages need besides the compiler.
type requirement struct {
	engines engine.Need
	bundles []string // services whose scripts and styles the tests embed
}

// helpers are the packages through which tests use engines.
var helpers = map[string]engine.Need{
	"litfass/services/admin/internal/catalogue/store/storetest": {Postgres: true},
	"litfass/pkg/chassis/stream/streamtest":                     {NATS: true},
	"litfass/pkg/chassis/index/indextest":                       {Meili: true},
	"litfass/deploy/local/stack":                                {NATS: true}, // of tests of clusters
}

// requirements returns the needs of the tests of packages, by dependencies.
func requirements(dependencies []string) (r requirement) {
	for _, path := range dependencies {
		need := helpers[path]
		r.engines.Postgres = r.engines.Postgres || need.Postgres
		r.engines.NATS = r.engines.NATS || need.NATS
		r.engines.Meili = r.engines.Meili || need.Meili
		service, isAsset := strings.CutSuffix(strings.TrimPrefix(path, "litfass/services/"), "/internal/asset")
		if isAsset && !slices.Contains(r.bundles, service) {
			r.bundles = append(r.bundles, service)
		}
	}
	return r
}

// Run starts only the engines that the packages need, unless engines are kept up, and returns the
// exit code of go test. Tests that are interrupted have not passed.
func (t testOneCommand) Run(ctx context.Context, env *environment) error {
	endWithTerminal()
	dependencies, err := listDependencies(ctx, env.root, strings.Fields(t.Packages))
	if err != nil {
		return err
	}
	need := requirements(dependencies)
	progress := console.New(os.Stdout)
	for _, service := range need.bundles {
		if err := progress.Step("bundling the scripts and styles of "+service, func() error {
			return build.BundleOf(ctx, env.root, service)
		}); err != nil {
			return err
		}
	}
	if need.engines == (engine.Need{}) {
		return t.goTest(ctx, env, nil)
	}
	if kept := env.kept(); kept != nil {
		return t.goTest(ctx, env, kept)
	}
	return withEngines(ctx, env, need.engines, progress, func(s *stack.Stack, scratch string) error {
		return t.goTest(ctx, env, append(engineEnvironment(s), "TMPDIR="+scratch))
	})
}

// goTest runs go test with further variables.
func (t testOneCommand) goTest(ctx context.Context, env *environment, variables []string) error {
	args := []string{"test", "-vet=off"}
	if t.Name != "" {
		args = append(args, "-count=1", "-run", t.Name)
	}
	args = append(args, goFlags(withoutDash(t.Flags))...)
	cmd := exec.CommandContext(ctx, "go", append(args, strings.Fields(t.Packages)...)...)
	cmd.Dir = env.root
	cmd.Env = append(os.Environ(), variables...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := proc.RunInGroup(cmd, patience)
	if ctx.Err() != nil {
		return interrupted
	}
	return commandEnd(err)
}

// listDependencies returns packages with all dependencies of the packages and of their tests.
func listDependencies(ctx context.Context, root string, packages []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-deps", "-test"}, packages)...)
	cmd.Dir = root
	var said strings.Builder
	cmd.Stderr = &said
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return strings.Fields(string(output)), nil
}
