package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// TestSeriesOfDatesWithoutEnd: a series without days of its own has no end if one of its dates has
// none.
func TestSeriesOfDatesWithoutEnd(t *testing.T) {
	client := indextest.New(t)
	of := func(name byte, day, end string, endDay hours.Day) []byte {
		return encode(t, dated{name, day, end, "Ausstellung", func(d *dateDraft) {
			d.SeriesUUIDs = []string{seriesID}
			d.doc.EndDay, d.doc.EndsAt = endDay.Number(), endDay.Time().Unix()
		}}.document())
	}
	unbound := publicapi.Series{UUID: seriesID, Slug: "museum", OrgUUID: orgNord, Title: "Museum", Parts: []publicapi.SeriesPart{}}
	put(t, client, document.Series, encode(t, recordOf(seriesID, unbound, unbound.Title, "")))
	last, _ := hours.ParseDay("2027-01-10")
	put(t, client, document.Dates, of('a', "2026-12-01", "2027-01-10", last))
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for _, want := range []string{"2026-12-01 2027-01-10", "2026-12-01 "} {
		var got enveloped[publicapi.ShownSeries]
		s.get(t, "/api/series/museum", &got)
		if is := string(got.Data.StartDate) + " " + string(got.Data.EndDate); is != want {
			t.Errorf("the days %s, want %s", is, want)
		}
		put(t, client, document.Dates, of('b', "2026-12-03", "", hours.Forever))
	}
}

