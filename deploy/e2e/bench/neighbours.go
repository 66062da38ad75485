package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
)

const (
	ordinaryAccounts, hostileAccounts = 20, 10

	ordinaryPause  = 3 * time.Second // of an ordinary account between two edits
	aloneLasting   = 30 * time.Second
	probeRest      = 20 * time.Millisecond
	visitors       = 4 // connections
	visitorRest    = 20 * time.Millisecond
	visitorQueries = 400
)

// memoryLimits are those of the containers in the Kubernetes manifests, in MiB.
var memoryLimits = []struct {
	process string
	mebi    float64
}{{stack.Admin, 256}, {stack.Projector, 512}, {stack.Query, 256}, {stack.Site, 192}, {stack.Console, 320}, {stack.NATS, 512}, {stack.Meili, 4096}}

// neighbourhood is a stack of its own on which ordinary accounts edit and visitors search, first
// alone and then next to hostile accounts.
type neighbourhood struct {
	*bench
	ordinary []*resident
	hostile  []*hostile
	edits    *writes // only its positions
	failed   failure
	titles   atomic.Int64
	refused  atomic.Int64 // edits of ordinary accounts that were answered with 503 first
}

// resident is an account with an event of its own.
type resident struct {
	*organizer
	number int
	venue  string
	event  string
}

