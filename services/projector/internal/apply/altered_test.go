package apply_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/testkit"
)

// applyTo applies changes as one batch and returns the batch with its alterations.
func applyTo(t *testing.T, w *testkit.World, a *apply.Applier, changes ...change.Change) *apply.Batch {
	t.Helper()
	var deliveries []stream.Delivery
	for _, c := range changes {
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		deliveries = append(deliveries, stream.Delivery{Message: stream.Message{Subject: c.Subject(w.Stream.Prefix()), Data: data}})
	}
	batch := a.Prepare(deliveries)
	if err := a.Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	return batch
}

// TestABatchSaysWhatItAlters: a batch lists the dates it alters, before and after; unchanged dates
// are not listed.
func TestABatchSaysWhatItAlters(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	event, same, gone, added := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	if first := applyTo(t, w, a, testkit.Event(t, event, 1, "one", same, gone)); !first.Altered.All || first.Version == "" {
		t.Errorf("the first batch: %+v; what was left in the index before is not known", first.Altered)
	}
	second := applyTo(t, w, a, testkit.Event(t, event, 2, "one", same, gone))
	if second.Altered.All || len(second.Altered.Dates) > 0 || !slices.Equal(second.Altered.Records[document.Events], []string{event}) {
		t.Errorf("nothing but the revision is another one: %+v", second.Altered)
	}
	third := applyTo(t, w, a, testkit.Event(t, event, 3, "two", same, added))
	dates := map[string]applied.Date{}
	for _, date := range third.Altered.Dates {
		dates[date.ID] = date
	}
	if third.Altered.All || len(dates) != 3 || third.Version == second.Version {
		t.Fatalf("%+v", third.Altered)
	}
	if d := dates[same]; d.Before == nil || d.After == nil || !d.Shown || string(d.Before["title_words"]) != `"one"` ||
		string(d.After["title_words"]) != `"two"` || string(d.After["uuid"]) != fmt.Sprintf("%q", event) {
		t.Errorf("the date that stays: %+v", d)
	}
	for _, id := range []string{same, added} {
		var entry string
		if err := json.Unmarshal(w.Get(document.Dates, id)["entry"], &entry); err != nil || strings.Join(dates[id].Entry, "") != entry {
			t.Errorf("the entry is %s, %v; sent as %q", entry, err, dates[id].Entry)
		}
	}
	if d := dates[gone]; d.Before == nil || d.After != nil {
		t.Errorf("the date that left: %+v", d)
	}
	if d := dates[added]; d.Before != nil || d.After == nil {
		t.Errorf("the date that came: %+v", d)
	}
	for _, settings := range document.Indexes[:1] {
		for _, name := range settings.Sortable {
			if dates[same].After[name] == nil {
				t.Errorf("%s, by which dates are ordered, is missing", name)
			}
		}
	}
	if older := applyTo(t, w, a, testkit.Event(t, event, 2, "one", same, gone)); len(older.Altered.Dates) > 0 || older.Altered.All {
		t.Errorf("an older change: %+v", older.Altered)
	}
	if deleted := applyTo(t, w, a, testkit.Change(t, change.KindEvent, event, 4, nil)); len(deleted.Altered.Dates) != 2 {
		t.Errorf("a tombstone: %+v", deleted.Altered)
	}
}

func TestTooLargeABatchMayHaveAlteredAnything(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	applyTo(t, w, a, testkit.Catalogue(t, 1, 1)...)
	if batch := applyTo(t, w, a, testkit.Catalogue(t, 2, 1_001)...); !batch.Altered.All {
		t.Errorf("1001 events: %d dates are listed", len(batch.Altered.Dates))
	}
	event := testkit.ID()
	ids := make([]string, 2_501)
	for i := range ids {
		ids[i] = testkit.ID()
	}
	for revision := range int64(2) {
		if batch := applyTo(t, w, a, testkit.Event(t, event, 1+revision, "long", ids...)); !batch.Altered.All {
			t.Errorf("%d dates: %d of them are listed", len(ids), len(batch.Altered.Dates))
		}
	}
}

// TestWhatAFailedAttemptHasWrittenIsNotKnown: the engine refuses a part of a batch, which may have
// been written before: reading it again shows it as if it had been so.
func TestWhatAFailedAttemptHasWrittenIsNotKnown(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	event, date := testkit.ID(), testkit.ID()
	applyTo(t, w, a, testkit.Event(t, event, 1, "one", date))
	refused := testkit.Event(t, testkit.ID(), 2, "refused", testkit.ID())
	var snapshot map[string]any
	if err := json.Unmarshal(refused.Snapshot, &snapshot); err != nil {
		t.Fatal(err)
	}
	snapshot["dates"].([]any)[0].(map[string]any)["uuid"] = "not an id!"
	refused.Snapshot, _ = json.Marshal(snapshot)
	if batch := applyTo(t, w, a, testkit.Event(t, event, 2, "two", date), refused); !batch.Altered.All {
		t.Errorf("a batch of which the engine refused a part: %+v", batch.Altered)
	}
}

// TestABatchHasTheNamesThatItWrites: of venues, organizations and contributors, which answers show
// by their ids.
func TestABatchHasTheNamesThatItWrites(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	applyTo(t, w, a, testkit.Catalogue(t, 1, 1)...)
	venue, gone, organization, contributor := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	batch := applyTo(t, w, a,
		testkit.Change(t, change.KindVenue, venue, 2, change.Venue{VenueOfEvent: change.VenueOfEvent{UUID: venue, Name: "Halle"}}),
		testkit.Change(t, change.KindVenue, gone, 2, nil),
		testkit.Change(t, change.KindOrganization, organization, 2, change.Organization{UUID: organization, Name: "Haus"}),
		testkit.Change(t, change.KindContributor, contributor, 2, change.Contributor{UUID: contributor, Type: "group", Name: "Trio"}),
	)
	want := map[string]map[string]string{
		document.Venues: {venue: "Halle", gone: ""}, document.Organizations: {organization: "Haus"}, document.Contributors: {contributor: "Trio"},
	}
	if !reflect.DeepEqual(batch.Altered.Names, want) {
		t.Errorf("%v, want %v", batch.Altered.Names, want)
	}
	again := applyTo(t, w, a, testkit.Change(t, change.KindVenue, venue, 3, change.Venue{VenueOfEvent: change.VenueOfEvent{UUID: venue, Name: "Saal"}}))
	for _, test := range []struct {
		batch         *apply.Batch
		index, id     string
		before, after string // names
	}{
		{batch, document.Venues, venue, "", "Halle"},
		{batch, document.Venues, gone, "", ""},
		{batch, document.Organizations, organization, "", "Haus"},
		{again, document.Venues, venue, "Halle", "Saal"},
	} {
		records := test.batch.Altered.Changed[test.index]
		at := slices.IndexFunc(records, func(r applied.Record) bool { return r.ID == test.id })
		if at < 0 {
			t.Errorf("the change of %s is missing: %+v", test.id, records)
			continue
		}
		var view struct{ Name string }
		if test.after != "" {
			if err := json.Unmarshal([]byte(records[at].View), &view); err != nil {
				t.Error(err)
			}
		}
		before, after := strings.Trim(string(records[at].Before["name"]), `"`), strings.Trim(string(records[at].After["name"]), `"`)
		if before != test.before || after != test.after || view.Name != test.after {
			t.Errorf("%+v: from %q to %q, shown as %q", test, before, after, view.Name)
		}
	}
}
