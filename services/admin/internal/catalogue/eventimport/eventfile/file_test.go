package eventfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"litfass/pkg/chassis/fault"
)

// shown formats a parsed file, one line for each event.
func shown(f File, zone *time.Location) string {
	var lines []string
	for _, e := range f.Events {
		line := e.Values[FieldTitle] + " @ " + e.Values[FieldVenue]
		for _, d := range e.Dates {
			line += " | " + d.Start.In(zone).String()
			if d.End.Day != "" {
				line += "–" + d.End.In(zone).String()
			}
			if status := d.Values[FieldStatus]; status != "" {
				line += " " + status
			}
		}
		for _, r := range e.Reasons {
			line += fmt.Sprintf(" ! %d %s", r.Row, r.Field)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func calendar(events ...string) string {
	lines := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n"
	for i, e := range events {
		lines += fmt.Sprintf("BEGIN:VEVENT\nUID:u%d\nSUMMARY:Jazz\n%s\nEND:VEVENT\n", i, e)
	}
	return strings.ReplaceAll(lines+"END:VCALENDAR\n", "\n", "\r\n")
}

func TestTables(t *testing.T) {
	for name, c := range map[string]struct {
		options    Options
		text, want string
	}{
		"German with a time of its own": {
			text: "Titel;Datum;Beginn;Ende;Ort\nJazz;24.12.2026;20 Uhr;22.30;Saal\nTanz;So, 3.1.27;kl. 19;;\n",
			want: "Jazz @ Saal | 2026-12-24T20:00–2026-12-24T22:30\nTanz @  | 2027-01-03T19:00",
		},
		"English with day and time together": {
			text: "Title,Start,End,Venue\nJazz,2026-12-24 20:00,2026-12-25T02:00:00,\"Hall, big\"\nChoir,\"Dec 24, 2026\",,x\n",
			want: "Jazz @ Hall, big | 2026-12-24T20:00–2026-12-25T02:00\nChoir @ x | 2026-12-24",
		},
		"Danish, past midnight": {
			text: "Navn\tDato\tTidspunkt\tSted\nJazz\t24. december 2026\t22.00 - 02.00\tHuset\n",
			want: "Jazz @ Huset | 2026-12-24T22:00–2026-12-25T02:00",
		},
		"with a zone": {
			text: "title,date\nJazz,2026-12-24T20:00:00Z\nTanz,2026-07-24T20:00+02:00\n",
			want: "Jazz @  | 2026-12-24T21:00\nTanz @  | 2026-07-24T20:00",
		},
		"several dates of one event": {
			text: "Titel;Ort;Datum\nJazz;Saal;24.12.2026\nChor;Saal;24.12.2026\njazz;SAAL;25.12.2026\n",
			want: "Jazz @ Saal | 2026-12-24 | 2026-12-25\nChor @ Saal | 2026-12-24",
		},
		"rows of one event that differ": {
			text: "ID;Titel;Datum\n1;Jazz;24.12.2026\n1;Chor;25.12.2026\n",
			want: "Jazz @  | 2026-12-24 | 2026-12-25 ! 3 title",
		},
		"one event by its id, in two places": {
			text: "ID;Titel;Ort;Datum\n1;Jazz;Saal;24.12.2026\n1;Jazz;Foyer;25.12.2026\n",
			want: "Jazz @ Saal | 2026-12-24 | 2026-12-25",
		},
		"the same date twice": {
			text: "ID;Titel;Datum\n1;Jazz;24.12.2026\n1;Jazz;24.12.2026\n",
			want: "Jazz @  | 2026-12-24 ! 3 start_date",
		},
		"bad values": {
			text: "Titel;Datum;Beginn\n;24.12.2026;\nJazz;31.2.2026;\nTanz;24.12.2026;25:00\nChor;;\nRock;bald;\n",
			want: " @  | 2026-12-24 ! 2 title\nJazz @  |  ! 3 start_date\nTanz @  | 2026-12-24 ! 4 start_time\n" +
				"Chor @  |  ! 5 start_date\nRock @  |  ! 6 start_date",
		},
		"an order that no date shows": {
			text: "title,date\nJazz,03/04/2026\nTanz,5/5/2026\n",
			want: "Jazz @  |  ! 2 start_date\nTanz @  | 2026-05-05",
		},
		"an order that another date shows": {
			text: "title,date\nJazz,03/04/2026\nTanz,04/13/2026\n", want: "Jazz @  | 2026-03-04\nTanz @  | 2026-04-13",
		},
		"an order that the request says": {
			options: Options{DateOrder: DayFirst}, text: "title,date\nJazz,03/04/2026\n", want: "Jazz @  | 2026-04-03",
		},
		"names that say nothing": {
			text: "Titel;a;b\nJazz;24.12.2026;20:00\n", want: "Jazz @  | 2026-12-24T20:00",
		},
		"mapped": {
			options: Options{Mapping: map[string]string{"x": FieldTitle, "Titel": ""}},
			text:    "Titel;x;Datum\nno;Jazz;24.12.2026\n", want: "Jazz @  | 2026-12-24",
		},
		"formulas are text": {
			text: "Titel;Datum\n=1+1;24.12.2026\n", want: "=1+1 @  | 2026-12-24",
		},
		"empty rows": {text: "Titel;Datum\n;\n\nJazz;24.12.2026\n;;\n", want: "Jazz @  | 2026-12-24"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Read([]byte(c.text), c.options)
			if got := shown(file, berlin(t)); err != nil || got != c.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestCalendars(t *testing.T) {
	for name, c := range map[string]struct{ until, text, want string }{
		"zones": {text: calendar("DTSTART;TZID=Europe/London:20261224T200000", "DTSTART:20260724T180000Z\nDTEND:20260724T200000Z",
			"DTSTART;TZID=W. Europe Standard Time:20261224T200000", "DTSTART:20261224T200000", "DTSTART;TZID=Moon:20261224T200000"),
			want: "Jazz @  | 2026-12-24T21:00\nJazz @  | 2026-07-24T20:00–2026-07-24T22:00\nJazz @  | 2026-12-24T20:00\n" +
				"Jazz @  | 2026-12-24T20:00\nJazz @  ! 5 start_date"},
		"days": {text: calendar("DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261225", "DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227"),
			want: "Jazz @  | 2026-12-24\nJazz @  | 2026-12-24–2026-12-26"},
		"a duration": {text: calendar("DTSTART:20261224T230000\nDURATION:PT2H"), want: "Jazz @  | 2026-12-24T23:00–2026-12-25T01:00"},
		"a rule": {text: calendar("DTSTART;TZID=Europe/Berlin:20261020T200000\nRRULE:FREQ=WEEKLY;UNTIL=20261103T190000Z\n" +
			"EXDATE;TZID=Europe/Berlin:20261027T200000"), want: "Jazz @  | 2026-10-20T20:00 | 2026-11-03T20:00"},
		"a rule with a date that differs": {
			text: calendar("DTSTART;TZID=Europe/Berlin:20261020T200000\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\nBEGIN:VEVENT\nUID:u0\n" +
				"SUMMARY:Abgesagt\nRECURRENCE-ID:20261027T190000Z\nDTSTART:20261028T190000Z\nSTATUS:CANCELLED"),
			want: "Jazz @  | 2026-10-20T20:00 | 2026-10-28T20:00 CANCELLED"},
		"a rule without an end": {text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=WEEKLY"), want: "Jazz @  ! 1 start_date"},
		"a rule until a day": {until: "2026-10-27", text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=WEEKLY"),
			want: "Jazz @  | 2026-10-20T20:00 | 2026-10-27T20:00"},
		"a rule of too many dates": {text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=DAILY;COUNT=1000000000"), want: "Jazz @  ! 1 start_date"},
		"texts": {text: calendar("LOCATION:Saal\\, oben\nDTSTART:20261224T200000\nBEGIN:VALARM\nDTSTART:1\nEND:VALARM"),
			want: "Jazz @ Saal, oben | 2026-12-24T20:00"},
		"a line that breaks off": {text: calendar("DTSTART;TZID=Europe", "DTSTART:20261224T200000"), want: "Jazz @  ! 1  ! 1 start_date\nJazz @  | 2026-12-24T20:00"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Read([]byte(c.text), Options{Until: c.until})
			if got := shown(file, berlin(t)); err != nil || got != c.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	const text = "Titel;Datum\nMädchenchor – Größe;24.12.2026\n"
	windows, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	wide := "\xff\xfe"
	for _, r := range text {
		wide += string([]byte{byte(r), byte(r >> 8)})
	}
	for encoding, data := range map[string]string{"utf-8": "\ufeff" + text, "windows-1252": windows, "utf-16": wide} {
		file, err := Read([]byte(data), Options{})
		if err != nil || file.Encoding != encoding || file.Events[0].Values[FieldTitle] != "Mädchenchor – Größe" {
			t.Errorf("%s: %v, %+v", encoding, err, file)
		}
	}
}

func TestColumnsShowWhatIsDoubtful(t *testing.T) {
	file, err := Read([]byte("Titel;Datum;Termin;irgendwas;Preis\nJazz;24.12.2026;25.12.2026;20:00;5\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range file.Columns {
		got = append(got, fmt.Sprint(c.Name, " ", c.Field, " ", c.GuessedBy, " ", c.Note != "", " ", c.Samples))
	}
	want := []string{
		"Titel title header false [Jazz]", "Datum start_date header false [24.12.2026]", "Termin   true [25.12.2026]",
		"irgendwas start_time content true [20:00]", "Preis   false [5]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestHostileFiles(t *testing.T) {
	head := "Titel;Datum\n"
	for name, c := range map[string]struct {
		data    string
		options Options
		kind    fault.Kind
		field   string
	}{
		"empty":              {data: " \n", kind: fault.Invalid, field: "content"},
		"only names":         {data: head, kind: fault.Invalid, field: "content"},
		"NUL":                {data: head + "a\x00;1\n", kind: fault.Invalid, field: "content"},
		"an open quote":      {data: head + `"Jazz;24.12.2026`, kind: fault.Invalid, field: "content"},
		"too many rows":      {data: head + strings.Repeat("x;y\n", MaxRows+1), kind: fault.TooLarge, field: "content"},
		"too many bytes":     {data: strings.Repeat("x", MaxBytes+1), kind: fault.TooLarge, field: "content"},
		"too many columns":   {data: strings.Repeat(";", maxColumns+1) + "\na\n", kind: fault.Invalid, field: "content"},
		"an unknown column":  {data: head + "a;b\n", options: Options{Mapping: map[string]string{"x": ""}}, kind: fault.Invalid, field: "mapping"},
		"an unknown field":   {data: head + "a;b\n", options: Options{Mapping: map[string]string{"Titel": "x"}}, kind: fault.Invalid, field: "mapping"},
		"no events":          {data: "BEGIN:VCALENDAR\nEND:VCALENDAR\n", kind: fault.Invalid, field: "content"},
		"a broken calendar":  {data: "BEGIN:VCALENDAR\nBEGIN:VEVENT\n", kind: fault.Invalid, field: "content"},
		"too many of events": {data: "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", MaxRows+1), kind: fault.TooLarge, field: "content"},
		"too many dates": {data: "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nDTSTART:20260101T000000\nRRULE:FREQ=DAILY;COUNT=1000\nEND:VEVENT\n", 21),
			kind: fault.TooLarge, field: "content"},
	} {
		_, err := Read([]byte(c.data), c.options)
		if !fault.Is(err, c.kind) || fault.Of(err).Violations[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{
		"a line of 5 MB":          head + strings.Repeat("x", MaxBytes-100) + ";24.12.2026\n",
		"a parameter of 5 MB":     "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;X=" + strings.Repeat("x", MaxBytes-100) + ":1\nEND:VEVENT\n",
		"deeply nested":           "BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + strings.Repeat("BEGIN:X\n", 300_000) + strings.Repeat("END:X\n", 300_000) + "END:VEVENT\n",
		"many excluded dates":     calendar("DTSTART:20260101T000000\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:" + strings.Repeat("20260101T000000,", 20_000)),
		"a zone that is a path":   calendar("DTSTART;TZID=../../etc/passwd:20260101T000000"),
		"invalid UTF-8":           "Titel;Datum\n\x81\xff;24.12.2026\n",
		"a rule that never names": calendar("DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=1000"),
	} {
		if _, err := Read([]byte(data), Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
