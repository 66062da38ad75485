package project

import (
	"encoding/json"
	"reflect"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/media/imaging"
)

// TestSeries: the document of a series has its whole view, and the name by which facets call it.
func TestSeries(t *testing.T) {
	t.Parallel()
	const image = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2e"
	const id, org, part = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c", "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2d"
	series := change.Series{
		UUID: id, Organization: change.Organizer{UUID: org, Name: "Hafen", WebLink: "https://hafen.example"}, Slug: "fest", Title: "Fest", Subtitle: "Drei Tage",
		Description: "Lang", WebLink: "https://fest.example", StartDate: "2026-11-20", EndDate: "2026-11-22", ChangedAt: "2026-11-20T19:30:00Z",
		Parts: []change.PartOfSeries{{UUID: part, Kind: "stage", Title: "Zelt", Description: "Am Kai"}},
		Image: &change.Image{
			UUID: image, Identifier: "main", MimeType: "image/jpeg", Width: 640, Height: 480, AltText: "Schiffe", Description: "Am Kai", License: "cc-by",
			CreatorName: "Ada", Copyright: "© Hafen", FocusX: new(0.5), FocusY: new(0.25), AIGenerated: true,
		},
		TextLanguage: "de",
		Texts: map[string]change.SeriesText{
			"en": {Subtitle: "Three days"},
			"da": {Title: "Fest!", Description: "Langt", Images: map[string]change.ImageText{image: {AltText: "Skibe"}}},
		},
	}
	changed, err := change.New(change.KindSeries, id, 7, series)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("https://example.org", "Europe/Berlin").Project(changed)
	if err != nil || documents.Index != document.Series || documents.ID != id {
		t.Fatalf("%+v, %v", documents, err)
	}
	record := documents.Record.(document.Record[publicapi.Series])
	want := publicapi.Series{
		UUID: id, Slug: "fest", OrgUUID: org, OrgName: "Hafen", OrgWebLink: "https://hafen.example", Title: "Fest", Subtitle: "Drei Tage",
		Description: "Lang", WebLink: "https://fest.example", StartDate: "2026-11-20", EndDate: "2026-11-22",
		Parts: []publicapi.SeriesPart{{UUID: part, Kind: "stage", Title: "Zelt", Description: "Am Kai"}},
		Image: &publicapi.Image{
			UUID: image, Identifier: "main", Path: "https://example.org/api/image/" + image + "/" + imaging.Version(image, imaging.FocusAt(new(0.5), new(0.25))),
			MimeType: "image/jpeg", Width: 640, Height: 480, AltText: "Schiffe", Description: "Am Kai", License: "cc-by", CreatorName: "Ada",
			Copyright: "© Hafen", FocusX: new(0.5), FocusY: new(0.25), Texts: map[string]publicapi.ImageText{"da": {AltText: "Skibe"}}, AIGenerated: true,
		},
		TextLanguage: "de", TextLanguages: []string{"de", "da", "en"},
		Texts: map[string]publicapi.SeriesText{"da": {Title: "Fest!", Description: "Langt"}, "en": {Subtitle: "Three days"}},
	}
	if !reflect.DeepEqual(record.View.Value, want) || record.Name != "Fest" || record.Revision != 7 || record.ChangedAt != "2026-11-20T19:30:00Z" {
		t.Errorf("%+v", record)
	}
	gone, err := New("", "").Project(change.Change{Kind: change.KindSeries, ID: id, Revision: 8})
	if record, ok := gone.Record.(document.Record[json.RawMessage]); err != nil || !ok || !record.Gone || record.Revision != 8 {
		t.Errorf("%+v, %v", gone, err)
	}
	if changed, err = change.New(change.KindSeries, id, 9, change.Series{UUID: org}); err != nil {
		t.Fatal(err)
	}
	if _, err := New("", "").Project(changed); err == nil {
		t.Error("a series under another id is projected")
	}
}
