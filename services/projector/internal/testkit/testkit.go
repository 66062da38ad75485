// Package testkit gives the projector's tests a stream and indexes of their own on the real
// engines, and makes changes for them.
package testkit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/projector/internal/verify"
)

// Patience is the time that a test waits for a condition.
const Patience = 2 * time.Minute

// PublicURL is the public address of all tests.
const PublicURL = "https://litfass.example"

// TimeZone is that of all places without one.
const TimeZone = "Europe/Berlin"

// World is a stream and a set of indexes of one test.
type World struct {
	t            testing.TB
	StreamConfig stream.Config
	IndexConfig  index.Config
	Stream       *stream.Stream
	Index        *index.Client
	JetStream    jetstream.JetStream // for operations on the stream that the package stream does not offer
	Log          *slog.Logger
}

// New returns a world whose streams exist and whose indexes do not.
func New(t testing.TB) *World {
	t.Helper()
	config := streamtest.Config(t)
	return in(t, config, indextest.Config(t))
}

// WithEngine returns a world whose indexes lie on an engine of their own, which the test may kill.
func WithEngine(t testing.TB) (*World, *indextest.Server) {
	t.Helper()
	server := indextest.Start(t)
	return in(t, streamtest.Config(t), server.Config()), server
}

func in(t testing.TB, streams stream.Config, indexes index.Config) *World {
	t.Helper()
	w := &World{
		t: t, StreamConfig: streams, IndexConfig: indexes, Index: index.Connect(indexes), Log: streamtest.Log(t),
		Stream: streamtest.Open(t, streams), JetStream: streamtest.JetStream(t, streams.URL),
	}
	w.EnsureStream()
	return w
}

