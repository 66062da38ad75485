package eventfile

import (
	"strings"
	"testing"
)

// google is a calendar as Google writes it: descriptions are HTML, meetings online have their
// address as the place.
const google = `BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Verein
X-WR-TIMEZONE:Europe/Berlin
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20270105T193000
DTEND;TZID=Europe/Berlin:20270105T213000
RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20270126T225959Z;BYDAY=TU
EXDATE;TZID=Europe/Berlin:20270112T193000
UID:abc123@google.com
DESCRIPTION:<p>Wir singen <b>alle</b>&nbsp\;zusammen.<br>Mehr: <a href="http
 s://example.org/x?a=1&amp\;b=2">hier</a></p><ul><li>Noten</li><li>Tee</li></ul>
LOCATION:Speicher\, Am Hafen 3\, 24143 Kiel\, Deutschland
STATUS:CONFIRMED
SUMMARY:Chorprobe\, offen
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20270119T203000
DTEND;TZID=Europe/Berlin:20270119T223000
UID:abc123@google.com
RECURRENCE-ID;TZID=Europe/Berlin:20270119T193000
LOCATION:Speicher\, Am Hafen 3\, 24143 Kiel\, Deutschland
SUMMARY:Chorprobe\, offen
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20270501
DTEND;VALUE=DATE:20270503
UID:def@google.com
LOCATION:https://meet.google.com/abc-defg-hij
DESCRIPTION:3 < 5\, a<b und b>c
SUMMARY:Straßenfest
END:VEVENT
END:VCALENDAR
`

// outlook is a calendar as Outlook writes it, with zones of its own.
const outlook = `BEGIN:VCALENDAR
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
VERSION:2.0
METHOD:PUBLISH
BEGIN:VTIMEZONE
TZID:(UTC+01:00) Amsterdam\, Berlin\, Bern
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
CLASS:PUBLIC
DESCRIPTION:Wir feiern.\n\nBitte anmelden.\n \n
DTEND;TZID="W. Europe Standard Time":20261224T220000
DTSTART;TZID="W. Europe Standard Time":20261224T190000
LOCATION:Saal\; Am Hafen 1\; 24103 Kiel
SUMMARY;LANGUAGE=de:Jahresfeier
UID:040000008200E00074C5B7101A82E008
X-ALT-DESC;FMTTYPE=text/html:<html><body><p class=MsoNormal>Wir feiern.</p></body></html>
BEGIN:VALARM
TRIGGER:-PT15M
ACTION:DISPLAY
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern":20270701T190000
SUMMARY:Vortrag
UID:x2
END:VEVENT
BEGIN:VEVENT
DTSTART:20270701T190000
RRULE:FREQ=DAILY;COUNT=9
EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=3
SUMMARY:Kurs
UID:x3
END:VEVENT
END:VCALENDAR
`

// TestCalendarsOfPrograms: calendars as the most common programs export them.
func TestCalendarsOfPrograms(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"Google": {google, `Chorprobe, offen|{Speicher Am Hafen 3 24143 Kiel}||2027-01-05T18:30 2027-01-26T18:30 2027-01-19T19:30|` +
			"Wir singen **alle** zusammen.\nMehr: [hier](https://example.org/x?a=1&b=2)\n\n- Noten\n- Tee\n" +
			`Straßenfest|{}|https://meet.google.com/abc-defg-hij|2027-05-01|3 < 5, a<b und b>c`},
		"Outlook": {outlook, "Jahresfeier|{Saal Am Hafen 1 24103 Kiel}||2026-12-24T18:00|Wir feiern.\n\nBitte anmelden.\n" +
			"Vortrag|{}||2027-07-01T17:00|\nKurs|{}|||: start_date"},
	} {
		file, err := Read(t.Context(), []byte(strings.ReplaceAll(test.text, "\n", "\r\n")), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range file.Events {
			var starts []string
			for _, d := range e.Dates {
				starts = append(starts, d.Start.instant().String())
			}
			p := PlaceOf(e.Values)
			place := strings.Join(strings.Fields(strings.Join([]string{p.Name, p.Street, p.HouseNumber, p.PostalCode, p.City}, " ")), " ")
			line := strings.Join([]string{
				e.Values[FieldTitle], "{" + place + "}", e.Values[FieldOnlineLink], strings.Join(starts, " "), e.Values[FieldDescription],
			}, "|")
			for _, why := range e.Reasons {
				line += ": " + why.Field
			}
			got = append(got, line)
		}
		if text := strings.Join(got, "\n"); text != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, text, test.want)
		}
	}
}
