package project

import (
	"encoding/json"
	"slices"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// TestContributor: a contributor is found by its name and by the uuids of those that were merged
// into it.
func TestContributor(t *testing.T) {
	t.Parallel()
	const id, former = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"
	changed, err := change.New(change.KindContributor, id, 7, change.Contributor{
		UUID: id, Type: "group", Name: "Trio Nörd", Note: "Kiel", Description: "Drei", WebLink: "https://trio.example", Wikidata: "Q254",
		FormerUUIDs: []string{former}, ChangedAt: "2026-11-20T19:30:00Z",
	})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("https://example.org", "Europe/Berlin").Project(changed)
	if err != nil || documents.Index != document.Contributors || documents.ID != id || documents.Name != "Trio Nörd" {
		t.Fatalf("%+v, %v", documents, err)
	}
	record := documents.Record.(document.Contributor)
	want := publicapi.Contributor{
		UUID: id, Type: "group", Name: "Trio Nörd", Note: "Kiel", Description: "Drei", WebLink: "https://trio.example", Wikidata: "Q254",
	}
	if record.Revision != 7 || record.View.Value != want || record.NameWords != "trio nord" || record.City != "Kiel" ||
		!slices.Equal(record.FormerUUIDs, []string{former}) || record.ChangedAt != "2026-11-20T19:30:00Z" {
		t.Errorf("%+v", record)
	}
}

// TestContributorsOfADate: dates without contributors have no attribute of theirs; others have the
// uuids and names once each, in any number of roles.
func TestContributorsOfADate(t *testing.T) {
	t.Parallel()
	const id = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	e := change.Event{UUID: id, Title: "x", Dates: []change.Date{{UUID: "a", StartDate: "2026-11-20", AllDay: true}}}
	date := func() (d document.Date, attributes map[string]any) {
		changed, err := change.New(change.KindEvent, id, 7, e)
		if err != nil {
			t.Fatal(err)
		}
		documents, err := New("https://example.org", "Europe/Berlin").Project(changed)
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(documents.Dates[0])
		if err == nil {
			err = json.Unmarshal(line, &attributes)
		}
		if err != nil {
			t.Fatal(err)
		}
		return documents.Dates[0], attributes
	}
	_, attributes := date()
	for _, name := range []string{"contributor_uuids", "contributor_words"} {
		if value, exists := attributes[name]; exists {
			t.Errorf("%s is %v", name, value)
		}
	}
	e.Contributors = []change.Participant{
		{UUID: "b", Role: "soloist", Name: "Anna Thomsen"}, {UUID: "c", Role: "ensemble", Name: "Trio", FormerUUIDs: []string{"d"}},
		{UUID: "b", Role: "author", Name: "Anna Thomsen"},
	}
	if d, _ := date(); !slices.Equal(d.ContributorUUIDs, []string{"b", "c", "d"}) || d.ContributorWords != "anna thomsen trio" {
		t.Errorf("%v %q", d.ContributorUUIDs, d.ContributorWords)
	}
}