// measureNeighbours measures how soon edits of ordinary accounts are public, and how fast searches
// are, while other accounts ask for what costs the services most. Rate limits apply to all
// accounts as in production; each account has an address of its own.
func (b *bench) measureNeighbours(ctx context.Context) (err error) {
	s, err := stack.New(ctx, stack.Options{Env: []string{
		"LOGIN_ATTEMPTS=1000000", "LIMITS=GET /api/events=off,GET /api/events/type-summary=off", "TRUSTED_PROXIES=127.0.0.0/8", "IMPORT_NETWORKS=127.0.0.0/8",
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Start(ctx); err != nil {
		return err
	}
	own := &bench{console: b.console, dates: b.dates, small: b.small, full: true, stack: s, query: client.New(s.ServiceURL(stack.Query), connections)}
	n := &neighbourhood{bench: own, edits: &writes{
		waiting: map[*written]bool{}, probe: s.ServiceURL(stack.Query) + "/api/events?start=1999-01-01&end=1999-01-01",
	}}
	if err := n.measureImport(ctx); err != nil {
		return err
	}
	if err := n.settleIn(ctx); err != nil {
		return err
	}
	defer n.leave()
	return n.compare(ctx, &b.report, b.span(b.lasting))
}

// settleIn creates the accounts.
func (n *neighbourhood) settleIn(ctx context.Context) error {
	for number := range ordinaryAccounts {
		r, err := n.newResident(ctx, number, "ordinary")
		if err != nil {
			return err
		}
		n.ordinary = append(n.ordinary, r)
	}
	for number := range hostileAccounts {
		r, err := n.newResident(ctx, ordinaryAccounts+number, "hostile")
		if err != nil {
			return err
		}
		h, err := n.newHostile(ctx, r)
		if err != nil {
			return err
		}
		n.hostile = append(n.hostile, h)
	}
	return n.stack.AwaitReady(ctx)
}

// newResident creates an account with an organization, a venue and a public event.
func (n *neighbourhood) newResident(ctx context.Context, number int, kind string) (*resident, error) {
	o, err := n.newOrganizer(ctx, fmt.Sprintf("%s%d@example.org", kind, number))
	if err != nil {
		return nil, err
	}
	o.address = fmt.Sprintf("10.1.0.%d", 1+number)
	venue, err := o.addVenue(ctx, fmt.Sprintf("Haus %d", number))
	if err != nil {
		return nil, err
	}
	m := &maker{Rand: rand.New(rand.NewPCG(5, uint64(number))), today: time.Now()}
	var event created
	err = o.write(ctx, http.MethodPost, "/api/admin/event/create", map[string]any{
		"org_uuid": o.org, "venue_uuid": venue, "title": m.sentence(4), "description": m.sentence(80), "release_status": "released",
		"dates": []any{map[string]any{"start_date": time.Now().AddDate(0, 0, 7+number).Format(time.DateOnly), "start_time": "19:30"}},
	}, &event)
	return &resident{o, number, venue, event.UUID}, err
}

// leave ends what hostile accounts hold.
func (n *neighbourhood) leave() {
	for _, h := range n.hostile {
		h.server.Close()
	}
}

// ordinaryLife is what ordinary accounts and visitors saw during some time.
type ordinaryLife struct {
	public   durations // from the answer to an edit until a search has it
	position durations // until public answers name its position: that of everything before it, too
	answered durations // edits
	search   hotRound
}

// compare measures ordinary accounts and visitors alone, and next to hostile accounts.
func (n *neighbourhood) compare(ctx context.Context, r *report, lasting time.Duration) error {
	engine := index.Connect(index.Config{URL: n.stack.MeiliURL(), Key: n.stack.MeiliKey()})
	alone, err := n.live(ctx, func() error { return pause(ctx, min(lasting, aloneLasting)) })
	if err != nil {
		return err
	}
	before, err := n.sizes(ctx, engine)
	if err != nil {
		return err
	}
	beside, err := n.live(ctx, func() error { return n.harass(ctx, lasting) })
	if err != nil {
		return err
	}
	n.reportLives(r, alone, beside)
	if err := n.reportMemory(r); err != nil {
		return err
	}
	during, err := n.sizes(ctx, engine)
	if err != nil {
		return err
	}
	if err := n.cleanUp(ctx); err != nil {
		return err
	}
	after, err := n.sizes(ctx, engine)
	if err != nil {
		return err
	}
	for i, name := range []string{"index in use", "database", "streams"} {
		r.add("neighbours", name+", before", megabytes(before[i]), "MB")
		r.add("neighbours", name+", with what hostile accounts wrote", megabytes(during[i]), "MB")
		r.add("neighbours", name+", after their deletion", megabytes(after[i]), "MB")
	}
	return nil
}

// live has ordinary accounts edit and visitors search until work returns.
func (n *neighbourhood) live(ctx context.Context, work func() error) (ordinaryLife, error) {
	var life ordinaryLife
	var questions []question
	for i := range int64(visitorQueries) {
		questions = append(questions, n.question(500_000+i))
	}
	h := hot{
		base: n.stack.ServiceURL(stack.Query), requests: hotRequests(questions, "/api/events"), connections: visitors,
		lasting: 24 * time.Hour, rest: visitorRest, refusals: true, over: &atomic.Bool{},
	}
	editing, stop := context.WithCancel(ctx)
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	go n.edits.watch(watching)
	var group sync.WaitGroup
	var mutex sync.Mutex
	for _, o := range n.ordinary {
		group.Go(func() {
			answered, public := n.keepEditing(editing, o)
			mutex.Lock()
			defer mutex.Unlock()
			life.answered = append(life.answered, answered...)
			life.public = append(life.public, public...)
		})
	}
	worked := make(chan error, 1)
	go func() {
		worked <- work()
		h.over.Store(true)
	}()
	var err error
	life.search, err = h.run()
	err = errors.Join(err, <-worked)
	stop()
	group.Wait()
	n.edits.settle(ctx)
	life.position = n.edits.taken()
	return life, errors.Join(err, n.failed.err())
}

// keepEditing changes the title of an account's event again and again.
func (n *neighbourhood) keepEditing(ctx context.Context, r *resident) (answered, public durations) {
	for ctx.Err() == nil {
		title, began := fmt.Sprintf("Neu %d", n.titles.Add(1)), time.Now()
		position, err := n.retitled(ctx, r, title)
		sent := time.Now()
		if err == nil {
			answered = append(answered, sent.Sub(began))
			n.edits.wait(position)
			err = n.awaitTitle(ctx, r, title)
		}
		switch {
		case err == nil:
			public = append(public, time.Since(sent))
		case ctx.Err() == nil:
			n.failed.note(err)
			return answered, public
		}
		_ = pause(ctx, ordinaryPause) // the loop ends with ctx
	}
	return answered, public
}

// awaitTitle waits until a search finds the event with its title.
func (n *neighbourhood) awaitTitle(ctx context.Context, r *resident, title string) error {
	for {
		answer, err := n.query.Get(ctx, "/api/events?limit=5&org_uuids="+r.org)
		if err != nil {
			return err
		}
		if bytes.Contains(answer.Body, []byte(`"`+title+`"`)) {
			return nil
		}
		if err := pause(ctx, probeRest); err != nil {
			return err
		}
	}
}

// retitled edits a title, again after a 503, and returns the position of the edit.
func (n *neighbourhood) retitled(ctx context.Context, r *resident, title string) (position uint64, err error) {
	for {
		answer, err := r.ask(ctx, http.MethodPatch, "/api/admin/event/"+r.event, map[string]any{"title": title})
		switch {
		case err != nil:
			return 0, err
		case answer.Status == http.StatusOK:
			return client.Position(answer.Header), nil
		case answer.Status != http.StatusServiceUnavailable:
			return 0, fmt.Errorf("an ordinary edit: %d %.300s", answer.Status, answer.Body)
		}
		n.refused.Add(1)
		if err := pause(ctx, retryRest); err != nil {
			return 0, err
		}
	}
}

func (n *neighbourhood) reportLives(r *report, alone, beside ordinaryLife) {
	const part = "neighbours"
	r.add(part, "ordinary edits alone, answered, p99", alone.answered.percentile(99), "ms")
	r.add(part, "ordinary edits alone, public, p50", alone.public.percentile(50), "ms")
	r.add(part, "ordinary edits alone, public, p99", alone.public.percentile(99), "ms")
	r.add(part, "searches alone, p50", alone.search.took.percentile(50), "ms")
	r.add(part, "searches alone, p99", alone.search.took.percentile(99), "ms")
	r.add(part, "ordinary edits next to hostile accounts", float64(len(beside.public)), "")
	r.add(part, "of them first answered with 503", float64(n.refused.Load()), "")
	r.add(part, "ordinary edits next to them, answered, p99", beside.answered.percentile(99), "ms")
	r.add(part, "ordinary edits next to them, public, p50", beside.public.percentile(50), "ms")
	r.aimed(part, "ordinary edits next to them, public, p99", beside.public.percentile(99), "ms", atMost(2000))
	r.add(part, "ordinary edits next to them, public, most", beside.public.percentile(100), "ms")
	r.add(part, "positions of edits alone, named by public answers, p99", alone.position.percentile(99), "ms")
	r.add(part, "positions of edits next to them, named by public answers, p99", beside.position.percentile(99), "ms")
	r.add(part, "searches next to them", float64(len(beside.search.took)), "")
	r.add(part, "searches next to them, 503", float64(beside.search.refused), "")
	r.add(part, "searches next to them, p50", beside.search.took.percentile(50), "ms")
	r.aimed(part, "searches next to them, p99", beside.search.took.percentile(99), "ms", atMost(2*alone.search.took.percentile(99)))
	for _, kind := range hostileKinds {
		var accepted, refused int64
		var refusal error
		for _, h := range n.hostile {
			accepted += h.counts[kind.name].accepted.Load()
			refused += h.counts[kind.name].refused.Load()
			refusal = cmp.Or(refusal, h.counts[kind.name].refusal.err())
		}
		if accepted == 0 {
			r.none(part, "hostile: "+kind.name+", never accepted", 1, refusal)
		}
		r.add(part, "hostile: "+kind.name+", accepted", float64(accepted), "")
		r.add(part, "hostile: "+kind.name+", refused", float64(refused), "")
	}
}

func (n *neighbourhood) reportMemory(r *report) error {
	for _, limit := range memoryLimits {
		peak, err := peakMB(n.stack.Process(limit.process).PID())
		if err != nil {
			return err
		}
		r.aimed("neighbours", limit.process+", peak", peak, "MB", atMost(limit.mebi*(1<<20)/1e6))
	}
	return nil
}

// cleanUp deletes what hostile accounts wrote, as they can themselves, by an admin service without
// rate limits. It waits until the index has only the rest.
func (n *neighbourhood) cleanUp(ctx context.Context) error {
	_, url, err := n.stack.StartAnother(ctx, stack.Admin, "RATE_LIMITS=off")
	if err != nil {
		return err
	}
	var first failure
	atOnce(len(n.hostile), func(number int) {
		h := n.hostile[number]
		h.client = client.New(url, editors)
		if err := h.deleteAll(ctx); err != nil {
			first.note(err)
		}
	})
	if err := first.err(); err != nil {
		return err
	}
	if err := n.stack.AwaitReady(ctx); err != nil {
		return err
	}
	return n.awaitTotal(ctx, reference.Parameters{}, n.dates+ordinaryAccounts+hostileAccounts)
}

const selectDatabaseSize = `
SELECT pg_database_size(current_database())`

// sizes returns the bytes of the index in use, the database and the streams.
func (n *neighbourhood) sizes(ctx context.Context, engine *index.Client) (sizes [3]int64, err error) {
	size, err := engine.Size(ctx)
	if err != nil {
		return sizes, err
	}
	sizes[0] = size.Used
	conn, err := pgx.Connect(ctx, n.stack.DatabaseURL())
	if err != nil {
		return sizes, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := conn.QueryRow(ctx, selectDatabaseSize).Scan(&sizes[1]); err != nil {
		return sizes, err
	}
	sizes[2], err = streamBytes(ctx, n.stack.NATSURL())
	return sizes, err
}

// streamBytes returns the size of all streams.
func streamBytes(ctx context.Context, url string) (int64, error) {
	conn, err := nats.Connect(url)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return 0, err
	}
	account, err := js.AccountInfo(ctx)
	if err != nil {
		return 0, err
	}
	return int64(account.Store), nil //nolint:gosec // bytes of a disk
}
