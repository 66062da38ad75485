// The projector keeps the indexes of one read node equal to the stream of the catalogue. It also
// has commands for operators.
package main

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"

	"litfass/services/projector/internal/node"
)

// commands are the commands of the program.
type commands struct {
	Version kong.VersionFlag `help:"Print version, commit and date of the program."`

	Serve   serveCommand   `cmd:"" default:"1" help:"Apply changes to the index. This is the default."`
	Rebuild rebuildCommand `cmd:"" help:"Build the index anew beside the old one and exchange them, while reads and changes go on."`
	Verify  verifyCommand  `cmd:"" help:"Compare the index with the stream, document by document."`
	Dead    deadCommand    `cmd:"" help:"List the changes that could not be applied, apply them again, or drop them."`
	Prune   pruneCommand   `cmd:"" help:"Delete the former index that the last rebuild has left beside the live one."`
	ReadKey readKeyCommand `cmd:"" help:"Print the key with which query services may read this index."`
}

// memoryLimit is the heap size above which the garbage collector runs more often; the whole process
// then stays below 250 MB.
const memoryLimit = 160 << 20

func main() {
	var cli commands
	command := kong.Parse(&cli, kong.Name("projector"), kong.UsageOnError(),
		kong.Vars{"version": run.ReadBuild().String()},
		kong.Description("The writer of a read node of Litfass. Configured by the environment."))
	if os.Getenv("GOMEMLIMIT") == "" { // the runtime's own variable is the operator's
		debug.SetMemoryLimit(memoryLimit)
	}
	run.Main("projector", func(ctx context.Context) error {
		command.BindTo(ctx, (*context.Context)(nil))
		return command.Run()
	})
}

// environment is the common start of all commands.
type environment struct {
	config config
	log    *slog.Logger
	index  *index.Client
}

func open() (environment, error) {
	config, err := load()
	if err != nil {
		return environment{}, err
	}
	return environment{config: config, log: config.Logger("projector"), index: index.Connect(config.Index)}, nil
}

// node returns the projector of the configured read node.
func (e environment) node(catalogue *stream.Stream, registry *prometheus.Registry) *node.Node {
	return node.New(node.Options{
		Name: e.config.ReadNode, PublicURL: e.config.PublicURL, TimeZone: e.config.TimeZone, SelfCheck: e.config.SelfCheck,
		Compaction: e.config.compaction(), Stream: catalogue, Index: e.index, Registry: registry, Log: e.log,
	})
}
