package feed

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"

	"litfass/pkg/contracts/value"
)

// calendarOf writes items and reads them with an independent parser.
func calendarOf(t *testing.T, items ...Item) (data []byte, parsed *ical.Calendar) {
	t.Helper()
	data, err := ICS(feedOf(t, items...))
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err = ical.NewDecoder(bytes.NewReader(data)).Decode(); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return data, parsed
}

func text(t *testing.T, props ical.Props, name string) string {
	t.Helper()
	text, err := props.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// furtherSeries is the number of events in the calendar of sample beyond one for each date.
const furtherSeries = 2

// TestCalendarsReadEveryDate: by another library.
func TestCalendarsReadEveryDate(t *testing.T) {
	items := sample()
	_, calendar := calendarOf(t, items...)
	events := calendar.Events()
	if len(events) != len(items)+furtherSeries {
		t.Fatalf("%d events", len(events))
	}
	for n, want := range []struct{ start, end, status string }{
		{"TZID=Europe/Berlin:20261120T193000", "TZID=Europe/Berlin:20261121T010000", "CONFIRMED"},
		{"VALUE=DATE:20280228", "VALUE=DATE:20280301", "CONFIRMED"},
		{"TZID=Europe/Berlin:20260701T193000", "", "CANCELLED"},
		{"TZID=America/New_York:20261030T100000", "TZID=America/New_York:20270103T000000", "TENTATIVE"},
		{"TZID=Europe/Berlin:20261120T193000", "", "CONFIRMED"},
		{"TZID=Europe/Berlin:20261120T193000", "TZID=Europe/Berlin:20261121T010000", "CONFIRMED"},
	} {
		props := events[n].Props
		if start, end := moment(props.Get("DTSTART")), moment(props.Get("DTEND")); start != want.start || end != want.end ||
			text(t, props, "STATUS") != want.status || text(t, props, "UID") != items[n].DateUUID || props.Get("SEQUENCE").Value != "4711" {
			t.Errorf("%d: %s to %s, %v", n, start, end, props)
		}
		if got := text(t, props, "SUMMARY"); got != items[n].name() {
			t.Errorf("%d: %q", n, got)
		}
		if link := props.Get("URL").Value; link != items[n].page(feedOf(t).Site) {
			t.Errorf("%d: %s", n, link)
		}
	}
	first := events[0].Props
	if got := text(t, first, "DESCRIPTION"); got != "Drei Abende\n\nDrei Abende live\nmit Gästen\n\nhttps://stream.example/jazz" {
		t.Errorf("description %q", got)
	}
	if got := text(t, first, "LOCATION"); got != "Kulturhalle, Großer Saal, Hauptstraße 7a, 24937 Flensburg" {
		t.Errorf("location %q", got)
	}
	if got := first.Get("GEO").Value; got != "54.79;0.00000943" {
		t.Errorf("geo %s", got)
	}
	if got := calendar.Props.Get("REFRESH-INTERVAL"); got.Value != "PT1H" || got.Params.Get("VALUE") != "DURATION" {
		t.Errorf("refresh %+v", got)
	}
	if method := calendar.Props.Get("METHOD"); method != nil {
		t.Errorf("method %s", method.Value)
	}
}

// moment writes a day or a moment with its parameter; "" of none.
func moment(prop *ical.Prop) string {
	if prop == nil {
		return ""
	}
	for name := range prop.Params {
		return name + "=" + prop.Params.Get(name) + ":" + prop.Value
	}
	return prop.Value
}

// TestLinesAreFoldedBetweenCharacters: at most 75 bytes, only with CRLF, and no line of an
// organizer becomes one of the calendar.
func TestLinesAreFoldedBetweenCharacters(t *testing.T) {
	data, _ := calendarOf(t, sample()...)
	begun := 0
	for content := range strings.SplitSeq(strings.TrimSuffix(string(data), "\r\n"), "\r\n") {
		if len(content) > 75 || !utf8.ValidString(content) || strings.ContainsAny(content, "\r\n\x00\x08\x0b\x1b\x7f") {
			t.Errorf("line %q", content)
		}
		if content == "BEGIN:VEVENT" {
			begun++
		}
	}
	if begun != len(sample())+furtherSeries {
		t.Errorf("%d events begin", begun)
	}
}

// TestTimeZonesAreThoseOfTheData: the offsets that a reader computes from a VTIMEZONE match the
// time zone database, for each hour around the changes of the years shown.
func TestTimeZonesAreThoseOfTheData(t *testing.T) {
	for _, name := range []string{
		"Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca",
		"Pacific/Apia", "UTC", "America/St_Johns", "Asia/Pyongyang",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, year := range []int{1890, 1955, 2011, 2018, 2026, 2050} {
			item := changed("1", func(i *Item) {
				i.VenueTimezone, i.StartDate = name, fmt.Sprintf("%d-03-01", year)
				i.EndDate = value.Text(fmt.Sprintf("%d-03-02", year+1))
			})
			_, calendar := calendarOf(t, item)
			observed := phasesIn(t, calendar, name)
			from := time.Date(year, 1, 1, 12, 0, 0, 0, time.UTC)
			for at := from; at.Before(from.AddDate(1, 11, 29)); at = at.Add(3 * time.Hour) {
				if _, want := at.In(zone).Zone(); observed.at(at) != want {
					t.Fatalf("%s at %s: %d, want %d", name, at, observed.at(at), want)
				}
			}
		}
	}
}

// readPhase is a phase as a reader understands it.
type readPhase struct {
	onset time.Time
	after int
}

type readPhases []readPhase

// at returns the offset at a moment: that of the last onset before it.
func (p readPhases) at(moment time.Time) (seconds int) {
	var last time.Time
	for _, phase := range p {
		if !phase.onset.After(moment) && !phase.onset.Before(last) {
			last, seconds = phase.onset, phase.after
		}
	}
	return seconds
}

func phasesIn(t *testing.T, calendar *ical.Calendar, name string) (phases readPhases) {
	t.Helper()
	for _, child := range calendar.Children {
		if child.Name != "VTIMEZONE" || text(t, child.Props, "TZID") != name {
			continue
		}
		for _, phase := range child.Children {
			before := seconds(t, phase.Props.Get("TZOFFSETFROM").Value)
			onset, err := time.ParseInLocation(icsMoment, phase.Props.Get("DTSTART").Value, time.FixedZone("", before))
			if err != nil {
				t.Fatal(err)
			}
			phases = append(phases, readPhase{onset, seconds(t, phase.Props.Get("TZOFFSETTO").Value)})
		}
	}
	if len(phases) == 0 {
		t.Fatalf("no time zone %s", name)
	}
	return phases
}

// seconds reads an offset.
func seconds(t *testing.T, offset string) int {
	t.Helper()
	for layout, length := range map[string]int{"-0700": 5, "-070000": 7} {
		if len(offset) == length {
			parsed, err := time.Parse(layout, offset)
			if err != nil {
				t.Fatal(err)
			}
			_, east := parsed.Zone()
			return east
		}
	}
	t.Fatalf("offset %q", offset)
	return 0
}

// TestSequenceGrowsWithTheRevision: within 31 bits, and exactly below 2^30.
func TestSequenceGrowsWithTheRevision(t *testing.T) {
	last := -1
	var revisions []int64
	for exponent := range 63 {
		for _, near := range []int64{-1, 0, 1} {
			revisions = append(revisions, 1<<exponent+near)
		}
		revisions = append(revisions, 1<<exponent+1<<exponent/2)
	}
	for _, revision := range append(revisions, math.MaxInt64) {
		got := sequence(revision)
		if got < 0 || got > math.MaxInt32 || (revision < 1<<30 && got != int(revision)) {
			t.Errorf("%d: %d", revision, got)
		}
	}
	for _, revision := range []int64{0, 1, 1<<30 - 1, 1 << 30, 1<<30 + 32, 1 << 31, 1<<31 + 64, 1 << 45, 1<<45 + 1<<20, 1<<62 - 1} {
		got := sequence(revision)
		if got <= last {
			t.Errorf("%d: %d after %d", revision, got, last)
		}
		last = got
	}
	if sequence(math.MaxInt64) < last || sequence(-1) != 0 {
		t.Errorf("the ends: %d, %d", sequence(-1), sequence(math.MaxInt64))
	}
}

func TestADateWithoutAMomentIsAnError(t *testing.T) {
	broken := changed("1", func(i *Item) { i.StartTime = "x" })
	for _, format := range Formats {
		if data, err := format.Write(feedOf(t, broken)); err == nil {
			t.Errorf("%s: %s", format.Name, data)
		}
	}
}
