package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
)

const (
	hotQuestions = 1000
	hotTurns     = 2 // rounds of each load
	hotLasting   = 3 * time.Second
	// Checks per second during the other loads, and in a load without any others.
	checksBeside, checksAlone = 25, 150
	checkLasting              = 15 * time.Second
)

// hotEdits are the rates of edits per second.
var hotEdits = []int{0, 1, 5, 20}

// reading repeats searches while organizers write.
type reading struct {
	*bench
	questions []question
	writes    *writes
	checker   *stale.Checker
	ask       func(context.Context) // one question of the checker
	bare      *bare
	sums      map[string]*hotSum
	order     []string // of the names in sums
}

// hotSum is the result of all rounds of one load.
type hotSum struct {
	hotRound
	rate       int
	ofQuery    bool
	made       []float64 // edits a second that were reached
	public     durations // from the answer to an edit until public answers name its position
	hits, asks float64
	cores      map[string]float64 // CPU seconds by process
}

// measureEditsBesideReads measures repeated searches while edits are made over HTTP, in turns with
// the bare engine and with a bare handler that sends the same bytes, and looks for stale answers.
func (b *bench) measureEditsBesideReads(ctx context.Context) error {
	r, err := b.newReading(ctx)
	if err != nil {
		return err
	}
	b.beside = r
	folder, err := os.MkdirTemp("", "litfass-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if r.bare, err = r.startBareCopy(ctx, folder); err != nil {
		return err
	}
	defer r.bare.stop()
	if err := r.checked(ctx, checksBeside, func() error { return r.loads(ctx) }); err != nil {
		return err
	}
	if err := r.askUntilChecked(ctx, stale.Kinds...); err != nil {
		return err
	}
	if err := r.freshnessLoads(ctx); err != nil {
		return err
	}
	if err := r.mixedLoads(ctx); err != nil {
		return err
	}
	return r.report(ctx)
}

// newReading prepares the questions, an organizer who may edit everything, and the checker.
func (b *bench) newReading(ctx context.Context) (*reading, error) {
	r := &reading{bench: b, sums: map[string]*hotSum{}}
	var searches []reference.Parameters
	for i := range int64(b.some(hotQuestions)) {
		q := b.question(200_000 + 7*i)
		r.questions = append(r.questions, q)
		p := reference.Parameters{}
		for name := range q.parameters {
			p[name] = q.parameters.Get(name)
		}
		searches = append(searches, p)
	}
	// The most frequent searches and a few of the others: preparing each of them scans all dates.
	checked := append(slices.Clone(searches[:50]), few(searches[50:], 10*max(1, b.dates/100_000))...)
	var err error
	if r.writes, r.checker, err = b.newWrites(ctx, "writing@example.org", 0, checked); err != nil {
		return nil, err
	}
	r.ask = r.checker.Ask
	r.writes.probe = b.stack.ServiceURL(stack.Query) + "/api/events?start=1999-01-01&end=1999-01-01"
	return r, nil
}

// editor returns the editor of the catalogue's entities.
func (r *reading) editor() (*stale.Editor, error) {
	editor, known := r.writes.editor.(*stale.Editor)
	if !known {
		return nil, fmt.Errorf("the edits are made by %T", r.writes.editor)
	}
	return editor, nil
}

// newWrites returns edits of the catalogue by someone who may edit everything, of at most that many
// entities of each kind (0: all), and a checker of the answers to the searches.
func (b *bench) newWrites(ctx context.Context, email string, most int, searches []reference.Parameters) (*writes, *stale.Checker, error) {
	o, err := b.newOrganizer(ctx, email, "--admin")
	if err != nil {
		return nil, nil, err
	}
	if b.book == nil {
		b.book = stale.NewBook(b.catalogue, b.stack.URL(), time.Now())
	}
	w := &writes{
		editor: stale.NewEditor(b.book, 1, slices.Concat(nouns, adjectives), most),
		client: client.New(b.stack.ServiceURL(stack.Admin), editors), token: o.token, waiting: map[*written]bool{},
	}
	return w, stale.NewChecker(b.book, client.New(b.stack.ServiceURL(stack.Query), connections), searches), nil
}

// startBareCopy starts a bare handler of the present answers to all questions.
func (r *reading) startBareCopy(ctx context.Context, folder string) (*bare, error) {
	for i, q := range r.questions {
		answer, err := r.query.Get(ctx, "/api/events?"+q.parameters.Encode())
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, bareName(i)), answer.Body, 0o600); err != nil {
			return nil, err
		}
	}
	return startBare(ctx, folder)
}

func bareName(n int) string { return fmt.Sprintf("%d.json", n) }

