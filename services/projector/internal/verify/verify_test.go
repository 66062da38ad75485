package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/testkit"
	"litfass/services/projector/internal/verify"
)

// filled returns a world whose indexes hold changes.
func filled(t *testing.T, changes []change.Change) *testkit.World {
	t.Helper()
	w := testkit.New(t)
	w.EnsureIndex()
	w.Publish(changes...)
	applyAll(t, w, changes)
	w.MustAgree()
	return w
}

func applyAll(t *testing.T, w *testkit.World, changes []change.Change) {
	t.Helper()
	a := apply.New(w.Stream.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), w.Stream.DeadLetters("north"), apply.NewMetrics(prometheus.NewRegistry()), w.Log)
	var deliveries []stream.Delivery
	for _, c := range changes {
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		deliveries = append(deliveries, stream.Delivery{Message: stream.Message{Subject: c.Subject(w.Stream.Prefix()), Data: data}})
	}
	if err := a.Apply(t.Context(), a.Prepare(deliveries)); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, changes []change.Change, kind change.Kind, gone bool) string {
	t.Helper()
	for _, c := range changes {
		if c.Kind == kind && c.Gone() == gone {
			return c.ID
		}
	}
	t.Fatalf("no %s", kind)
	return ""
}

func TestPlantedDifferencesAreFound(t *testing.T) {
	t.Parallel()
	changes := testkit.Catalogue(t, 1, 12)
	event, date, lost, spaced, cut := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	changes = append(changes, testkit.Event(t, event, 1, "a", date, lost, spaced, cut))
	w := filled(t, changes)
	gone, venue := find(t, changes, change.KindEvent, true), find(t, changes, change.KindVenue, false)
	strayDate, strayEvent, orphan := testkit.ID(), testkit.ID(), testkit.ID()

	alter := func(name, id, attribute, value string) {
		d := w.Get(name, id)
		if value == "" {
			delete(d, attribute)
		} else {
			d[attribute] = json.RawMessage(value)
		}
		w.Put(name, d)
	}
	shown := string(w.Get(document.Dates, date)["entry"])
	alter(document.Dates, date, "entry", strings.NewReplacer(`\"title\":\"a\"`, `\"title\":\"b\"`, `\"tags\":[`, `\"tags\":[\"x\",`).Replace(shown))
	shown = string(w.Get(document.Dates, spaced)["entry"])
	alter(document.Dates, spaced, "entry", strings.Replace(shown, `\"title\":`, `\"title\": `, 1))
	alter(document.Dates, cut, "entry", `"{"`)
	alter(document.Dates, date, "start_minute", "")
	alter(document.Venues, venue, "beer", "true")
	alter(document.Events, gone, "revision", "2")
	alter(document.Regions, "de_sh_kiel", "view", "null")
	w.Drop(document.Dates, lost)
	w.Drop(document.Lookups, "languages")
	w.Drop(document.Organizations, find(t, changes, change.KindOrganization, false))
	w.Put(document.Dates, index.Document{"date_uuid": quote(strayDate), "uuid": quote(event)})
	w.Put(document.Dates, index.Document{"date_uuid": quote(orphan), "uuid": quote(strayEvent)})
	w.Put(document.Dates, index.Document{"date_uuid": quote("x")})
	w.Put(document.Events, index.Document{"id": quote(strayEvent)})
	w.Put(document.Lookups, index.Document{"id": quote("colours")})

	want := []string{
		"dates " + date + ": different in entry.tags, entry.title, start_minute",
		"dates " + spaced + ": different in entry",
		"dates " + cut + ": different in entry",
		"venues " + venue + ": different in beer",
		"events " + gone + ": different in revision",
		"regions de_sh_kiel: different in view",
		"dates " + lost + ": missing",
		"lookups languages: missing",
		"organizations " + find(t, changes, change.KindOrganization, false) + ": missing",
		"dates " + strayDate + ": extra",
		"dates " + orphan + ": extra",
		"dates x: extra",
		"events " + strayEvent + ": extra",
		"lookups colours: extra",
	}
	slices.Sort(want)
	if got := w.Differences(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDifferencesPlantedInTheStreamAreFound(t *testing.T) {
	t.Parallel()
	changes := testkit.Catalogue(t, 1, 3)
	event, date, removed := testkit.ID(), testkit.ID(), testkit.ID()
	w := filled(t, append(changes, testkit.Event(t, event, 1, "a", date), testkit.Event(t, removed, 1, "b")))
	last, ok, err := w.Stream.Last(t.Context(), change.KindEvent, removed)
	if err != nil || !ok {
		t.Fatal(err)
	}
	if err := w.Stream.Remove(t.Context(), last.Sequence); err != nil {
		t.Fatal(err)
	}
	w.Publish(testkit.Event(t, event, 2, "another title", date))
	w.PublishRaw("event."+testkit.ID(), "no change")
	w.PublishRaw("poster", "no change")
	got := w.Differences()
	for _, want := range []string{
		"events " + removed + ": extra",
		"events " + event + ": different in revision, view.title",
		"dates " + date + ": different in entry.title, revision, title_end, title_key, title_words",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("not found: %s", want)
		}
	}
	unusable := slices.DeleteFunc(got, func(d string) bool { return !strings.HasPrefix(d, "stream ") })
	if len(unusable) != 2 || !strings.Contains(unusable[0], "unusable: change is not valid JSON") {
		t.Errorf("unusable: %q", unusable)
	}
}

// A change that is on its way is not a difference, nor is one that has been applied by the second
// look.
func TestChangesOnTheirWayAreWaitedFor(t *testing.T) {
	t.Parallel()
	event := testkit.ID()
	w := filled(t, []change.Change{testkit.Event(t, event, 1, "a", testkit.ID())})
	next := testkit.Event(t, event, 2, "b", testkit.ID())
	w.Publish(next)
	looks := 0
	verifier := verify.Verifier{Stream: w.Stream, Index: w.Index, Projector: project.New(testkit.PublicURL, testkit.TimeZone), Applied: func(context.Context) (uint64, error) {
		if looks++; looks == 3 {
			applyAll(t, w, []change.Change{next})
		}
		return 1, nil // the first change, as far as is known
	}}
	counts, err := verifier.Run(t.Context(), func(d verify.Difference) bool {
		t.Errorf("found %s", d)
		return true
	})
	if err != nil || looks != 3 || counts.Messages != 1 || counts.Documents[document.Dates] != 1 {
		t.Errorf("%d looks, compared %+v: %v", looks, counts, err)
	}
}

// Documents that agree need only the first, cheap comparison: the engine keeps the JSON of
// attributes as it was written.
func TestWhatAgreesNeedsNoSecondLook(t *testing.T) {
	t.Parallel()
	w := filled(t, testkit.Catalogue(t, 1, 20))
	verifier := verify.Verifier{Stream: w.Stream, Index: w.Index, Projector: project.New(testkit.PublicURL, testkit.TimeZone), Applied: func(context.Context) (uint64, error) {
		return 0, errors.New("looked again")
	}}
	if _, err := verifier.Run(t.Context(), func(verify.Difference) bool { return true }); err != nil {
		t.Error(err)
	}
}

// The engine writes numbers in its own way: 1.50 comes back as 1.5. That is no difference, it only
// takes the second look.
func TestSpellingOfNumbersIsNoDifference(t *testing.T) {
	t.Parallel()
	odd := change.Region{CountrySlug: "de", StateSlug: "sh", RegionSlug: "odd",
		Geometry: json.RawMessage(`{"type":"Polygon","coordinates":[[[1.50,2],[3,4],[5,6],[1.5,2.0]]]}`)}
	w := filled(t, []change.Change{testkit.Change(t, change.KindRegion, odd.ID(), 1, odd)})
	w.MustAgree()
}

func TestComparisonEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := filled(t, nil)
	w.Publish(testkit.Event(t, testkit.ID(), 1, "a"))
	ctx, cancel := context.WithCancel(t.Context())
	verifier := verify.Verifier{Stream: w.Stream, Index: w.Index, Projector: project.New(testkit.PublicURL, testkit.TimeZone), Applied: func(context.Context) (uint64, error) {
		cancel()
		return 0, nil
	}}
	if _, err := verifier.Run(ctx, func(verify.Difference) bool { return true }); err == nil {
		t.Error("no error")
	}
}

func TestComparisonStopsWhenEnoughIsFound(t *testing.T) {
	t.Parallel()
	w := filled(t, nil)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	found := 0
	verifier := verify.Verifier{Stream: w.Stream, Index: w.Index, Projector: project.New(testkit.PublicURL, testkit.TimeZone), Applied: w.Stream.LastSequence}
	if _, err := verifier.Run(t.Context(), func(verify.Difference) bool { found++; return found < 3 }); err != nil || found != 3 {
		t.Errorf("found %d: %v", found, err)
	}
}

func quote(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
