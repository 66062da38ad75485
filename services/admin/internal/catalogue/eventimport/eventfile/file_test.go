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
		for _, n := range e.Notes {
			line += fmt.Sprintf(" ~ %d %s %s", n.Row, n.Code, n.Field)
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
		"a line for spreadsheets": {text: "sep=;\r\nTitel;Datum\r\nJazz, live, laut;24.12.2026\r\n", want: "Jazz, live, laut @  | 2026-12-24"},
		"a stray quotation mark": {
			text: "Titel;Datum;Ort\nJazz;24.12.2026;Saal\nDas \"Konzert;25.12.2026;Saal\n\"Chor;26.12.2026;Saal\n\"Rock\";27.12.2026;\"zwei\nZeilen\"\n",
			want: "Jazz @ Saal | 2026-12-24\nDas \"Konzert @ Saal ! 3 \nChor;26.12.2026;Saal @  ! 4 \nRock @ zwei\nZeilen | 2026-12-27",
		},
		"ranges of days": {
			text: "Titel;Datum;Beginn\nA;1.6. - 14.6.2027;\nB;1.-14.6.2027;10:00\nC;28.12.–3.1.2028;\nD;1. bis 14. Juni 2027;\n" +
				"E;2027-06-01 - 2027-06-14;\nF;Di 1.6.27-14.6.27;\nG;1. Juni - 14. August 2027;\n",
			want: "A @  | 2027-06-01–2027-06-14\nB @  | 2027-06-01T10:00–2027-06-14\nC @  | 2027-12-28–2028-01-03\nD @  | 2027-06-01–2027-06-14\n" +
				"E @  | 2027-06-01–2027-06-14\nF @  | 2027-06-01–2027-06-14\nG @  | 2027-06-01–2027-08-14",
		},
		"a range of days with an end of its own": {
			text: "Titel;Datum;Ende\nA;1.6. - 14.6.2027;22:00\n", want: "A @  | 2027-06-01–2027-06-14T22:00",
		},
		"numbers of days of spreadsheets": {
			text: "Titel;Datum;Beginn;Preis\nA;46380;0.8333333333;46380\nB;46380,75;;1\nC;46380;0.25;2\nD;24.12.2026;0.25;3\nE;999;;4\n",
			want: "A @  | 2026-12-24T20:00\nB @  | 2026-12-24T18:00\nC @  | 2026-12-24T06:00\nD @  | 2026-12-24T00:25\nE @  |  ! 6 start_date",
		},
		"numbers that are not days": {text: "Titel;Datum;a\nJazz;24.12.2026;46380\n", want: "Jazz @  | 2026-12-24"},
		"entities": {
			text: "Titel,Ort,Datum\nJazz &amp; Blues,Caf&eacute;&#32;Nord,24.12.2026\nAT&T &copy;A&nbsp;B,,24.12.2026\n",
			want: "Jazz & Blues @ Café Nord | 2026-12-24\nAT&T ©A B @  | 2026-12-24",
		},
		"empty rows": {text: "Titel;Datum\n;\n\nJazz;24.12.2026\n;;\n", want: "Jazz @  | 2026-12-24"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Read(t.Context(), []byte(c.text), c.options)
			if got := shown(file, berlin(t)); err != nil || got != c.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

// zones are a time zone of the file's own, two hours behind and half an hour off that of Berlin,
// and two that cannot be read.
const zones = `BEGIN:VTIMEZONE
TZID:Kirchturm
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:-0030
TZOFFSETTO:-0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:-0200
TZOFFSETTO:-0030
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Glocke
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:bald
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Turmuhr
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+9999
TZOFFSETTO:+2400
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:20241027T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0500
END:STANDARD
END:VTIMEZONE
`

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
			want: "Jazz @  | 2026-10-20T20:00 | 2026-10-28T20:00 CANCELLED ~ 2 text_of_date title"},
		"a date of a rule with texts and a place of its own": {
			text: calendar("LOCATION:Saal\nCATEGORIES:Jazz\nDESCRIPTION:Tanz &amp; Musik\nDTSTART:20261020T200000\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\nBEGIN:VEVENT\nUID:u0\n" +
				"SUMMARY:JAZZ\nLOCATION:Foyer\nURL:https://example.org/x\nDESCRIPTION:Tanz & Musik\nCATEGORIES:Lesung\nRECURRENCE-ID:20261027T200000\nDTSTART:20261027T210000"),
			want: "Jazz @ Saal | 2026-10-20T20:00 | 2026-10-27T21:00 ~ 2 text_of_date source_link ~ 2 text_of_date tags"},
		"a rule without an end": {text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=WEEKLY"), want: "Jazz @  ! 1 start_date"},
		"a rule until a day": {until: "2026-10-27", text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=WEEKLY"),
			want: "Jazz @  | 2026-10-20T20:00 | 2026-10-27T20:00"},
		"a rule of too many dates": {text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=DAILY;COUNT=1000000000"), want: "Jazz @  ! 1 start_date"},
		"a zone of the file": {
			text: strings.Replace(calendar("DTSTART;TZID=Kirchturm:20260701T200000", "DTSTART;TZID=Kirchturm:20261201T200000",
				"DTSTART;TZID=Kirchturm:20500701T200000", "DTSTART;TZID=Glocke:20261201T200000", "DTSTART;TZID=Europe/Berlin:20261201T200000",
				"DTSTART;TZID=Turmuhr:20261201T200000"),
				"BEGIN:VEVENT", zones+"BEGIN:VEVENT", 1),
			want: "Jazz @  | 2026-07-01T22:30\nJazz @  | 2026-12-01T23:00\nJazz @  | 2050-07-01T22:30\nJazz @  ! 4 start_date\n" +
				"Jazz @  | 2026-12-01T20:00\nJazz @  ! 6 start_date"},
		"a change of all later dates": {
			text: calendar("DTSTART;TZID=Europe/Berlin:20261020T200000\nDTEND;TZID=Europe/Berlin:20261020T220000\nRRULE:FREQ=WEEKLY;COUNT=5\n" +
				"END:VEVENT\nBEGIN:VEVENT\nUID:u0\nSUMMARY:Jazz\nLOCATION:Foyer\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261103T200000\n" +
				"DTSTART;TZID=Europe/Berlin:20261104T193000\nDTEND;TZID=Europe/Berlin:20261104T230000\n" +
				"END:VEVENT\nBEGIN:VEVENT\nUID:u0\nSUMMARY:Jazz\nRECURRENCE-ID;TZID=Europe/Berlin:20261110T200000\n" +
				"DTSTART;TZID=Europe/Berlin:20261110T210000\nSTATUS:CANCELLED"),
			want: "Jazz @  | 2026-10-20T20:00–2026-10-20T22:00 | 2026-10-27T20:00–2026-10-27T22:00 | 2026-11-04T19:30–2026-11-04T23:00" +
				" | 2026-11-18T19:30–2026-11-18T23:00 | 2026-11-10T21:00 CANCELLED"},
		"a change of all days before": {
			text: calendar("DTSTART;VALUE=DATE:20261020\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\nBEGIN:VEVENT\nUID:u0\nSUMMARY:Jazz\n" +
				"RECURRENCE-ID;RANGE=THISANDPRIOR;VALUE=DATE:20261027\nDTSTART;VALUE=DATE:20261028"),
			want: "Jazz @  | 2026-10-20 | 2026-10-28 ! 2 start_date"},
		"a change of later dates without their rule": {
			text: calendar("RECURRENCE-ID;RANGE=THISANDFUTURE:20261027T200000\nDTSTART:20261027T200000"),
			want: "Jazz @  | 2026-10-27T20:00 ! 1 start_date"},
		"a change of later dates at none of them": {
			text: calendar("DTSTART:20261020T200000\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\nBEGIN:VEVENT\nUID:u0\nSUMMARY:Jazz\n" +
				"RECURRENCE-ID;RANGE=THISANDFUTURE:20261022T200000\nDTSTART:20261022T210000"),
			want: "Jazz @  | 2026-10-20T20:00 | 2026-10-22T21:00 | 2026-10-27T21:00 ! 2 start_date"},
		"texts": {text: calendar("LOCATION:Saal\\, oben\nDTSTART:20261224T200000\nBEGIN:VALARM\nDTSTART:1\nEND:VALARM"),
			want: "Jazz @ Saal, oben | 2026-12-24T20:00"},
		"a line that breaks off": {text: calendar("DTSTART;TZID=Europe", "DTSTART:20261224T200000"), want: "Jazz @  ! 1  ! 1 start_date\nJazz @  | 2026-12-24T20:00"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Read(t.Context(), []byte(c.text), Options{Until: c.until})
			if got := shown(file, berlin(t)); err != nil || got != c.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

// TestRulesAreRefusedByTheirCodes: pages translate why a calendar's rule is refused as they do for
// other rules.
func TestRulesAreRefusedByTheirCodes(t *testing.T) {
	for rule, want := range map[string]string{
		"FREQ=HOURLY;COUNT=3": "rule_part_invalid", "FREQ=WEEKLY;COUNT=3;BYDAY=1FR": "rule_part_only_with", "FREQ=DAILY;COUNT=1000000000": "too_many_dates",
	} {
		file, err := Read(t.Context(), []byte(calendar("DTSTART:20261020T200000\nRRULE:"+rule)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		refused := file.Events[0].Reasons
		if len(refused) != 1 || refused[0].Field != FieldStartDate || refused[0].Code != want {
			t.Errorf("%s: %+v, want %s", rule, refused, want)
		}
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
		file, err := Read(t.Context(), []byte(data), Options{})
		if err != nil || file.Encoding != encoding || file.Events[0].Values[FieldTitle] != "Mädchenchor – Größe" {
			t.Errorf("%s: %v, %+v", encoding, err, file)
		}
	}
}

func TestColumnsShowWhatIsDoubtful(t *testing.T) {
	file, err := Read(t.Context(), []byte("Titel;Datum;Termin;irgendwas;Farbe\nJazz;24.12.2026;25.12.2026;20:00;5\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range file.Columns {
		got = append(got, fmt.Sprint(c.Name, " ", c.Field, " ", c.GuessedBy, " ", c.Note != "", " ", c.Samples))
	}
	want := []string{
		"Titel title header false [Jazz]", "Datum start_date header false [24.12.2026]", "Termin   true [25.12.2026]",
		"irgendwas start_time content true [20:00]", "Farbe   false [5]",
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
		"an open quote":      {data: `Titel;"Datum` + "\nJazz;24.12.2026\n", kind: fault.Invalid, field: "content"},
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
		_, err := Read(t.Context(), []byte(c.data), c.options)
		if !fault.Is(err, c.kind) || fault.Of(err).Violations[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{
		"a line of 5 MB":      head + strings.Repeat("x", MaxBytes-100) + ";24.12.2026\n",
		"a parameter of 5 MB": "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;X=" + strings.Repeat("x", MaxBytes-100) + ":1\nEND:VEVENT\n",
		"deeply nested":       "BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + strings.Repeat("BEGIN:X\n", 300_000) + strings.Repeat("END:X\n", 300_000) + "END:VEVENT\n",
		"many excluded dates": calendar("DTSTART:20260101T000000\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:" + strings.Repeat("20260101T000000,", 20_000)),
		"a zone without end": strings.Replace(calendar("DTSTART;TZID=X:20260101T000000"), "BEGIN:VEVENT", "BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\n"+
			"DTSTART:19700101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYYEARDAY="+strings.Repeat("1,", 365)+"2\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT", 1),
		"many open quotes":        head + strings.Repeat("\"x;24.12.2026;"+strings.Repeat("x", 1000)+"\n", 1900),
		"a zone that is a path":   calendar("DTSTART;TZID=../../etc/passwd:20260101T000000"),
		"invalid UTF-8":           "Titel;Datum\n\x81\xff;24.12.2026\n",
		"a rule that never names": calendar("DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=1000"),
	} {
		if _, err := Read(t.Context(), []byte(data), Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPrices(t *testing.T) {
	for text, want := range map[string]string{
		"12,50 €": "{false false 12.5 0 EUR} true", "8-12 EUR": "{false false 8 12 EUR} true", "VVK 12 / AK 15": "{false false 12 15 EUR} true",
		"kr. 80": "{false false 80 0 DKK} true", "£5": "{false false 5 0 GBP} true", "10 CHF": "{false false 10 0 CHF} true",
		"Eintritt frei": "{true false 0 0 } true", "0": "{true false 0 0 } true", "gratis": "{true false 0 0 } true",
		"auf Spendenbasis": "{false true 0 0 } true", "5/8/12 €": "{false false 5 12 EUR} true", "teuer": "{false false 0 0 } false",
	} {
		price, ok := ReadPrice(text)
		if got := fmt.Sprint(price, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestAges(t *testing.T) {
	for text, want := range map[string]string{
		"ab 6": "6 -1 true", "6+": "6 -1 true", "6-12": "6 12 true", "6 bis 12 Jahre": "6 12 true", "bis 12": "-1 12 true",
		"max. 12": "-1 12 true", "FSK 16": "16 -1 true", "alle": "-1 -1 true", "12-6": "-1 -1 false", "Kinder": "-1 -1 false",
	} {
		low, high, ok := ReadAges(text)
		if got := fmt.Sprint(low, high, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
