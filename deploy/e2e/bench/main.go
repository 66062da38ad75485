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
	"cmp"
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
	"litfass/deploy/e2e/stale"
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
	b := &bench{console: console.New(os.Stderr)}
	dates := flag.Int("dates", 0, "how many dates the catalogue has; by default 100000, in a small run 2000")
	parts := flag.String("parts", "", "what is measured after the import; by default "+usualParts+", in a small run everything but the drill")
	flag.BoolVar(&b.small, "small", false, "a tenth of the edits, in a tenth of the time, of a catalogue with every kind of event, without aims: only wrong answers and failed requests fail the run")
	flag.BoolVar(&b.full, "full", false, "the catalogue uses every kind of event: series, contributors, tariffs, availability, opening hours, three languages")
	flag.IntVar(&b.edits, "edits", 200, "how many edits are followed from commit to search")
	flag.StringVar(&b.only, "only", "", "of the part drill, the faults with this text in their names")
	flag.IntVar(&b.growth, "growth", 20_000, "how many edits the part disk makes")
	flag.DurationVar(&b.lasting, "lasting", 5*time.Minute, "how long hostile accounts of the part neighbours do what they do")
	flag.DurationVar(&b.overload, "overload", time.Minute, "how long the part overload sends more than can be answered")
	limit := flag.Duration("limit", 0, "how long the run may last; by default 15 minutes, and 45 for each million of dates")
	out := flag.String("out", ".local/bench.json", "where the figures are written")
	pictures := flag.String("bare", "", "only serve the files of this folder, for the part images")
	flag.Parse()
	if *pictures != "" {
		return serveBare(*pictures)
	}
	signal.Ignore(syscall.SIGXFSZ) // here and in what is started: the drill limits the engine's files
	if err := b.choose(*dates, *parts); err != nil {
		return err
	}
	if *limit == 0 {
		*limit = 15*time.Minute + 45*time.Minute*time.Duration(b.dates)/1_000_000
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	b.report.Machine, b.report.small = machine(), b.small
	err := b.measure(ctx)
	err = errors.Join(append(b.report.wrong, err)...)
	if err != nil { // the measurements before the error are still written
		b.report.Failure = err.Error()
	}
	b.report.print(os.Stdout)
	return errors.Join(err, b.report.write(*out))
}

// usualParts are measured unless others are named.
const usualParts = "freshness,throughput,edits,pages,rebuild,editing,console,images,accounts"

// drillPart is a run without other parts: the checker must know every edit.
const drillPart = "drill"

// choose sets the size of the catalogue and the parts; 0 and "" are the defaults.
func (b *bench) choose(dates int, parts string) error {
	b.dates, b.parts = cmp.Or(dates, 100_000), strings.Split(cmp.Or(parts, usualParts), ",")
	var known []string
	for _, p := range b.all() {
		known = append(known, p.name)
	}
	if b.small {
		b.dates, b.full = cmp.Or(dates, 2000), true
		if parts == "" {
			b.parts = slices.DeleteFunc(slices.Clone(known), func(name string) bool { return name == drillPart })
		}
	}
	for _, name := range b.parts {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no part %s: %s", name, strings.Join(known, ","))
		}
	}
	return nil
}

// bench is a run.
type bench struct {
	console      *console.Console
	dates, edits int
	small        bool // every load is short, see span and some
	full         bool // the catalogue uses every kind of event
	only         string
	growth       int // edits of the part disk
	overload     time.Duration
	lasting      time.Duration // of the part neighbours
	parts        []string

	stack     *stack.Stack
	catalogue *reference.Catalogue
	query     *client.Client // the query service itself, without the gateway
	report    report
	book      *stale.Book // what was edited, by any part with a checker or an editor of it
	beside    *reading    // of the part edits, once it has run
}

// span returns how long a load lasts: in a small run a tenth of the usual time.
func (b *bench) span(usual time.Duration) time.Duration {
	if b.small {
		return usual / 10
	}
	return usual
}

// some returns how many there are of something: in a small run a tenth of the usual number.
func (b *bench) some(usual int) int {
	if b.small {
		return max(1, usual/10)
	}
	return usual
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
	return b.run(ctx)
}

// part is a part of a run.
type part struct {
	name, title string
	measure     func(context.Context) error
	always      bool // all others need it, or cost it nothing
	apart       bool // it runs a stack of its own
}

// all returns all parts in their order. The checker of edits and pages does not know the edits of
// other parts: parts with edits come later.
func (b *bench) all() []part {
	return []part{
		{name: "import", title: "import", measure: b.measureImport, always: true},
		{name: "freshness", title: "freshness", measure: b.measureFreshness},
		{name: "throughput", title: "throughput", measure: b.measureThroughput},
		{name: "edits", title: "edits beside reads", measure: b.measureEditsBesideReads},
		{name: "pages", title: "pages of the site", measure: b.measurePages},
		{name: "rebuild", title: "rebuild under reads", measure: b.measureRebuild},
		{name: "disk", title: "disk", measure: b.measureDisk},
		{name: "feed", title: "the change feed", measure: b.measureFeed},
		{name: "large", title: "large events", measure: b.measureLarge},
		{name: "hooks", title: "webhooks", measure: b.measureHooks},
		{name: "overload", title: "overload", measure: b.measureOverload},
		{name: "slow", title: "slow clients", measure: b.measureSlowClients},
		{name: drillPart, title: "faults", measure: b.runDrill},
		{name: "memory", title: "memory", measure: b.measureMemory, always: true},
		{name: "editing", title: "editing", measure: b.measureEditing},
		{name: "console", title: "saves in the console", measure: b.measureConsole},
		{name: "images", title: "pictures", measure: b.measureImages},
		{name: "boxoffice", title: "a box office", measure: b.measureBoxOffice},
		{name: "neighbours", title: "accounts next to hostile ones", measure: b.measureNeighbours, apart: true},
		{name: "accounts", title: "accounts", measure: b.measureAccounts, apart: true},
	}
}

// run runs the selected parts.
func (b *bench) run(ctx context.Context) error {
	for _, p := range b.all() {
		if !p.always && !slices.Contains(b.parts, p.name) {
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
	if p.apart {
		return p.measure(ctx)
	}
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