// TestSeriesForSearchEnginesInLanguages: the events of a series have the texts of the language that
// it is asked for.
func TestSeriesForSearchEnginesInLanguages(t *testing.T) {
	client := indextest.New(t)
	series := publicapi.Series{UUID: seriesID, Slug: "fest", OrgUUID: orgNord, Title: "Fest", Parts: []publicapi.SeriesPart{}}
	put(t, client, document.Series, encode(t, recordOf(seriesID, series, series.Title, "")))
	put(t, client, document.Dates, encode(t, dated{'a', "2026-12-01T20:00", "", "Konzert", func(d *dateDraft) {
		d.SeriesUUIDs, d.Texts = []string{seriesID}, map[string]publicapi.EntryText{"da": {Title: "Koncert"}}
		d.doc.EndsAt = time.Date(2026, 12, 1, 22, 0, 0, 0, time.UTC).Unix()
	}}.document()))
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for lang, title := range map[string]string{"": "Konzert", "en": "Konzert", "da": "Koncert"} {
		response, body := s.do(t, http.MethodGet, "/api/series/fest.jsonld?lang="+lang, "")
		if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"name":"`+title+`"`) {
			t.Errorf("in %q: %s %s", lang, response.Status, body)
		}
	}
}

// TestSeriesOfAPortalForSearchEngines: in a portal a series has the dates that visitors see there.
func TestSeriesOfAPortalForSearchEngines(t *testing.T) {
	client := indextest.New(t)
	fest := publicapi.Series{UUID: seriesID, Slug: "fest", OrgUUID: orgNord, Title: "Fest", Parts: []publicapi.SeriesPart{}}
	put(t, client, document.Series, encode(t, recordOf(seriesID, fest, fest.Title, "")))
	put(t, client, document.Portals, encode(t, portalOf("jazz", document.PortalSelects{Filter: json.RawMessage(`{"event_uuids":["` + eventID('a') + `"]}`)})))
	for key, title := range map[byte]string{'a': "Puppen", 'b': "Rock"} {
		put(t, client, document.Dates, encode(t, dated{key, "2026-12-01T20:00", "", title, func(d *dateDraft) {
			d.SeriesUUIDs, d.doc.EndsAt = []string{seriesID}, time.Date(2026, 12, 1, 22, 0, 0, 0, time.UTC).Unix()
		}}.document()))
	}
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for query, want := range map[string]string{"": "Puppen Rock", "?portal=jazz": "Puppen", "?portal=nix": "invalid_parameters portal", "?list=x": "invalid_parameters list"} {
		_, body := s.do(t, http.MethodGet, "/api/series/fest.jsonld"+query, "")
		for _, word := range strings.Fields(want) {
			if !strings.Contains(string(body), word) || want == "Puppen" && strings.Contains(string(body), "Rock") {
				t.Errorf("%s: %s", query, body)
			}
		}
	}
}

// TestFeedsOfASeriesHaveItsImage, also those of its parts, and no other feeds.
func TestFeedsOfASeriesHaveItsImage(t *testing.T) {
	s := newSite(t, seeded(t))
	for format, want := range map[string]string{
		"atom": "<logo>%s?ratio=2:1&amp;width=960</logo>", "rss": "<image><url>%s?ratio=3:2&amp;width=480</url>", "json": `"icon":"%s?ratio=1:1\u0026width=480"`,
	} {
		want = fmt.Sprintf(want, "https://litfass.example/api/image/"+seriesImage+"/75e5d67fdcde")
		for query, has := range map[string]bool{
			"?series_uuids=" + seriesID: true, "?series_uuids=" + partID: true, "?series_uuids=" + seriesID + "," + dateID('x'): false, "": false,
		} {
			response, body := s.do(t, http.MethodGet, "/api/events."+format+query, "")
			if got := strings.Contains(string(body), want); response.StatusCode != http.StatusOK || got != has || strings.Contains(string(body), seriesImage) != has {
				t.Errorf("%s%s: %s, the image: %t in %.600s", format, query, response.Status, got, body)
			}
		}
	}
}

// TestSlugsAreNoUUIDsOfOthers: a series whose slug is the uuid of another one, or of its part, is
// not found in its place.
func TestSlugsAreNoUUIDsOfOthers(t *testing.T) {
	client := indextest.New(t)
	fest := publicapi.Series{UUID: seriesID, Slug: "fest", OrgUUID: orgNord, Title: "Fest", Parts: []publicapi.SeriesPart{{UUID: partID, Title: "Zelt"}}}
	put(t, client, document.Series, encode(t, recordOf(fest.UUID, fest, fest.Title, "")))
	for n, uuid := range []string{seriesID, partID} {
		other := publicapi.Series{UUID: dateID(byte(n)), Slug: uuid, OrgUUID: orgSued, Title: "Gekapert", Parts: []publicapi.SeriesPart{}}
		put(t, client, document.Series, encode(t, recordOf(other.UUID, other, other.Title, "")))
	}
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for _, name := range []string{seriesID, partID, strings.ToUpper(seriesID), "fest"} {
		var got enveloped[publicapi.ShownSeries]
		if s.get(t, "/api/series/"+name, &got); got.Data.Title != "Fest" {
			t.Errorf("%s is %s", name, got.Data.Title)
		}
	}
}

// TestDaysOfSeriesAreCached: a page of series asks for hundreds of days, but only after a date of a
// series has changed.
func TestDaysOfSeriesAreCached(t *testing.T) {
	client := indextest.New(t)
	fest := publicapi.Series{UUID: seriesID, Slug: "fest", OrgUUID: orgNord, Title: "Fest", Parts: []publicapi.SeriesPart{}}
	put(t, client, document.Series, encode(t, recordOf(fest.UUID, fest, fest.Title, "")))
	moment := time.Now()
	signal := cache.NewSignal(func() time.Time { return moment }) // which never falls silent
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Sequence: 1})
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	comes := func(name byte) {
		day := time.Date(2026, 12, int(name-'a')+1, 0, 0, 0, 0, time.UTC)
		put(t, client, document.Dates, encode(t, dated{name, day.Format(time.DateOnly), "", "Konzert", func(d *dateDraft) {
			d.SeriesUUIDs, d.doc.EndsAt = []string{seriesID}, day.Unix()
		}}.document()))
	}
	wants := func(what, want string) {
		t.Helper()
		var got enveloped[publicapi.AllSeries]
		s.get(t, "/api/series", &got)
		if one := got.Data.Series[0]; fmt.Sprint(one.Dates, " to ", one.EndDate) != want {
			t.Errorf("%s: %d to %s, want %s", what, one.Dates, one.EndDate, want)
		}
	}
	comes('a')
	wants("a date", "1 to 2026-12-01")
	comes('b')
	wants("another date that is not signalled yet", "1 to 2026-12-01")
	after := applied.Attributes{"series_uuids": json.RawMessage(`["` + seriesID + `"]`)}
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Sequence: 2, Batch: &applied.Batch{Dates: []applied.Date{{ID: dateID('b'), After: after}}}})
	wants("its signal", "2 to 2026-12-02")
}