// loads runs all loads in turns, and then the checker with the greatest rate of edits.
func (r *reading) loads(ctx context.Context) error {
	kept := hotRequests(r.questions, "/api/events")
	copied := slices.Clone(kept)
	for i := range copied {
		copied[i].uri = "/" + bareName(i)
	}
	base := r.stack.ServiceURL(stack.Query)
	for range hotTurns {
		for _, n := range []int{8, 64} {
			at := fmt.Sprintf("%d connections", n)
			if err := r.measure(ctx, "raw engine, "+at, 0, r.writes, hot{base: r.stack.MeiliURL(), requests: r.rawRequests(r.questions), connections: n}); err != nil {
				return err
			}
			if err := r.measure(ctx, "bare Fiber handler, "+at, 0, r.writes, hot{base: r.bare.url, requests: copied, connections: n}); err != nil {
				return err
			}
			for _, rate := range hotEdits {
				if err := r.measure(ctx, hotName(rate, at), rate, r.writes, hot{base: base, requests: kept, connections: n}); err != nil {
					return err
				}
			}
		}
		for _, rate := range []int{0, 20} {
			if err := r.measure(ctx, hotName(rate, "gzip"), rate, r.writes, hot{base: base, requests: kept, connections: connections, encoding: "gzip"}); err != nil {
				return err
			}
			if err := r.measure(ctx, hotName(rate, "If-None-Match"), rate, r.writes, hot{base: base, requests: kept, connections: connections, conditional: true}); err != nil {
				return err
			}
		}
	}
	alone := hot{base: base, requests: kept, connections: 1, lasting: r.span(checkLasting)}
	return r.checked(ctx, checksAlone, func() error {
		_, err := r.writes.during(ctx, 20, func() error { _, err := alone.run(); return err })
		r.writes.taken()
		return err
	})
}

func hotName(rate int, what string) string {
	return fmt.Sprintf("%d edits/s, %s", rate, what)
}

// Loads by which freshness is measured, with 20 edits a second.
const (
	fewReaders  = "20 edits/s, hardly any readers"
	halfReaders = "20 edits/s, readers at half of capacity"
	ofTexts     = "20 edits/s of texts of events, readers at half of capacity"
)

// texts makes edits of texts of events: others also rewrite all dates of a venue or of an
// organization.
type texts struct{ *stale.Editor }

// Next returns an edit of a text.
func (t texts) Next() stale.Edit { return t.Text() }

// freshnessLoads measures edits beside hardly any readers, and beside half of the searches that the
// same connections were answered without edits.
func (r *reading) freshnessLoads(ctx context.Context) error {
	h := hot{base: r.stack.ServiceURL(stack.Query), requests: hotRequests(r.questions, "/api/events"), connections: connections}
	still := r.sums[hotName(0, "8 connections")]
	editor, err := r.editor()
	if err != nil {
		return err
	}
	of := r.writes.by(texts{editor})
	slow, half := h, h
	slow.rest = 100 * time.Millisecond
	half.rest = time.Duration(float64(connections) / still.perSecond() * float64(time.Second))
	for range hotTurns {
		if err := r.measure(ctx, fewReaders, 20, r.writes, slow); err != nil {
			return err
		}
		if err := r.measure(ctx, halfReaders, 20, r.writes, half); err != nil {
			return err
		}
		if err := r.measure(ctx, ofTexts, 20, of, half); err != nil {
			return err
		}
	}
	return nil
}

// measure runs one round of a load beside writes at a rate. Its requests are sent once before, so
// that what the round before has dropped does not count.
func (r *reading) measure(ctx context.Context, name string, rate int, w *writes, h hot) error {
	if err := h.once(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum := r.sums[name]
	if sum == nil {
		sum = &hotSum{rate: rate, ofQuery: h.base == r.stack.ServiceURL(stack.Query), cores: map[string]float64{}}
		r.sums[name], r.order = sum, append(r.order, name)
	}
	before, err := r.sight(ctx)
	if err != nil {
		return err
	}
	h.lasting, h.refusals = r.span(hotLasting), true
	var done hotRound
	made, err := w.during(ctx, rate, func() error {
		done, err = h.run()
		if err != nil {
			return err
		}
		after, err := r.sight(ctx)
		sum.see(before, after)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum.add(done)
	sum.made = append(sum.made, made)
	sum.public = append(sum.public, w.taken()...)
	return nil
}

// sight is what the processes and the query service count at a moment.
type sight struct {
	usage
	hits, misses float64
}

func (b *bench) sight(ctx context.Context) (s sight, err error) {
	if s.usage, err = b.usage(); err != nil {
		return s, err
	}
	s.hits, s.misses, err = b.cacheAnswers(ctx)
	return s, err
}

// see adds what has happened between two sights.
func (s *hotSum) see(before, after sight) {
	for name := range after.each {
		s.cores[name] += (after.each[name] - before.each[name]).Seconds()
	}
	s.hits += after.hits - before.hits
	s.asks += after.hits + after.misses - before.hits - before.misses
}

// askUntilChecked asks until answers of each kind have been checked, however short the loads were.
func (r *reading) askUntilChecked(ctx context.Context, kinds ...string) error {
	for ctx.Err() == nil {
		counts := r.checker.Counts()
		unchecked := func(kind string) bool { return counts.Checked[kind] == 0 }
		if counts.Failed > 0 || !slices.ContainsFunc(kinds, unchecked) {
			return nil
		}
		r.ask(ctx)
	}
	return ctx.Err()
}

// checked runs work while the checker asks this often a second.
func (r *reading) checked(ctx context.Context, perSecond int, work func() error) error {
	ctx, stop := context.WithCancel(ctx)
	checking := make(chan struct{})
	var over atomic.Bool
	go func() {
		defer close(checking)
		for !over.Load() && ctx.Err() == nil {
			r.ask(ctx)
			_ = pause(ctx, time.Second/time.Duration(perSecond)) // the loop looks whether ctx has ended
		}
	}()
	err := work()
	over.Store(true)
	stop()
	<-checking
	return err
}
