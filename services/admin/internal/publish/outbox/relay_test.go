package outbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/publish/outbox"
)

func TestPublishesTheWholeState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	e := w.event("Jazz in der Schmiede")
	e.Subtitle, e.Tags, e.Languages, e.Categories = "Zwei Abende", []string{"Jazz", "live"}, []string{"de"}, []int{1, 4}
	e.EventTypes = []adminapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 18}}
	e.PriceType, e.MinPrice, e.MaxPrice, e.Currency = "regular_price", pointer(12.5), pointer(20.0), "EUR"
	e.VisitorInfoFlags = pointer(value.Mask(1<<63 | 1))
	e.EventLinks = []rules.EventLink{{Type: "website", URL: "https://jazz.example"}}
	e.Dates = append(e.Dates,
		rules.Date{UUID: newID(), StartDate: "2026-11-20", StartTime: "19:30", VenueUUID: value.Text(w.venue), SpaceUUID: value.Text(w.garden)},
		rules.Date{UUID: newID(), StartDate: "2026-11-21", AllDay: true, EndDate: "2026-11-22", ReleaseStatus: rules.StatusCancelled})
	fest, secret := rulestest.Series(w.org), rulestest.Series(w.org)
	asked := rulestest.Series(w.org)
	secret.Public = false
	for _, of := range []*rules.Series{asked, fest, secret} {
		state := adminapi.SeriesAccepted
		if of == asked {
			state = adminapi.SeriesAsked
		}
		e.Series = append(e.Series, rules.EventSeries{SeriesUUID: of.UUID, State: state})
	}
	e.Dates[0].SeriesPartUUID, e.Dates[1].SeriesPartUUID = value.Text(fest.Parts[1].UUID), value.Text(secret.Parts[0].UUID)
	e.Dates[2].SeriesPartUUID = value.Text(asked.Parts[0].UUID)
	w.write(fest, secret, asked)
	e.Labels = []string{"tip"}
	w.write(&rules.Label{ID: "tip", Names: map[string]string{"en": "Tip", "de": "Tipp"}}, e)
	w.start(w.stream, time.Now)
	w.untilEmpty()

	named, _ := w.held(change.KindLookup, change.LookupLabels)
	set, err := change.Read[change.Lookup](named)
	if err != nil || len(set.Items) != 1 || set.Items[0].ID != "tip" || set.Items[0].Names["de"] != "Tipp" {
		t.Errorf("the labels are %+v: %v", set, err)
	}
	c, _ := w.held(change.KindEvent, e.UUID)
	got, err := change.Read[change.Event](c)
	if err != nil {
		t.Fatal(err)
	}
	if got.ChangedAt == "" {
		t.Error("the event does not say when it changed")
	}
	got.ChangedAt = ""
	hall := change.Space{UUID: w.hall, VenueUUID: w.venue, Name: "Saal", SpaceType: "hall"}
	garden := change.Space{UUID: w.garden, VenueUUID: w.venue, Name: "Garten", SpaceType: "garden"}
	want := change.Event{
		UUID: e.UUID, Organization: change.Organizer{UUID: w.org, Name: "Kulturverein", WebLink: "https://verein.example"},
		VenueUUID: value.Text(w.venue), SpaceUUID: value.Text(w.hall), Title: "Jazz in der Schmiede", Subtitle: "Zwei Abende",
		Categories: []int{1, 4}, EventTypes: []change.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 18}},
		Languages: []string{"de"}, Tags: []string{"Jazz", "live"}, Labels: []string{"tip"}, PriceType: "regular_price", MinPrice: pointer(12.5),
		MaxPrice: pointer(20.0), Currency: "EUR", TicketFlags: []string{}, VisitorInfoFlags: pointer(value.Mask(1<<63 | 1)),
		ReleaseStatus: "released", EventLinks: []change.EventLink{{Type: "website", URL: "https://jazz.example"}}, Images: []change.Image{},
		Dates: []change.Date{
			{UUID: e.Dates[0].UUID, Slug: "2026-11-20-1930", StartDate: "2026-11-20", StartTime: "19:30", ReleaseStatus: "inherited",
				SeriesPartUUID: value.Text(fest.Parts[1].UUID)},
			{UUID: e.Dates[1].UUID, Slug: "2026-11-20-1930-2", StartDate: "2026-11-20", StartTime: "19:30", ReleaseStatus: "inherited",
				VenueUUID: value.Text(w.venue), SpaceUUID: value.Text(w.garden)},
			{UUID: e.Dates[2].UUID, Slug: "2026-11-21", StartDate: "2026-11-21", EndDate: "2026-11-22", AllDay: true, ReleaseStatus: "cancelled"},
		},
		Venues: []change.VenueOfEvent{{UUID: w.venue, Name: "Alte Schmiede", City: "Kiel", Country: "DEU", Lat: pointer(54.3233), Lon: pointer(10.1228), AccessibilityFlags: pointer(value.Mask(1<<47 | 1))}},
		Spaces: []change.Space{hall, garden},
		Series: []change.SeriesOfEvent{{
			UUID: fest.UUID, Slug: fest.Slug, Title: fest.Title, StartDate: fest.StartDate, EndDate: fest.EndDate,
			Parts:        []change.PartOfSeries{{UUID: fest.Parts[1].UUID, Kind: "day", Title: "Freitag"}},
			TextLanguage: "de", Texts: map[string]change.SeriesText{"da": {Title: "Havnefest & mere"}, "en": {Title: "Harbour festival"}},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the stream holds\n%+v\nwant\n%+v", asJSON(t, got), asJSON(t, want))
	}
	if bytes.Contains(c.Snapshot, []byte(`"ticket_flags":null`)) {
		t.Error("a list travels as null")
	}
	venue, _ := w.held(change.KindVenue, w.venue)
	if v, err := change.Read[change.Venue](venue); err != nil || !reflect.DeepEqual(v.Spaces, []change.Space{hall, garden}) {
		t.Errorf("the venue travels with the spaces %+v (%v)", v.Spaces, err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCollapsesByEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	e := w.event("first")
	for i := range 40 {
		e.Title = fmt.Sprintf("title %d", i)
		w.write(e)
	}
	r, _ := w.start(w.stream, time.Now)
	w.untilEmpty()
	if got := w.title(e.UUID); got != "title 39" {
		t.Errorf("the stream holds %q", got)
	}
	last, err := w.stream.LastSequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last != 3 { // organization, venue, event
		t.Errorf("%d messages were published for 3 entities", last)
	}
	w.until("the relay is ready", func() bool { return r.Ready(t.Context()) == nil })
}

func TestTombstones(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	deleted, withdrawn := w.event("to be deleted"), w.event("to be withdrawn")
	region := &rules.Region{
		CountrySlug: "deutschland", StateSlug: "schleswig-holstein", RegionSlug: "kiel", Name: "Kiel",
		Geometry: json.RawMessage(`{"type":"Polygon","coordinates":[[[10,54],[11,54],[11,55],[10,54]]]}`),
	}
	w.write(deleted, withdrawn, region)
	w.start(w.stream, time.Now)
	w.untilEmpty()
	c, _ := w.held(change.KindRegion, region.ID())
	if r, err := change.Read[change.Region](c); err != nil || r.CountryName != "Deutschland" || r.StateName != "Schleswig Holstein" {
		t.Errorf("region %+v (%v)", r, err)
	}

	withdrawn.ReleaseStatus = rules.StatusDraft
	w.write(withdrawn)
	w.exec(`WITH gone AS (DELETE FROM event WHERE uuid = $1::text::uuid) INSERT INTO outbox (kind, entity_id) VALUES ('event', $1)`, deleted.UUID)
	w.exec(`WITH gone AS (DELETE FROM region WHERE id = $1) INSERT INTO outbox (kind, entity_id) VALUES ('region', $1)`, region.ID())
	w.untilEmpty()
	for _, entity := range [][2]string{{"event", deleted.UUID}, {"event", withdrawn.UUID}, {"region", region.ID()}} {
		if c, ok := w.held(change.Kind(entity[0]), entity[1]); !ok || !c.Gone() {
			t.Errorf("%s is still in the stream: %s", entity[1], c.Snapshot)
		}
	}
}

// Nothing of an event that is not public may leave the database.
func TestDraftsDoNotLeak(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	const secret = "still a secret"
	draft, review, scheduled, public := w.event(secret), w.event(secret), w.event(secret), w.event("public")
	draft.ReleaseStatus, review.ReleaseStatus = rules.StatusDraft, rules.StatusReview
	present := w.present()
	scheduled.ReleaseDate = pointer(present.Add(time.Hour))
	w.write(draft, review, scheduled, public)
	w.start(w.stream, func() time.Time { return present })
	w.untilEmpty()
	if w.title(public.UUID) != "public" {
		t.Error("the public event is missing")
	}
	_, err := w.stream.WalkMessages(t.Context(), func(m stream.Message) error {
		if bytes.Contains(m.Data, []byte(secret)) {
			t.Errorf("%s holds the secret: %s", m.Subject, m.Data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReleasesWhenTheTimeHasCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	var later atomic.Int64 // how far the clock is ahead
	present := w.present()
	clock := func() time.Time { return present.Add(time.Duration(later.Load())) }
	soon, far := w.event("soon"), w.event("far")
	soon.ReleaseDate, far.ReleaseDate = pointer(present.Add(time.Hour)), pointer(present.Add(48*time.Hour))
	w.write(soon, far)
	w.start(w.stream, clock)
	w.untilEmpty()
	if w.title(soon.UUID) != "" {
		t.Fatal("released before its time")
	}
	if c, ok := w.held(change.KindOrganization, w.org); ok {
		t.Errorf("the organization is on the stream before any of its events is public: %s", c.Snapshot)
	}
	later.Store(int64(2 * time.Hour))
	w.until("the event is released", func() bool { return w.title(soon.UUID) == "soon" })
	w.until("its organization is public", func() bool {
		c, ok := w.held(change.KindOrganization, w.org)
		return ok && !c.Gone()
	})
	if w.title(far.UUID) != "" {
		t.Error("the other was released too")
	}
}

// TestLookingForReleasesNotifiesNoListener: the relay listens for outbox rows, and would otherwise
// wake itself over and over.
func TestLookingForReleasesNotifiesNoListener(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	listener, err := w.db.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Release()
	if _, err := listener.Exec(t.Context(), "LISTEN catalog_outbox"); err != nil {
		t.Fatal(err)
	}
	if released, err := w.release(t.Context(), time.Now()); released > 0 || err != nil {
		t.Fatalf("%d released, %v", released, err)
	}
	w.exec("NOTIFY catalog_outbox, 'later'")
	heard, err := listener.Conn().WaitForNotification(t.Context())
	if err != nil || heard.Payload != "later" {
		t.Errorf("woken with %v, %v", heard, err)
	}
}

// stalled is a stream whose first Publish waits until it is let go.
type stalled struct {
	outbox.Publisher
	entered chan struct{} // closed when Publish was called
	letGo   chan struct{}
	done    chan struct{} // closed when it has returned
	once    sync.Once
}

func stall(p outbox.Publisher) *stalled {
	return &stalled{Publisher: p, entered: make(chan struct{}), letGo: make(chan struct{}), done: make(chan struct{})}
}

func (s *stalled) Publish(ctx context.Context, changes []change.Change) (err error) {
	first := false
	s.once.Do(func() { first = true })
	if !first {
		return s.Publisher.Publish(ctx, changes)
	}
	close(s.entered)
	<-s.letGo
	err = s.Publisher.Publish(context.WithoutCancel(ctx), changes)
	close(s.done)
	return err
}

// The leader's connection dies while it publishes. Another relay takes over and publishes newer
// state; the dead one's late publishing must not overwrite it, and nothing may be lost.
func TestLeaderDiesInMidRound(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	w := newWorld(t, streamtest.Open(t, config))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := w.event("old")
	w.write(e)
	slow := stall(streamtest.Open(t, config))
	leader, _ := w.start(slow, time.Now)
	<-slow.entered
	follower, _ := w.start(w.stream, time.Now)
	e.Title = "new"
	w.write(e)
	w.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'litfass-relay' AND xact_start IS NOT NULL`)
	w.until("the other relay has published the new state", func() bool { return w.title(e.UUID) == "new" })
	close(slow.letGo)
	<-slow.done
	w.untilEmpty()
	if got := w.title(e.UUID); got != "new" {
		t.Errorf("the stream holds %q", got)
	}
	for kind, id := range map[change.Kind]string{change.KindVenue: w.venue, change.KindOrganization: w.org} {
		if _, ok := w.held(kind, id); !ok {
			t.Errorf("%s was lost", kind)
		}
	}
	w.until("both are ready", func() bool { return leader.Ready(t.Context()) == nil && follower.Ready(t.Context()) == nil })
}

func TestStreamDownThenUp(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	w := newWorld(t, streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1}))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	var attempts atomic.Int64
	w.start(counted{w.stream, &attempts}, time.Now)
	w.untilEmpty()
	server.Kill()
	before := attempts.Load()
	e := w.event("waits")
	w.write(e)
	w.until("the relay has tried in vain", func() bool { return attempts.Load() >= before+2 })
	if w.outbox().Pending == 0 {
		t.Fatal("the outbox is empty although the stream is down")
	}
	server.Resume()
	w.untilEmpty()
	if got := w.title(e.UUID); got != "waits" {
		t.Errorf("the stream holds %q", got)
	}
}

// counted counts the attempts at a stream.
type counted struct {
	outbox.Publisher
	calls *atomic.Int64
}

func (c counted) Ensure(ctx context.Context) error {
	c.calls.Add(1)
	return c.Publisher.Ensure(ctx)
}

func (c counted) Publish(ctx context.Context, changes []change.Change) error {
	c.calls.Add(1)
	return c.Publisher.Publish(ctx, changes)
}

// A change that the stream never accepts waits with its reason; all others continue, and a shorter
// version goes at once.
func TestUnpublishableDoesNotBlock(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 64<<10)
	w := newWorld(t, streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1}))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	giant, small := w.event("giant"), w.event("small")
	giant.Description = value.Text(strings.Repeat("x", 90_000))
	w.write(giant)
	w.write(small)
	w.start(w.stream, time.Now)
	w.until("the small event is published", func() bool { return w.title(small.UUID) == "small" })
	w.until("the giant waits", func() bool { o := w.outbox(); return o.Pending == 0 && o.Failed == 1 })
	var reason string
	var later time.Time
	err := w.db.Pool().QueryRow(t.Context(), `SELECT last_error, retry_at FROM outbox`).Scan(&reason, &later)
	if err != nil || !later.After(time.Now()) || !strings.Contains(reason, "more than") {
		t.Errorf("it waits for %q, later: %v (%v)", reason, later, err)
	}
	giant.Description = "short"
	w.write(giant)
	w.until("the shorter version is published", func() bool { return w.title(giant.UUID) == "giant" })
	w.until("nothing waits", func() bool { o := w.outbox(); return o.Pending == 0 && o.Failed == 0 })
}

// While releases change, the leader may be the older one: what it does not know stays for the newer
// one, without holding back anything else, and the newer one publishes it at once.
func TestUnknownKindsStayForANewerRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.exec(`ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check`)
	known := w.event("known")
	w.write(known)
	w.exec(`INSERT INTO outbox (kind, entity_id) VALUES ('newer', $1)`, known.UUID)
	_, stop := w.start(w.stream, time.Now)
	w.until("the newer kind waits", func() bool { o := w.outbox(); return o.Pending == 0 && o.Failed == 1 })
	if got := w.title(known.UUID); got != "known" {
		t.Errorf("the stream holds %q", got)
	}
	stop()
	w.exec(`UPDATE outbox SET kind = 'organization', entity_id = $1, retry_at = $2`, w.org, time.Now().Add(time.Hour))
	w.start(w.stream, time.Now) // a release that knows the kind
	w.until("it is published", func() bool { return w.outbox().Failed == 0 })
}

// Many writers and two relays: in the end the stream holds the last committed state of every event.
func TestManyWritersTwoRelays(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	w := newWorld(t, streamtest.Open(t, config))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	events := make([]*rules.Event, 10)
	for i := range events {
		events[i] = w.event("0")
		w.write(events[i])
	}
	w.start(w.stream, time.Now)
	w.start(streamtest.Open(t, config), time.Now)
	const rename = `WITH renamed AS (UPDATE event SET title = (title::bigint + 1)::text WHERE uuid = $1::text::uuid)
		INSERT INTO outbox (kind, entity_id) VALUES ('event', $1)`
	var writers sync.WaitGroup
	for seed := range 4 {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		writers.Go(func() {
			for i := range 100 {
				if seed == 0 && i%30 == 10 { // the lead passes on now and then
					w.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
						WHERE datname = current_database() AND application_name = 'litfass-relay'`)
				}
				id := events[random.IntN(len(events))].UUID
				err := w.db.InTx(t.Context(), func(tx pgx.Tx) error { _, err := tx.Exec(t.Context(), rename, id); return err })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	w.untilEmpty()
	for _, e := range events {
		var title string
		if err := w.db.Pool().QueryRow(t.Context(), `SELECT title FROM event WHERE uuid = $1`, e.UUID).Scan(&title); err != nil {
			t.Fatal(err)
		}
		if got := w.title(e.UUID); got != title {
			t.Errorf("the stream holds %q, the database %q", got, title)
		}
	}
}

// The revision of a round is on disk before the round publishes: a crash must not make the sequence
// give it out again.
func TestRevisionIsCommittedBeforeItIsPublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	published := false
	_, err := outbox.PublishDue(t.Context(), w.db, 10, func(ctx context.Context, _ []change.Change) error {
		published = true
		var open int
		const held = `SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
			WHERE datname = current_database() AND relation = 'catalog_revision'::regclass`
		err := w.db.QueryRow(ctx, held).Scan(&open)
		if open > 0 {
			t.Errorf("%d transactions that use the revisions are open", open)
		}
		return err
	})
	if !published || err != nil {
		t.Errorf("published %v, %v", published, err)
	}
}