// EnsureStream makes the streams exist.
func (w *World) EnsureStream() {
	w.t.Helper()
	if err := w.Stream.Ensure(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// EnsureIndex makes the indexes exist, empty.
func (w *World) EnsureIndex() {
	w.t.Helper()
	if err := w.Index.Ensure(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// Publish puts changes on the stream.
func (w *World) Publish(changes ...change.Change) {
	w.t.Helper()
	if err := w.Stream.Publish(w.t.Context(), changes); err != nil {
		w.t.Fatal(err)
	}
}

// PublishRaw puts a message on the stream that need not be a change.
func (w *World) PublishRaw(subject, data string) {
	w.t.Helper()
	if _, err := w.JetStream.Publish(w.t.Context(), w.Stream.Prefix()+"."+subject, []byte(data)); err != nil {
		w.t.Fatal(err)
	}
}

// Differences compares the indexes with the whole stream.
func (w *World) Differences() []string {
	w.t.Helper()
	verifier := verify.Verifier{
		Stream: w.Stream, Index: w.Index, Projector: project.New(PublicURL, TimeZone), Applied: w.Stream.LastSequence,
	}
	found := []string{}
	_, err := verifier.Run(w.t.Context(), func(d verify.Difference) bool {
		found = append(found, d.String())
		return true
	})
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// MustAgree fails the test when the indexes differ from the stream.
func (w *World) MustAgree() {
	w.t.Helper()
	if d := w.Differences(); len(d) > 0 {
		w.t.Fatalf("%d differences: %s", len(d), strings.Join(d[:min(len(d), 5)], "; "))
	}
}

// Digest identifies the content of a set of indexes.
func Digest(t testing.TB, c *index.Client) string {
	t.Helper()
	var lines []string
	for _, settings := range document.Indexes {
		err := c.Each(t.Context(), settings.Name, "", nil, func(d index.Document) error {
			line, err := json.Marshal(d)
			lines = append(lines, settings.Name+string(line))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d documents, %x", len(lines), sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}

// Put writes a document into an index without the projector. Drop deletes some.
func (w *World) Put(name string, d index.Document) {
	w.t.Helper()
	line, err := json.Marshal(d)
	if err != nil {
		w.t.Fatal(err)
	}
	w.wait(w.Index.Add(w.t.Context(), name, [][]byte{line}))
}

// Drop deletes documents without the projector.
func (w *World) Drop(name string, ids ...string) {
	w.t.Helper()
	w.wait(w.Index.Delete(w.t.Context(), name, ids))
}

func (w *World) wait(tasks []int64, err error) {
	w.t.Helper()
	if err == nil {
		err = w.Index.Wait(w.t.Context(), tasks...)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// Get returns a document; nil when it is not in the index.
func (w *World) Get(name, id string) index.Document {
	w.t.Helper()
	var found index.Document
	err := w.Index.ByID(w.t.Context(), name, []string{id}, nil, func(d index.Document) error { found = d; return nil })
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// Dates returns the uuids of the indexed dates of an event, in order.
func (w *World) Dates(event string) []string {
	w.t.Helper()
	found := map[string]bool{}
	err := w.Index.Each(w.t.Context(), document.Dates, `uuid = "`+event+`"`, nil, func(d index.Document) error {
		found[strings.Trim(string(d["date_uuid"]), `"`)] = true
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

// Entry returns the entry in the document of a date.
func Entry(t testing.TB, d index.Document) publicapi.Entry {
	t.Helper()
	var entry document.Encoded[publicapi.Entry]
	if err := json.Unmarshal(d["entry"], &entry); err != nil {
		t.Fatal(err)
	}
	return entry.Value
}

// Until waits until done returns true.
func Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(Patience)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// ID returns a new UUIDv7.
func ID() string { return uuid.Must(uuid.NewV7()).String() }

// IDs returns new UUIDv7s.
func IDs(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = ID()
	}
	return list
}

// Change returns a change; snapshot nil is a tombstone.
func Change(t testing.TB, kind change.Kind, id string, revision int64, snapshot any) change.Change {
	t.Helper()
	c, err := change.New(kind, id, revision, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Event returns the change of an event with these dates.
func Event(t testing.TB, id string, revision int64, title string, dates ...string) change.Change {
	t.Helper()
	e := change.Event{
		UUID: id, Title: title, Organization: change.Organizer{UUID: id, Name: "Kulturhaus"},
		PriceType: "free", ReleaseStatus: "released", Tags: []string{"Jazz", "Straße"}, Summary: "Ein Abend <live> & laut",
		Images:    []change.Image{{UUID: id, Identifier: "main"}},
		ChangedAt: "2026-11-20T18:30:00Z",
	}
	for i, uuid := range dates {
		e.Dates = append(e.Dates, change.Date{
			UUID: uuid, Slug: fmt.Sprintf("2026-11-%02d-1930", i%28+1), StartDate: fmt.Sprintf("2026-11-%02d", i%28+1),
			StartTime: "19:30", ReleaseStatus: "inherited",
		})
	}
	return Change(t, change.KindEvent, id, revision, e)
}

// Large returns the change of an event whose dates have some 6 kB each: with 100 of them, it is
// written in slices. edit may be nil.
func Large(t testing.TB, id string, revision int64, title string, dates []string, edit func(*change.Event)) change.Change {
	t.Helper()
	e, err := change.Read[change.Event](Event(t, id, revision, title, dates...))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	if e.Description = value.Text(text.String()); edit != nil {
		edit(&e)
	}
	return Change(t, change.KindEvent, id, revision, e)
}

// Catalogue returns changes of every kind, with awkward values: n events with their dates among
// them.
func Catalogue(t testing.TB, revision int64, n int) []change.Change {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(revision)))
	mask, lat, lon := value.Mask(1<<63+1), 54.7937, -0.5
	venue := change.VenueOfEvent{UUID: ID(), Name: "Café \"Zur Straße\"", City: "Flensburg", Country: "DEU", Lat: &lat, Lon: &lon}
	space := change.Space{UUID: ID(), VenueUUID: venue.UUID, Name: "Saal", SpaceType: "hall", AccessibilityFlags: &mask}
	organization := change.Organization{UUID: ID(), Name: "Kulturhaus \\ Nord"}
	region := change.Region{CountrySlug: "de", StateSlug: "sh", RegionSlug: "kiel", Geometry: json.RawMessage(`{"type":"Polygon","coordinates":[[[1.5,2],[3,4],[5,6],[1.5,2]]]}`)}
	lookup := change.Lookup{Name: "languages", Items: []change.LookupItem{{ID: "de", Names: map[string]string{"en": "German", "de": "Deutsch"}}}}
	changes := []change.Change{
		Change(t, change.KindLookup, lookup.Name, revision, lookup),
		Change(t, change.KindRegion, region.ID(), revision, region),
		Change(t, change.KindOrganization, organization.UUID, revision, organization),
		Change(t, change.KindVenue, venue.UUID, revision, change.Venue{VenueOfEvent: venue, Spaces: []change.Space{space}}),
		Change(t, change.KindEvent, ID(), revision, nil),
		Change(t, change.KindVenue, ID(), revision, nil),
	}
	for i := range n {
		price := float64(random.IntN(5000)) / 100
		e := change.Event{
			UUID: ID(), Title: fmt.Sprintf("Größe 🎷 %d \x00 <b>", i), Organization: change.Organizer{UUID: organization.UUID, Name: organization.Name},
			MinPrice: &price, Currency: "EUR", PriceType: "regular_price", ReleaseStatus: "released", VisitorInfoFlags: &mask,
			VenueUUID: value.Text(venue.UUID), SpaceUUID: value.Text(space.UUID),
			Venues: []change.VenueOfEvent{venue}, Spaces: []change.Space{space},
			Description: value.Text(strings.Repeat("sehr ", i%400)),
		}
		for day := range i % 4 {
			e.Dates = append(e.Dates, change.Date{UUID: ID(), StartDate: fmt.Sprintf("2028-02-%02d", 29-day), AllDay: true, ReleaseStatus: "cancelled"})
		}
		changes = append(changes, Change(t, change.KindEvent, e.UUID, revision, e))
	}
	return changes
}
