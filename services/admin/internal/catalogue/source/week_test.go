package source

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// gig is an event of a source as its program has it, in local time.
type gig struct{ id, title, day, clock string }

// at formats the start of a gig in a zone.
func (g gig) at(h *house, layout string, zone *time.Location) string {
	h.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", g.day+" "+g.clock, h.zone)
	if err != nil {
		h.Fatal(err)
	}
	return at.In(zone).Format(layout)
}

// program is a source of the week: how it writes its gigs, and how it is read.
type program struct {
	name, path string
	minutes    int
	missing    string
	named      bool // it names the venue
	write      func(h *house, venue string, gigs []gig) string
	change     func(*adminapi.SourceBody)

	id, venue string
	gigs      []gig
	version   int // of the file
	status    int // of its server, 0 for the file
	empty     bool
	edited    map[string]string // titles that people gave, by ids
	gone      map[string]bool   // ids that have vanished from it
	stack     *other            // another Litfass, nil for a file
}

const calendarBegin = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"

func google(h *house, venue string, gigs []gig) string {
	text := calendarBegin + "PRODID:-//Google Inc//Google Calendar 70.9054//EN\r\nCALSCALE:GREGORIAN\r\nX-WR-CALNAME:Programm\r\n" +
		"X-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:DAYLIGHT\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n" +
		"DTSTART:19700329T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:+0200\r\n" +
		"TZOFFSETTO:+0100\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
	for _, g := range gigs {
		at := g.at(h, "20060102T150405", h.zone)
		text += "BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Berlin:" + at + "\r\nDTSTAMP:" + h.clock.Now().Format("20060102T150405Z") +
			"\r\nUID:" + g.id + "@google.com\r\nDESCRIPTION:<p>Mit <b>Pause</b>\\, Bar ge\r\n öffnet</p>\r\nLOCATION:" + venue + "\\, Am Hafen 1\\, 24937 Flensburg\r\n" +
			"SEQUENCE:0\r\nSTATUS:CONFIRMED\r\nSUMMARY:" + g.title + "\r\nTRANSP:OPAQUE\r\nEND:VEVENT\r\n"
	}
	return text + "END:VCALENDAR\r\n"
}

func outlook(h *house, _ string, gigs []gig) string {
	text := calendarBegin + "METHOD:PUBLISH\r\nPRODID:Microsoft Exchange Server 2010\r\nX-WR-CALNAME:Kalender\r\n"
	for _, g := range gigs {
		text += "BEGIN:VEVENT\r\nUID:040000008200E00074C5B7101A82E008" + g.id + "\r\nSUMMARY;LANGUAGE=de-DE:" + g.title +
			"\r\nDTSTART;TZID=W. Europe Standard Time:" + g.at(h, "20060102T150405", h.zone) + "\r\nCLASS:PUBLIC\r\nPRIORITY:5\r\n" +
			"X-MICROSOFT-CDO-BUSYSTATUS:BUSY\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n"
	}
	return text + "END:VCALENDAR\r\n"
}

func wordpressFeed(h *house, venue string, gigs []gig) string {
	text := calendarBegin + "PRODID:-//Kulturhaus - ECPv6.8.2//NONSGML v1.0//EN\r\nX-ORIGINAL-URL:https://example.org\r\n"
	for _, g := range gigs {
		text += "BEGIN:VEVENT\r\nDTSTART:" + g.at(h, "20060102T150405Z", time.UTC) + "\r\nDTSTAMP:" + h.clock.Now().Format("20060102T150405") +
			"\r\nUID:" + g.id + "-1741-1742@example.org\r\nSUMMARY:" + g.title + "\r\nDESCRIPTION:Text\\nmit Zeilen\r\nURL:https://example.org/event/" + g.id +
			"\r\nLOCATION:" + venue + "\r\nCATEGORIES:Musik\r\nEND:VEVENT\r\n"
	}
	return text + "END:VCALENDAR\r\n"
}

