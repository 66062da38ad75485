package eventimport

import (
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// TestSeriesOfAFile: events belong to the series that they name by slug or title, and leave those
// that the file no longer names.
func TestSeriesOfAFile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	add := func(org, slug, title string, public bool) string {
		t.Helper()
		created, err := h.service.Editor.CreateSeries(h.owner, &rules.Series{
			OrgUUID: org, Slug: slug, Title: title, Public: public, Parts: []adminapi.SeriesPart{{Kind: "stage", Title: "Zelt"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return created.Answer.UUID
	}
	own, other := add(h.org, "hafenfest", "Hafenfest, groß", false), add(h.org, "jazz", "Jazz im Park", true)
	file := func(series string) string {
		return "ID;Titel;Datum;Beginn;Reihe\n1;Konzert;01.06.2027;20:00;" + series + "\n"
	}
	report := h.imported(file(`"Hafenfest, groß; JAZZ, Mond"`))
	event := h.event(report.Events[0].EventUUID)
	if got := fmt.Sprint(event.Series); got != fmt.Sprintf("[{%s accepted} {%s accepted}]", own, other) {
		t.Errorf("the series are %s: %+v", got, report.Events[0])
	}
	if notes := report.Events[0].Notes; len(notes) != 1 || notes[0].Field != "series" || !strings.Contains(fmt.Sprint(report.Events[0].Changes), "Jazz im Park") {
		t.Errorf("%+v", report.Events[0])
	}
	h.wantCounts("again", h.imported(file(`"Hafenfest, groß; JAZZ, Mond"`)), adminapi.ImportCounts{Rows: 1, Unchanged: 1})
	series, err := h.service.Editor.Series(h.owner, own)
	if err != nil {
		t.Fatal(err)
	}
	h.edit(report.Events[0].EventUUID, func(e *rules.Event) { e.Dates[0].SeriesPartUUID = value.Text(series.Answer.Parts[0].UUID) })
	h.imported(file("jazz"))
	if event = h.event(report.Events[0].EventUUID); len(event.Series) != 1 || event.Series[0].SeriesUUID != other || event.Dates[0].SeriesPartUUID != "" {
		t.Errorf("later: %+v, %+v", event.Series, event.Dates)
	}
}
