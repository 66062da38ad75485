package changes

import (
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
)

// TestChangesInAList: the filter finds the dates of the list's events and its single dates, and is
// another one after an edit of the list.
func TestChangesInAList(t *testing.T) {
	list := func(id string, entries ...change.ListEntry) *curated.List {
		return curated.New(document.List{
			Record:  document.Record[publicapi.List]{View: &document.Encoded[publicapi.List]{Value: publicapi.List{UUID: id}}},
			Entries: document.Encoded[[]change.ListEntry]{Value: entries},
		})
	}
	all := filtered(t, "")
	f := all.InList(list("l1", change.ListEntry{EventUUID: "e1"}, change.ListEntry{EventUUID: "e2", DateUUID: "d2"}))
	for _, test := range []struct {
		event, date string
		want        bool
	}{{"e1", "d1", true}, {"e1", "d9", true}, {"e2", "d2", true}, {"e2", "d3", false}, {"e3", "d4", false}} {
		found := cache.NewDocument(applied.Attributes{"uuid": []byte(`"` + test.event + `"`), "date_uuid": []byte(`"` + test.date + `"`)})
		if got := f.finds(&doc{found: found}); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
	for _, test := range []struct {
		change published
		want   bool
	}{
		{published{kind: change.KindList, id: "l1"}, true}, {published{kind: change.KindList, id: "l2"}, false},
		{published{kind: change.KindPortal, id: "l1"}, false},
	} {
		if f.outdatedBy(&test.change) != test.want || all.outdatedBy(&test.change) {
			t.Errorf("%+v", test)
		}
	}
	if other := all.InList(list("l1", change.ListEntry{EventUUID: "e1"})); other.key == f.key || f.key == all.key {
		t.Errorf("%q, %q and %q", f.key, other.key, all.key)
	}
}
