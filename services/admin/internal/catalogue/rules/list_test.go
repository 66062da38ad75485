package rules_test

import (
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

func TestCheckList(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_001)
	for _, test := range []struct {
		change func(l *rules.List)
		want   string // the bad fields
	}{
		{func(*rules.List) {}, ""},
		{func(l *rules.List) { *l = rules.List{UUID: l.UUID, Slug: "x", Name: "x"} }, ""},
		{func(l *rules.List) { l.OrgUUID = "" }, ""},
		{func(l *rules.List) { l.Slug, l.Name, l.Description = "a b", "", value.Text(long) }, "slug name description"},
		{func(l *rules.List) {
			l.Titles = []adminapi.ListTitle{{Language: "de", Title: "a"}, {Language: "de", Title: "b"}, {Language: "fr", Description: value.Text(long)}}
		}, "titles[1].language titles[2].language titles[2].title titles[2].description"},
		{func(l *rules.List) { l.Titles = make([]adminapi.ListTitle, 4) }, "titles"},
		{func(l *rules.List) { l.Entries[0].EventUUID, l.Entries[1].DateUUID = "", "x" }, "entries[0].event_uuid entries[1].date_uuid"},
		{func(l *rules.List) { l.Entries[1].Note = value.Text(long) }, "entries[1].note"},
		{func(l *rules.List) { l.Entries = append(l.Entries, l.Entries[0]) }, "entries[2]"},
		{func(l *rules.List) { // the event as a whole is another entry than its date
			l.Entries = append(l.Entries, adminapi.ListEntry{EventUUID: l.Entries[0].EventUUID})
		}, ""},
		{func(l *rules.List) {
			l.Entries = nil
			for range adminapi.MaxListEntries + 1 {
				l.Entries = append(l.Entries, adminapi.ListEntry{EventUUID: rulestest.NewID()})
			}
		}, "entries"},
		{func(l *rules.List) { l.Entries = noted(adminapi.MaxListNotes / 2_000) }, ""},
		{func(l *rules.List) { l.Entries = append(noted(adminapi.MaxListNotes/2_000), l.Entries[0]) }, "entries"},
	} {
		list := rulestest.List(rulestest.NewID())
		test.change(list)
		list.Normalize()
		var fields []string
		for _, violation := range list.Validate() {
			fields = append(fields, violation.Field)
		}
		if want := strings.Fields(test.want); !slices.Equal(fields, want) {
			t.Errorf("bad fields %v, want %v", fields, want)
		}
	}
}

// TestEntriesArePut: an entry takes its place, and the others stay in their order.
func TestEntriesArePut(t *testing.T) {
	t.Parallel()
	at := func(place int) *int { return &place }
	for _, test := range []struct {
		put  rules.PlacedEntry
		want string
	}{
		{rules.PlacedEntry{EventUUID: "d"}, "a b/1 c d"},
		{rules.PlacedEntry{EventUUID: "d", Place: at(0)}, "d a b/1 c"},
		{rules.PlacedEntry{EventUUID: "d", Place: at(1), Note: "tip"}, "a d:tip b/1 c"},
		{rules.PlacedEntry{EventUUID: "d", Place: at(99)}, "a b/1 c d"},
		{rules.PlacedEntry{EventUUID: "a", Note: "tip"}, "a:tip b/1 c"},
		{rules.PlacedEntry{EventUUID: "a", Place: at(2)}, "b/1 c a"},
		{rules.PlacedEntry{EventUUID: "c", Place: at(0)}, "c a b/1"},
		{rules.PlacedEntry{EventUUID: "b"}, "a b/1 c b"},
		{rules.PlacedEntry{EventUUID: "b", DateUUID: "1", Place: at(2)}, "a c b/1"},
	} {
		list := rules.List{Entries: []adminapi.ListEntry{{EventUUID: "a"}, {EventUUID: "b", DateUUID: "1"}, {EventUUID: "c"}}}
		list.Put(test.put)
		if got := written(list); got != test.want {
			t.Errorf("%+v: %s, want %s", test.put, got, test.want)
		}
		key := rules.EntryKey{Event: test.put.EventUUID, Date: string(test.put.DateUUID)}
		if !list.Take(key) || list.Take(key) {
			t.Errorf("%+v is not taken once", test.put)
		}
	}
}

func written(list rules.List) string {
	var words []string
	for _, e := range list.Entries {
		word := e.EventUUID
		if e.DateUUID != "" {
			word += "/" + string(e.DateUUID)
		}
		if e.Note != "" {
			word += ":" + string(e.Note)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// noted returns some entries with the longest notes.
func noted(count int) (entries []adminapi.ListEntry) {
	for range count {
		entries = append(entries, adminapi.ListEntry{EventUUID: rulestest.NewID(), Note: value.Text(strings.Repeat("ö", 2_000))})
	}
	return entries
}
