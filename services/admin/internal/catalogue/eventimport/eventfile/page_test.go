package eventfile

import (
	"fmt"
	"strings"
	"testing"
)

// page is a page with scripts of JSON-LD.
func page(scripts ...string) string {
	var text strings.Builder
	text.WriteString("<!DOCTYPE html>\n<html><head><title>Programm</title><script>let a = '<b>';</script>\n")
	for _, script := range scripts {
		text.WriteString(`<script type="application/ld+json" class="yoast">` + script + "</script>\n")
	}
	return text.String() + "</head><body><h1>Programm</h1></body></html>"
}

// lines writes the events of a file, each with its dates and reasons.
func lines(t *testing.T, text string, fields ...string) []string {
	t.Helper()
	file, err := Read(t.Context(), []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if file.Format != FormatPage {
		t.Fatalf("read as %s", file.Format)
	}
	return linesOf(file, fields...)
}

func linesOf(file File, fields ...string) []string {
	var all []string
	for _, e := range file.Events {
		line := e.ExternalID + " " + e.Values[FieldTitle]
		for _, d := range e.Dates {
			line += " " + d.Start.String()
			if d.Start.Zone != nil {
				line += "Z"
			}
			if d.End != (Moment{}) {
				line += "/" + d.End.String()
			}
		}
		for _, field := range fields {
			line += " " + field + "=" + e.Values[field]
		}
		for _, why := range e.Reasons {
			line += fmt.Sprintf(" !%d %s %s", why.Row, why.Field, why.Code)
		}
		all = append(all, line)
	}
	return all
}

func wantLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPagesInAnyNesting: events of schema.org are found wherever a page has them.
func TestPagesInAnyNesting(t *testing.T) {
	t.Parallel()
	event := func(name string) string {
		return `{"@type": "Event", "@id": "` + name + `", "name": "` + name + `", "startDate": "2027-03-05T20:00"}`
	}
	for what, text := range map[string]string{
		"one":              page(event("a")),
		"a list":           page("[" + event("a") + "]"),
		"a graph":          page(`{"@context": "https://schema.org", "@graph": [{"@type": "WebPage", "name": "x"}, ` + event("a") + `]}`),
		"a list of items":  page(`{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "position": 1, "item": ` + event("a") + `}]}`),
		"of an entity":     page(`{"@type": "WebPage", "mainEntity": {"@type": "Organization", "event": [` + event("a") + `]}}`),
		"a file":           "\n" + event("a"),
		"a list in a file": "[[" + event("a") + "]]",
		"several scripts":  page(`{"@type": "BreadcrumbList"}`, "{broken", event("a")),
		"twice":            page(event("a"), `{"@type": "ItemList", "itemListElement": [`+event("a")+`]}`),
		"full names":       page(strings.Replace(event("a"), `"Event"`, `["https://schema.org/MusicEvent", "Thing"]`, 1)),
		"a prefix":         page(strings.Replace(event("a"), `"Event"`, `"schema:TheaterEvent"`, 1)),
		"a line break":     page(strings.Replace(event("a"), `"name"`, `"description": "One`+"\n"+`two", "name"`, 1)),
		"a comment":        page("<!-- " + event("a") + " -->"),
		"CDATA":            page("//<![CDATA[\n" + event("a") + "\n//]]>"),
		"no part of it":    page(strings.Replace(event("a"), `"name"`, `"superEvent": {"@type": "Event", "name": "Festival", "startDate": "2027-03-01"}, "name"`, 1)),
		"an upper type":    strings.Replace(page(event("a")), `"application/ld+json"`, `"Application/LD+JSON; charset=utf-8"`, 1),
		"another type":     strings.Replace(page(event("a"), event("b")), "ld+json", "json", 1) + page(event("a")),
	} {
		want := []string{"a a 2027-03-05T20:00"}
		if what == "another type" {
			want = append([]string{"b b 2027-03-05T20:00"}, want...)
		}
		wantLines(t, what, lines(t, text), want...)
	}
	for what, text := range map[string]string{
		"no event":    page(`{"@type": "WebPage", "name": "Event"}`),
		"no script":   page(),
		"broken":      page(`{"@type": "Event", "name": `),
		"an error":    "<html><body>503 Service Unavailable</body></html>",
		"deep enough": strings.Repeat("[", 200) + event("a") + strings.Repeat("]", 200),
	} {
		if file, err := Read(t.Context(), []byte(text), Options{}); err == nil {
			t.Errorf("%s: %+v", what, file.Events)
		}
	}
}

// TestPartsOfPages: sub-events are events of their own, or dates of their event if they have no
// title of their own.
func TestPartsOfPages(t *testing.T) {
	t.Parallel()
	const part = `{"@type": "Event", %s"startDate": "2027-03-%s"}`
	festival := `{"@type": "Festival", "@id": "f", "name": "Fest", %s"subEvent": [` +
		fmt.Sprintf(part, `"@id": "1", "name": "Jazz", `, "05T20:00") + ", " + fmt.Sprintf(part, `"@id": "2", "name": "Chor", `, "06T20:00") + `]}`
	wantLines(t, "a festival", lines(t, page(fmt.Sprintf(festival, `"startDate": "2027-03-05", "endDate": "2027-03-07", `))),
		"f Fest 2027-03-05/2027-03-07", "1 Jazz 2027-03-05T20:00", "2 Chor 2027-03-06T20:00")
	wantLines(t, "without a date", lines(t, page(fmt.Sprintf(festival, ""))), "1 Jazz 2027-03-05T20:00", "2 Chor 2027-03-06T20:00")
	run := `{"@type": "TheaterEvent", "@id": "r", "name": "Faust", "startDate": "2027-03-05", "endDate": "2027-03-06", "subEvent": [` +
		fmt.Sprintf(part, "", "05T20:00") + ", " + fmt.Sprintf(part, `"name": "Faust", "eventStatus": "EventCancelled", `, "06T20:00") + `]}`
	wantLines(t, "a run", lines(t, page(run), FieldTitle), "r Faust 2027-03-05T20:00 2027-03-06T20:00 title=Faust")
	file, err := Read(t.Context(), []byte(page(run)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if dates := file.Events[0].Dates; dates[0].Values[FieldStatus] != "" || dates[1].Values[FieldStatus] != StatusCancelled {
		t.Errorf("statuses of dates: %+v", dates)
	}
	const graph = `{"@graph": [{"@type": "Event", "@id": "e", "name": "Jazz", "startDate": "2027-03-05", "location": {"@id": "p"}},
		{"@type": "Place", "@id": "p", "name": "Saal", "address": {"@type": "PostalAddress", "addressLocality": "Kiel"}}]}`
	wantLines(t, "a reference", lines(t, page(graph), FieldVenue, FieldCity), "e Jazz 2027-03-05 venue=Saal city=Kiel")
}

// TestValuesOfPages: as programs write them.
func TestValuesOfPages(t *testing.T) {
	t.Parallel()
	event := func(values string) string {
		return page(`{"@type": "MusicEvent", "@id": "1", "name": "Jazz", ` + values + "}")
	}
	const day = `"startDate": "2027-03-05T20:00:00+01:00"`
	for values, want := range map[string]string{
		`"startDate": "2027-03-05T20:00:00+01:00", "endDate": "2027-03-05T22:00:00+0100"`:  "2027-03-05T19:00Z/2027-03-05T21:00",
		`"startDate": "2027-03-05T20:00:00.000Z"`:                                          "2027-03-05T20:00Z",
		`"startDate": "2027-03-05T20:00:00"`:                                               "2027-03-05T20:00",
		`"startDate": "2027-03-05 20:00", "endDate": "2027-03-05 20:00"`:                   "2027-03-05T20:00",
		`"startDate": "2027-03-05T00:00:00+01:00", "endDate": "2027-03-06T23:59:59+01:00"`: "2027-03-05/2027-03-06",
		`"startDate": "2027-03-05T00:00:00+01:00", "endDate": "2027-03-05T23:59:59+01:00"`: "2027-03-05",
		`"startDate": {"@type": "Date", "@value": "2027-03-05"}`:                           "2027-03-05",
		`"startDate": "soon"`:     " !1 start_date not_written_date",
		`"endDate": "2027-03-05"`: "/2027-03-05 !1 start_date required",
		day + `, "offers": {"price": "12", "priceCurrency": "EUR", "url": "https://t.example"}`:                                                       "2027-03-05T19:00Z price=12 EUR",
		day + `, "offers": [{"price": 8}, {"lowPrice": "12,50", "highPrice": 15, "priceCurrency": "EUR"}]`:                                            "2027-03-05T19:00Z price=8-15 EUR",
		day + `, "offers": {"price": 0, "priceCurrency": "EUR"}`:                                                                                      "2027-03-05T19:00Z price=free",
		day + `, "isAccessibleForFree": "https://schema.org/True"`:                                                                                    "2027-03-05T19:00Z price=free",
		day + `, "location": "Saal, Am Hafen 1, 24937 Flensburg"`:                                                                                     "2027-03-05T19:00Z venue=Saal, Am Hafen 1, 24937 Flensburg",
		day + `, "location": [{"@type": "VirtualLocation", "url": "https://l.example"}, {"@type": "Place", "name": "Saal", "address": "Am Hafen 1"}]`: "2027-03-05T19:00Z venue=Saal street=Am Hafen 1 online_link=https://l.example",
		day + `, "image": ["https://i.example/1.jpg", "https://i.example/2.jpg"]`:                                                                     "2027-03-05T19:00Z image=https://i.example/1.jpg",
		day + `, "image": {"@type": "ImageObject", "url": "https://i.example/3.jpg", "caption": "Band"}`:                                              "2027-03-05T19:00Z image=https://i.example/3.jpg image_alt=Band",
		day + `, "keywords": ["Jazz", "Swing"], "inLanguage": "de", "typicalAgeRange": "12-"`:                                                         "2027-03-05T19:00Z tags=Jazz, Swing languages=de age=12-",
		day + `, "eventStatus": "https://schema.org/EventPostponed"`:                                                                                  "2027-03-05T19:00Z status=deferred",
		day + `, "description": "<p>Mit <b>Pause</b> &amp; Bar</p>"`:                                                                                  "2027-03-05T19:00Z description=Mit **Pause** & Bar",
		day + `, "url": "https://example.org/jazz", "doorTime": "2027-03-05T19:30:00+01:00"`:                                                          "2027-03-05T19:00Z source_link=https://example.org/jazz entry_time=19:30",
	} {
		got := lines(t, event(values))[0]
		file, _ := Read(t.Context(), []byte(event(values)), Options{})
		for _, field := range []string{
			FieldPrice, FieldVenue, FieldStreet, FieldOnlineLink, FieldImage, FieldImageAlt, FieldTags, FieldLanguages, FieldAge, FieldStatus,
			FieldDescription, FieldSourceLink, FieldEntryTime,
		} {
			if text := file.Events[0].Values[field]; text != "" {
				got += " " + field + "=" + text
			}
		}
		if file.Events[0].Values[FieldKind] != "Concert" {
			t.Errorf("%s: %v", values, file.Events[0].Values)
		}
		if got = strings.TrimSpace(strings.TrimPrefix(got, "1 Jazz")); got != strings.TrimSpace(want) {
			t.Errorf("%s:\n%s, want\n%s", values, got, want)
		}
	}
}

// TestSchedules: an eventSchedule is as many dates as it means, but for those that it leaves out.
func TestSchedules(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]string{
		`"startDate": "2027-03-05", "endDate": "2027-03-20", "repeatFrequency": "P1W", "startTime": "20:00:00", "endTime": "22:00"`: "2027-03-05T20:00/2027-03-05T22:00 2027-03-12T20:00/2027-03-12T22:00 2027-03-19T20:00/2027-03-19T22:00",
		`"startDate": "2027-03-01", "endDate": "2027-03-08", "byDay": ["https://schema.org/Monday", "Wednesday"], "startTime": "20:00",
			"exceptDate": ["2027-03-03", "2027-03-08T20:00:00"]`: "2027-03-01T20:00",
		`"startDate": "2027-03-01", "repeatCount": 2, "repeatFrequency": "P1M", "byDay": "Tuesday", "byMonthWeek": 2, "startTime": "22:00",
			"endTime": "02:00"`: "2027-03-09T22:00/2027-03-10T02:00 2027-04-13T22:00/2027-04-14T02:00",
		`"startDate": "2027-03-26", "repeatFrequency": "weekly", "repeatCount": 2, "startTime": "20:00", "scheduleTimezone": "Europe/Berlin"`: "2027-03-26T19:00Z 2027-04-02T18:00Z",
		`"startDate": "2027-12-30", "repeatFrequency": "P2D"`:                                             "2027-12-30 2028-01-01",
		`"startDate": "2027-03-05", "startTime": "20:00"`:                                                 "2027-03-05T20:00",
		`"startDate": "2027-03-05", "repeatFrequency": "often"`:                                           " !1 start_date property_unreadable",
		`"startDate": "2027-03-05", "repeatFrequency": "P1D", "repeatCount": 1, "byDay": "Someday, once"`: " !1 start_date property_unreadable",
		`"startDate": "soon", "repeatFrequency": "P1D"`:                                                   " !1 start_date property_unreadable",
	} {
		text := page(`{"@type": "Event", "@id": "1", "name": "Jazz", "eventSchedule": {"@type": "Schedule", ` + schedule + `}}`)
		file, err := Read(t.Context(), []byte(text), Options{Until: "2028-01-01"})
		if err != nil || len(file.Events) != 1 {
			t.Errorf("%s: %+v, %v", schedule, file.Events, err)
			continue
		}
		got := strings.TrimSpace(strings.TrimPrefix(linesOf(file)[0], "1 Jazz"))
		got = strings.ReplaceAll(got, " | ", " ")
		if got != strings.TrimSpace(want) {
			t.Errorf("%s:\n%s, want\n%s", schedule, got, want)
		}
	}
	text := page(`{"@type": "Event", "name": "Jazz", "eventSchedule": {"startDate": "2027-03-05", "repeatFrequency": "P1D"}}`)
	if file, err := Read(t.Context(), []byte(text), Options{}); err != nil || file.Events[0].Reasons[0].Code != "rule_without_end" {
		t.Errorf("without an end: %+v, %v", file.Events, err)
	}
}

// TestMappedPages: properties may be mapped, but not those of the date.
func TestMappedPages(t *testing.T) {
	t.Parallel()
	text := page(`{"@type": "Event", "name": "Jazz", "alternateName": "Quartett", "startDate": "2027-03-05"}`)
	file, err := Read(t.Context(), []byte(text), Options{Mapping: map[string]string{"alternateName": FieldSummary}})
	if err != nil || file.Events[0].Values[FieldSummary] != "Quartett" || file.Columns[0].Name != "name" {
		t.Errorf("%+v, %v", file, err)
	}
	for name, field := range map[string]string{"name": FieldStartDate, "unknown": FieldTitle} {
		if _, err := Read(t.Context(), []byte(text), Options{Mapping: map[string]string{name: field}}); err == nil {
			t.Errorf("%s is mapped to %s", name, field)
		}
	}
}

// TestOnlyLinked keeps what is read of a page, and no more.
func TestOnlyLinked(t *testing.T) {
	t.Parallel()
	text := page(`{"@type": "Event", "@id": "a", "name": "Jazz für alle", "startDate": "2027-03-05T20:00"}`, `{"@id": "b"}`)
	long := strings.Replace(text, "<", "<p>"+strings.Repeat("x", 10_000)+"</p><", 1)
	short := OnlyLinked(t.Context(), []byte(long))
	if len(short) > len(text) {
		t.Errorf("%d bytes stay", len(short))
	}
	wantLines(t, "the event", lines(t, string(short)), lines(t, long)...)
	for _, other := range []string{"Titel;Datum\n", "\x00", "", `{"@type": "Event"}`} {
		if got := string(OnlyLinked(t.Context(), []byte(other))); got != other {
			t.Errorf("%q becomes %q", other, got)
		}
	}
}
