package event

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/sitetest"
)

// withDates returns an API whose event has dates, given as day and status.
func withDates(dates ...[2]string) *sitetest.EntityAPI {
	api := &sitetest.EntityAPI{Event: publicapi.EventDetails{Event: publicapi.Event{UUID: sitetest.EventUUID, Title: "Jazz", ReleaseStatus: "released"}}}
	for i, given := range dates {
		uuid := fmt.Sprintf("01920000-0000-7000-8000-0000000000d%d", i)
		api.Event.Dates = append(api.Event.Dates, sitetest.Dated(publicapi.Date{TicketLink: "https://tickets.example/"}, uuid, given[0], given[1]))
	}
	return api
}

// shownDate returns the uuid of the date that a page shows above all.
func shownDate(t *testing.T, page string) string {
	t.Helper()
	for _, element := range sitetest.Elements(t, page) {
		if element.Data == "article" && attribute(element, "data-event") == sitetest.EventUUID {
			return attribute(element, "data-date")
		}
	}
	return ""
}

func attribute(element *html.Node, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}

func TestTheDateThatIsShown(t *testing.T) {
	const first, second, third = "01920000-0000-7000-8000-0000000000d0", "01920000-0000-7000-8000-0000000000d1", "01920000-0000-7000-8000-0000000000d2"
	past, cancelled, next := [2]string{"2026-11-21", "released"}, [2]string{"2026-11-23", "cancelled"}, [2]string{"2026-11-24", "released"}
	today := [2]string{"2026-11-22", "released"}
	for name, test := range map[string]struct {
		dates [][2]string
		asked string
		want  string
	}{
		"the next that takes place": {[][2]string{past, cancelled, next}, "", third},
		"today":                     {[][2]string{today, next}, "", first},
		"the next, all cancelled":   {[][2]string{past, cancelled, cancelled}, "", second},
		"the last, all over":        {[][2]string{past, past}, "", second},
		"by uuid":                   {[][2]string{past, cancelled, next}, "?date=" + first, first},
		"by uuid in capitals":       {[][2]string{past, cancelled, next}, "?date=" + strings.ToUpper(first), first},
		"by slug":                   {[][2]string{past, cancelled, next}, "?date=2026-11-23", second},
		"of another event":          {[][2]string{past, next}, "?date=" + sitetest.VenueUUID, second},
		"no date":                   {nil, "", ""},
	} {
		app := sitetest.Over(t, withDates(test.dates...), sitetest.Sunday, Mount)
		page := sitetest.Page(t, app, "/event/"+sitetest.EventUUID+test.asked)
		if got := shownDate(t, page); got != test.want {
			t.Errorf("%s: shows %q, want %q", name, got, test.want)
		}
		gone := strings.Contains(page, "The date in this link is no longer planned")
		if gone != (name == "of another event") {
			t.Errorf("%s: says that the date is gone: %t", name, gone)
		}
	}
}

// TestCancelledDates are struck through and say so in words, and offer neither ticket nor calendar.
func TestCancelledDates(t *testing.T) {
	app := sitetest.Over(t, withDates([2]string{"2026-11-23", "cancelled"}, [2]string{"2026-11-24", "released"}), sitetest.Sunday, Mount)
	for lang, words := range map[string][2]string{
		"en": {"This date has been cancelled.", "Cancelled"}, "de": {"Dieser Termin fällt aus.", "Fällt aus"}, "da": {"Denne dato er aflyst.", "Aflyst"},
	} {
		page := sitetest.Page(t, app, "/event/"+sitetest.EventUUID+"?date=2026-11-23&lang="+lang)
		struck := 0
		for _, element := range sitetest.Elements(t, page) {
			if element.Data == "s" && strings.Contains(attribute(element.FirstChild, "datetime"), "2026-11-23") {
				struck++
			}
		}
		if struck != 2 || !strings.Contains(page, words[0]) || !strings.Contains(page, words[1]) {
			t.Errorf("in %s: struck %d times, %s", lang, struck, page)
		}
		if strings.Contains(page, sitetest.EventUUID+"/date/01920000-0000-7000-8000-0000000000d0.ics") ||
			strings.Count(page, "https://tickets.example/") != 1 {
			t.Errorf("in %s: a cancelled date is offered: %s", lang, page)
		}
	}
}

// TestManyDates: past and far dates are folded, and all are there.
func TestManyDates(t *testing.T) {
	given := [][2]string{{"2026-11-01", "released"}}
	for day := range 9 {
		given = append(given, [2]string{fmt.Sprintf("2026-12-%02d", day+1), "released"})
	}
	page := sitetest.Page(t, sitetest.Over(t, withDates(given...), sitetest.Sunday, Mount), "/event/"+sitetest.EventUUID+"?lang=en")
	for _, want := range []string{"All 10 dates", "1 more date<", "1 past date<"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if listed, folded := strings.Count(page, `<li class="date`), strings.Count(page, `<a href="?date=2026-1`); listed != 8 || folded != 2 {
		t.Errorf("%d dates are listed and %d folded, want %d", listed, folded, len(given))
	}
	if strings.Contains(page, "date-calendar") || strings.Contains(page, " · 20:00</") {
		t.Error("the dates of a long event are not brief")
	}
	if got := strings.Count(page, `aria-current="true"`); got != 2 { // the date, and the language
		t.Errorf("%d are current", got)
	}
}

// TestFoldedDatesSayWhatDiffers: hours where they are not all the same, and what happens to a date.
func TestFoldedDatesSayWhatDiffers(t *testing.T) {
	var given [][2]string
	for day := range 12 {
		given = append(given, [2]string{fmt.Sprintf("2026-12-%02d", day+1), "released"})
	}
	given[10][1] = "cancelled"
	api := withDates(given...)
	api.Event.Dates[9].StartTime, api.Event.Dates[11].StatusNote = "18:00", "Im großen Saal"
	page := eventIn(t, api, "?lang=de&date=2026-12-12")
	_, folded, _ := strings.Cut(page, `class="date-fold`)
	sitetest.Wants(t, folded, `<a href="?date=2026-12-10&amp;lang=de">Do, 10. Dez. · 18:00 Uhr</a>`,
		`<s>Fr, 11. Dez. · 20:00 Uhr</s></a><strong class="tag tag-cancelled">Fällt aus</strong>`,
		`aria-current="true">Sa, 12. Dez. · 20:00 Uhr</a><span class="date-note" dir="auto">Im großen Saal</span>`)
}

// TestALongEventStaysLight: the page of an event with 200 dates leads to each of them.
func TestALongEventStaysLight(t *testing.T) {
	var given [][2]string
	for n := range 200 {
		given = append(given, [2]string{sitetest.Sunday.AddDate(0, 0, n).Format(time.DateOnly), "released"})
	}
	page := eventIn(t, withDates(given...), "")
	if len(page) > 40_000 { // linked data and events like it may have as much again as half of it
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, date := range given[8:] {
		if !strings.Contains(page, `<a href="?date=`+date[0]+`"`) {
			t.Errorf("there is no link to %s", date[0])
		}
	}
}