func litfassFeed(h *house, venue string, gigs []gig) string {
	text := calendarBegin + "PRODID:-//Litfass//EN\r\n"
	for _, g := range gigs {
		text += "BEGIN:VEVENT\r\nUID:" + g.id + "@litfass.example\r\nSUMMARY:" + g.title + "\r\nDTSTART;TZID=Europe/Berlin:" +
			g.at(h, "20060102T150405", h.zone) + "\r\nLOCATION:" + venue + "\\, Kiel\r\nURL:https://litfass.example/event/" + g.id + "\r\nEND:VEVENT\r\n"
	}
	return text + "END:VCALENDAR\r\n"
}

func htmlPage(h *house, linked any) string {
	h.Helper()
	data, err := json.Marshal(linked)
	if err != nil {
		h.Fatal(err)
	}
	return "<!DOCTYPE html><html><head><script>1 < 2</script><script type=\"application/ld+json\">" + string(data) +
		"</script></head><body><p>Stand: " + h.clock.Now().String() + "</p></body></html>"
}

func wordpressPage(h *house, venue string, gigs []gig) string {
	list := []any{}
	for _, g := range gigs {
		list = append(list, map[string]any{
			"@context": "http://schema.org", "@type": "Event", "name": html.EscapeString(g.title), "description": "&lt;p&gt;Text&lt;/p&gt;\\n",
			"url": "https://example.org/veranstaltung/" + g.id + "/", "eventStatus": "https://schema.org/EventScheduled",
			"startDate": g.at(h, "2006-01-02T15:04:05-07:00", h.zone), "endDate": g.at(h, "2006-01-02T15:04:05-07:00", h.zone),
			"location":  map[string]any{"@type": "Place", "name": venue, "address": map[string]any{"@type": "PostalAddress", "addressLocality": "Kiel"}},
			"organizer": map[string]any{"@type": "Person", "name": "Kulturhaus"}, "performer": "Organization",
		})
	}
	return htmlPage(h, list)
}

func graphPage(h *house, venue string, gigs []gig) string {
	items := []any{}
	for i, g := range gigs {
		items = append(items, map[string]any{"@type": "ListItem", "position": i + 1, "item": map[string]any{
			"@type": []string{"TheaterEvent"}, "@id": "#" + g.id, "name": g.title, "startDate": g.at(h, "2006-01-02T15:04", h.zone),
			"location": map[string]any{"@id": "#place"},
		}})
	}
	return htmlPage(h, map[string]any{"@context": "https://schema.org", "@graph": []any{
		map[string]any{"@type": "WebPage", "name": "Spielplan", "mainEntity": map[string]any{"@type": "ItemList", "itemListElement": items}},
		map[string]any{"@type": "PerformingArtsTheater", "@id": "#place", "name": venue},
	}})
}

func partsPage(h *house, _ string, gigs []gig) string {
	list := []any{}
	for _, g := range gigs {
		list = append(list, map[string]any{"@type": "MusicEvent", "@id": g.id, "name": g.title,
			"offers":   map[string]any{"@type": "AggregateOffer", "lowPrice": 8, "highPrice": "12.50", "priceCurrency": "EUR"},
			"subEvent": []any{map[string]any{"@type": "Event", "startDate": g.at(h, "2006-01-02T15:04:05Z", time.UTC)}},
		})
	}
	return htmlPage(h, map[string]any{"@type": "Organization", "event": list})
}

func jsonFile(h *house, _ string, gigs []gig) string {
	h.Helper()
	list := []any{}
	for _, g := range gigs {
		list = append(list, map[string]any{"@type": "Event", "identifier": map[string]any{"@type": "PropertyValue", "value": g.id}, "name": g.title,
			"startDate": g.at(h, "2006-01-02T15:04:05-0700", h.zone)})
	}
	data, err := json.Marshal(list)
	if err != nil {
		h.Fatal(err)
	}
	return string(data)
}

