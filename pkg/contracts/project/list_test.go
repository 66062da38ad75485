package project

import (
	"encoding/json"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// TestList: the document of a list holds its entries in order, and its public view does not, for
// some may name what is not public.
func TestList(t *testing.T) {
	t.Parallel()
	const id, event, date = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2d"
	list := change.List{
		UUID: id, Slug: "tipps", Name: "Tipps", Description: "Drei", ChangedAt: "2026-11-20T19:30:00Z",
		Titles:  []change.ListTitle{{Language: "da", Title: "Tips", Description: "Tre"}, {Language: "en", Title: "Picks"}},
		Entries: []change.ListEntry{{EventUUID: event, DateUUID: date, Note: "Unser Tipp"}, {EventUUID: event}},
	}
	changed, err := change.New(change.KindList, id, 7, list)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("https://example.org", "Europe/Berlin").Project(changed)
	if err != nil || documents.Index != document.Lists || documents.ID != id {
		t.Fatalf("%+v, %v", documents, err)
	}
	record := documents.Record.(document.List)
	view := record.View.Value
	if record.Revision != 7 || view.Titles["en"] != "Picks" || view.Descriptions["da"] != "Tre" || len(view.Descriptions) != 1 || view.Description != "Drei" {
		t.Errorf("%+v", record)
	}
	if entries := record.Entries.Value; len(entries) != 2 || entries[0] != list.Entries[0] || entries[1] != list.Entries[1] {
		t.Errorf("%+v", entries)
	}
	written, err := json.Marshal(view)
	if err != nil || strings.Contains(string(written), event) {
		t.Errorf("%s, %v", written, err)
	}
	gone, err := New("", "").Project(change.Change{Kind: change.KindList, ID: id, Revision: 8})
	if record, ok := gone.Record.(document.Record[json.RawMessage]); err != nil || !ok || !record.Gone || record.Revision != 8 {
		t.Errorf("%+v, %v", gone, err)
	}
	if changed, err = change.New(change.KindList, id, 9, change.List{UUID: event}); err != nil {
		t.Fatal(err)
	}
	if _, err := New("", "").Project(changed); err == nil {
		t.Error("a list under another id is projected")
	}
}
