// Command bench measures a whole stack on this machine: import, freshness, search throughput
// compared with the bare engine, repeated searches while organizers write, a rebuild under reads,
// memory, editing, images and logins. On request it also overloads the stack, lets the index grow
// by edits, and lets parts of it fail under load. It prints a table and writes the same figures as
// JSON.
//
// It runs its own engines and services on free loopback ports with temporary data, and stops only
// processes that it started. Figures are comparable only within one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/console"
	"litfass/deploy/local/stack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dates := flag.Int("dates", 100_000, "how many dates the catalogue has")
	full := flag.Bool("full", false, "the catalogue uses every kind of event: series, contributors, tariffs, availability, opening hours, three languages")
	edits := flag.Int("edits", 200, "how many edits are followed from commit to search")
	parts := flag.String("parts", "freshness,throughput,edits,pages,rebuild,editing,console,images,accounts", "what is measured after the import")
	only := flag.String("only", "", "of the part drill, the faults with this text in their names")
	growth := flag.Int("growth", 20_000, "how many edits the part disk makes")
	overload := flag.Duration("overload", time.Minute, "how long the part overload sends more than can be answered")
	limit := flag.Duration("limit", 0, "how long the run may last; by default 15 minutes, and 45 for each million of dates")
	out := flag.String("out", ".local/bench.json", "where the figures are written")
	pictures := flag.String("bare", "", "only serve the files of this folder, for the part images")
	flag.Parse()
	if *pictures != "" {
		return serveBare(*pictures)
	}
	signal.Ignore(syscall.SIGXFSZ) // here and in what is started: the drill limits the engine's files
	if *limit == 0 {
		*limit = 15*time.Minute + 45*time.Minute*time.Duration(*dates)/1_000_000
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()

	b := &bench{console: console.New(os.Stderr), dates: *dates, full: *full, edits: *edits, only: *only, growth: *growth, overload: *overload, parts: strings.Split(*parts, ",")}
	b.report.Machine = machine()
	err := b.measure(ctx)
	if err != nil { // the measurements before the error are still written
		b.report.Failure = err.Error()
	}
	b.report.print(os.Stdout)
	return errors.Join(err, b.report.write(*out))
}

// bench is a run.
type bench struct {
	console      *console.Console
	dates, edits int
	full         bool // the catalogue uses every kind of event
	only         string
	growth       int // edits of the part disk
	overload     time.Duration
	parts        []string

	stack     *stack.Stack
	catalogue *reference.Catalogue
	query     *client.Client // the query service itself, without the gateway
	report    report
	beside    *reading // of the part edits, once it has run: its book knows what was edited
}

// measure starts the stack and runs one part after the other.
func (b *bench) measure(ctx context.Context) (err error) {
	if b.stack, err = stack.New(ctx, stack.Options{Console: b.console, Env: []string{
		"LOGIN_ATTEMPTS=1000000", "RATE_LIMITS=off", "WEBHOOK_NETWORKS=127.0.0.0/8",
	}}); err != nil {
		return err
	}
	defer func() {
		if closeErr := b.stack.Close(); err == nil {
			err = closeErr
		}
	}()
	if err = b.stack.Start(ctx); err != nil {
		return err
	}
	b.query = client.New(b.stack.ServiceURL(stack.Query), connections)
	b.report.Engines = b.engines()
	if err := b.run(ctx, []part{
		{"import", "import", b.measureImport},
		{"freshness", "freshness", b.measureFreshness},
		{"feed", "the change feed", b.measureFeed},
		{"hooks", "webhooks", b.measureHooks},
		{"throughput", "throughput", b.measureThroughput},
		{"edits", "edits beside reads", b.measureEditsBesideReads},
		{"pages", "pages of the site", b.measurePages},
		{"rebuild", "rebuild under reads", b.measureRebuild},
		{"disk", "disk", b.measureDisk},
		{"overload", "overload", b.measureOverload},
		{"slow", "slow clients", b.measureSlowClients},
		{"drill", "faults", b.runDrill},
	}); err != nil {
		return err
	}
	if err := b.measureMemory(); err != nil {
		return err
	}
	if err := b.run(ctx, []part{
		{"editing", "editing", b.measureEditing},
		{"console", "saves in the console", b.measureConsole},
		{"images", "pictures", b.measureImages},
		{"boxoffice", "a box office", b.measureBoxOffice},
	}); err != nil || !slices.Contains(b.parts, "accounts") {
		return err
	}
	return b.console.Step("measuring accounts", func() error { return b.measureAccounts(ctx) })
}

// part is a part of a run.
type part struct {
	name, title string
	measure     func(context.Context) error
}

// run runs the selected parts, and the import, which all of them need.
func (b *bench) run(ctx context.Context, parts []part) error {
	for _, p := range parts {
		if p.name != "import" && !slices.Contains(b.parts, p.name) {
			continue
		}
		if err := b.console.Step("measuring "+p.title, func() error { return b.measurePart(ctx, p) }); err != nil {
			return fmt.Errorf("%s: %w", p.title, err)
		}
	}
	return nil
}

// measurePart runs one part and reports the CPU time of other processes meanwhile: on a busy
// machine all figures are worse.
func (b *bench) measurePart(ctx context.Context, p part) error {
	before, err := b.usage()
	if err != nil {
		return err
	}
	if err := p.measure(ctx); err != nil {
		return err
	}
	after, err := b.usage()
	if err != nil {
		return err
	}
	b.report.add("machine", "taken by other programs during "+p.title, after.neighbours(before), "cores")
	return nil
}

func (b *bench) engines() map[string]string {
	return map[string]string{
		"PostgreSQL":  b.stack.Binaries.PostgresVersion.String(),
		"NATS":        b.stack.Binaries.NATSVersion.String(),
		"Meilisearch": b.stack.Binaries.MeiliVersion.String(),
	}
}