func windowsTable(h *house, venue string, gigs []gig) string {
	h.Helper()
	text := "Veranstaltungsübersicht;;;;\r\nNr.;Titel;Datum;Beginn;Spielstätte\r\n"
	for _, g := range gigs {
		text += g.id + ";\"" + g.title + "\";" + g.at(h, "02.01.2006", h.zone) + ";" + g.at(h, "15.04", h.zone) + " Uhr;" + venue + "\r\n"
	}
	encoded, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		h.Fatal(err)
	}
	return encoded
}

func mappedTable(h *house, _ string, gigs []gig) string {
	text := "Ref,Playing,On,Curtain\n"
	for _, g := range gigs {
		text += g.id + "," + g.title + "," + g.at(h, "01/02/2006", h.zone) + "," + g.at(h, "3:04 PM", h.zone) + "\n"
	}
	return text
}

func spreadsheet(h *house, venue string, gigs []gig) string {
	h.Helper()
	table := [][]string{{"ID", "Titel", "Datum", "Uhrzeit", "Ort"}}
	for _, g := range gigs {
		table = append(table, []string{g.id, g.title, g.day, g.clock, venue})
	}
	rows := ""
	for i, cells := range table {
		rows += "<row>"
		for j, text := range cells {
			rows += fmt.Sprintf(`<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+j, i+1, html.EscapeString(text))
		}
		rows += "</row>"
	}
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for _, part := range [][2]string{
		{"xl/workbook.xml", `<workbook ` + main + ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` +
			`<sheet name="Programm" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", "<worksheet " + main + "><sheetData>" + rows + "</sheetData></worksheet>"},
	} {
		file, err := archive.Create(part[0])
		if err == nil {
			_, err = file.Write([]byte(part[1]))
		}
		if err != nil {
			h.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		h.Fatal(err)
	}
	return data.String()
}

// programs are the sources of the week.
func programs() []*program {
	mapped := func(b *adminapi.SourceBody) {
		b.DateOrder = "mdy"
		b.Mapping = []adminapi.ImportMapping{
			{Column: "Ref", Field: "external_id"}, {Column: "Playing", Field: "title"}, {Column: "On", Field: "start_date"}, {Column: "Curtain", Field: "start_time"},
		}
	}
	all := []*program{
		{name: "Google", path: "/google.ics", minutes: 15, missing: adminapi.MissingCancel, named: true, write: google},
		{name: "Outlook", path: "/outlook.ics", minutes: 30, missing: adminapi.MissingDraft, write: outlook},
		{name: "WordPress feed", path: "/feed.ics", minutes: 60, missing: adminapi.MissingKeep, named: true, write: wordpressFeed},
		{name: "Litfass feed", path: "/api/events.ics", minutes: 15, missing: adminapi.MissingCancel, named: true, write: litfassFeed},
		{name: "WordPress page", path: "/veranstaltungen", minutes: 60, missing: adminapi.MissingCancel, named: true, write: wordpressPage},
		{name: "graph page", path: "/spielplan", minutes: 360, missing: adminapi.MissingDraft, named: true, write: graphPage},
		{name: "page with parts", path: "/concerts", minutes: 60, missing: adminapi.MissingCancel, write: partsPage},
		{name: "JSON-LD file", path: "/events.jsonld", minutes: 60, missing: adminapi.MissingCancel, write: jsonFile},
		{name: "Windows table", path: "/programm.csv", minutes: 720, missing: adminapi.MissingKeep, named: true, write: windowsTable},
		{name: "mapped table", path: "/shows.csv", minutes: 1440, missing: adminapi.MissingCancel, write: mappedTable, change: mapped},
		{name: "spreadsheet", path: "/programm.xlsx", minutes: 1440, missing: adminapi.MissingDraft, named: true, write: spreadsheet},
		{name: "another Litfass", path: "/api/changes", minutes: 15, missing: adminapi.MissingCancel, named: true, write: litfassFeed},
		{name: "weekly calendar", path: "/weekly.ics", minutes: 10080, missing: adminapi.MissingCancel, write: outlook},
	}
	for i, p := range all {
		p.edited, p.gone = map[string]string{}, map[string]bool{}
		for n := range 6 {
			p.gigs = append(p.gigs, gig{
				id: fmt.Sprintf("%d0%d", i+1, n), title: fmt.Sprintf("%s %d – Klänge & Größe", p.name, n),
				day: fmt.Sprintf("2027-%02d-%02d", 3+n%2, 15+n), clock: fmt.Sprintf("%02d:30", 17+n),
			})
		}
	}
	return all
}

// publish writes the file of a program, with a validator for every second one. Another Litfass has
// its events as organizers edit them.
func (p *program) publish(h *house, number int) {
	h.Helper()
	if p.stack != nil {
		p.stack.program(p.gigs)
		return
	}
	p.version++
	file := page{text: p.write(h, p.venue, p.gigs), status: p.status}
	if p.empty {
		file.text = p.write(h, p.venue, p.gigs[:1])
	}
	if number%2 == 0 {
		file.etag = fmt.Sprintf(`"%d"`, p.version)
	}
	h.web.put(p.path, file)
}

// expected are the lines of house.stored for a program whose present file was read.
func (p *program) expected() (lines []string) {
	for _, g := range p.gigs {
		status := rules.StatusReleased
		if p.gone[g.id] && p.missing == adminapi.MissingCancel {
			status = rules.StatusCancelled
		} else if p.gone[g.id] && p.missing == adminapi.MissingDraft {
			status = rules.StatusDraft
		}
		title := g.title
		if p.edited[g.id] != "" {
			title = p.edited[g.id]
		}
		lines = append(lines, fmt.Sprintf("%s %s %sT%s", title, status, g.day[len("2027-"):], g.clock))
	}
	return lines
}

// program edits the events of a Litfass so that they are those of a program.
func (o *other) program(gigs []gig) {
	o.house.Helper()
	stored := map[string]string{} // titles, by the ids of gigs
	for line := range strings.Lines(o.stored() + "\n") {
		title, _, _ := strings.Cut(line, " released")
		for id, given := range o.titles {
			if given == title {
				stored[id] = title
			}
		}
	}
	for _, g := range gigs {
		switch title, known := stored[g.id]; {
		case !known:
			o.add(o.org, g.title, o.hall, g.day, g.clock, rules.StatusReleased)
		default:
			o.edit(title, func(e *rules.Event) { e.Title, e.Dates[0].StartTime = g.title, value.Text(g.clock) })
		}
		o.titles[g.id] = g.title
		delete(stored, g.id)
	}
	for id, title := range stored {
		o.exec("DELETE FROM event WHERE title = $1", title)
		delete(o.titles, id)
	}
}

// TestAWeekOfSources reads thirteen sources by two processes in steps of a quarter of an hour,
// while their files change, fail, and are nearly empty, and people edit their events. Each day the
// whole catalogue is as predicted: nothing is doubled or lost, and edits are kept.
func TestAWeekOfSources(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	all, other := programs(), h.process(loopback)
	for i, p := range all {
		p.venue = "Saal " + p.name
		venue := h.venue(h.owner, h.org, p.venue)
		body := h.body(p.path)
		body.Name, body.IntervalMinutes, body.Missing = p.name, p.minutes, value.Text(p.missing)
		body.Defaults.VenueUUID = ""
		if !p.named {
			body.Defaults.VenueUUID = value.Text(venue)
		}
		if p.change != nil {
			p.change(&body)
		}
		if p.name == "another Litfass" {
			stack := newOther(t)
			stack.titles = map[string]string{}
			stack.exec("UPDATE venue SET name = $1 WHERE uuid = $2", p.venue, stack.hall)
			p.stack, body.Address = &stack, value.Text(stack.URL)
			body.Format = adminapi.ImportLitfass
		}
		p.publish(h, i)
		p.id = h.create(body)
	}
	written := map[string]gig{} // what each program's gone gigs were
	const step = 15 * time.Minute
	for n := range 7 * 24 * 4 {
		if n%96 == 40 { // in the morning
			h.changeFiles(all, n/96, written)
		}
		for _, process := range []*Service{h.service, other} {
			if err := process.ReadDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n%96 == 0 && n > 0 { // every source but the weekly one was read since the last changes
			h.wantPrograms(fmt.Sprintf("day %d", n/96-1), all, written)
		}
		h.clock.Move(step)
	}
	h.due() // of the weekly one, a week after the first
	h.wantPrograms("the week after", all, written)
	for _, p := range all {
		want := 7*24*60/p.minutes + 1
		got := len(h.web.statuses(p.path))
		if p.stack != nil {
			got = count(p.stack.requests(), changesPath)
		}
		if got != want {
			t.Errorf("%s was read %d times, want %d", p.name, got, want)
		}
	}
	if got := h.mails(); got != 2 {
		t.Errorf("%d mails about the two sources that failed", got)
	}
}

// changeFiles does what happens to the files and events on a day.
func (h *house) changeFiles(all []*program, day int, gone map[string]gig) {
	h.Helper()
	for i, p := range all {
		switch day {
		case 0: // one has another title and time, one is new, one has gone
			p.gigs[0].title, p.gigs[0].clock = p.gigs[0].title+"!", "16:15"
			p.gigs = append(p.gigs, gig{fmt.Sprintf("%d99", i+1), p.name + " neu", "2027-04-28", "20:15"})
			last := p.gigs[5]
			gone[last.id], p.gigs = last, slices.Delete(p.gigs, 5, 6)
			p.publish(h, i)
		case 1: // people give a title to one, before its program does
			if p.minutes <= 1440 {
				h.edit(p.gigs[1].title, func(e *rules.Event) { e.Title = "Hier: " + p.name })
				p.edited[p.gigs[1].id] = "Hier: " + p.name
				p.gigs[1].title, p.gigs[1].clock = p.name+" anders", "15:45"
				p.publish(h, i)
			}
		case 2: // one fails, one is nearly empty, one is an error page
			p.status, p.empty = 0, p.name == "JSON-LD file"
			if p.name == "Google" {
				p.status = http.StatusServiceUnavailable
			}
			if p.name == "WordPress page" {
				h.web.put(p.path, page{text: "<html><body>Wartung</body></html>"})
			} else if p.empty || p.status != 0 {
				p.publish(h, i)
			}
		case 3: // all work again
			p.status, p.empty = 0, false
			p.publish(h, i)
		}
	}
}

// wantPrograms compares the events and the health of all sources with what was predicted.
func (h *house) wantPrograms(when string, all []*program, gone map[string]gig) {
	h.Helper()
	var want []string
	for _, p := range all {
		predicted := *p
		if p.minutes > 1440 && when != "the week after" {
			predicted = *programs()[slices.Index(all, p)] // it was only read at first
		} else if last, vanished := gone[p.gigs[0].id[:len(p.gigs[0].id)-2]+"05"]; vanished {
			predicted.gigs = append(slices.Clone(p.gigs), last)
			predicted.gone = map[string]bool{last.id: true}
		}
		want = append(want, predicted.expected()...)
	}
	h.wantStored(when, want...)
	for _, p := range all {
		shown := h.show(p.id)
		failing := when == "day 2" && (p.name == "Google" || p.name == "WordPress page")
		if (shown.Failures > 0) != failing || failing != (shown.FailingSince != nil) {
			h.Errorf("%s: %s: %d failures since %v: %+v", when, p.name, shown.Failures, shown.FailingSince, shown.Failure)
		}
		if held := when == "day 2" && p.empty; shown.Report.HeldBack != held {
			h.Errorf("%s: %s: held back: %t", when, p.name, shown.Report.HeldBack)
		}
		if shown.Report.Counts.Refuse+shown.HeldDuplicates > 0 || !shown.Report.Complete {
			h.Errorf("%s: %s: %+v", when, p.name, shown.Report)
		}
	}
}
