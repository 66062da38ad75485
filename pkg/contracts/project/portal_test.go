package project

import (
	"encoding/json"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// TestPortal: the public view of a portal does not say what it selects, which its document holds.
func TestPortal(t *testing.T) {
	t.Parallel()
	const id, org = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"
	portal := change.Portal{
		UUID: id, Slug: "kiel", Name: "Kiel", Titles: []change.PortalTitle{{Language: "da", Title: "Kiel på dansk"}},
		Look: change.PortalLook{Accent: "#0b5d3b"}, Filter: json.RawMessage(`{"city":"Kiel"}`),
		Exclude: change.PortalSelection{OrgUUIDs: []string{org}}, ChangedAt: "2026-11-20T19:30:00Z",
	}
	changed, err := change.New(change.KindPortal, id, 7, portal)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("https://example.org", "Europe/Berlin").Project(changed)
	if err != nil || documents.Index != document.Portals || documents.ID != id {
		t.Fatalf("%+v, %v", documents, err)
	}
	record := documents.Record.(document.Portal)
	view := record.View.Value
	if record.Revision != 7 || view.Slug != "kiel" || view.Titles["da"] != "Kiel på dansk" || view.Accent != "#0b5d3b" || view.Languages == nil {
		t.Errorf("%+v", record)
	}
	written, err := json.Marshal(view)
	if err != nil || strings.Contains(string(written), org) || strings.Contains(string(written), "filter") {
		t.Errorf("%s, %v", written, err)
	}
	if selects := record.Selects.Value; string(selects.Filter) != `{"city":"Kiel"}` || selects.Exclude.OrgUUIDs[0] != org {
		t.Errorf("%+v", selects)
	}
	gone, err := New("", "").Project(change.Change{Kind: change.KindPortal, ID: id, Revision: 8})
	if record, ok := gone.Record.(document.Record[json.RawMessage]); err != nil || !ok || !record.Gone || record.Revision != 8 {
		t.Errorf("%+v, %v", gone, err)
	}
	for _, broken := range []change.Portal{{UUID: org, Filter: portal.Filter}, {UUID: id}} {
		if changed, err = change.New(change.KindPortal, id, 9, broken); err != nil {
			t.Fatal(err)
		}
		if _, err := New("", "").Project(changed); err == nil {
			t.Errorf("%+v is projected", broken)
		}
	}
}
