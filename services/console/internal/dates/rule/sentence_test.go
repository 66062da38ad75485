package rule

import (
	"testing"

	"litfass/services/console/internal/text"
)

func TestSentences(t *testing.T) {
	const tuesday = "2026-12-01T20:00"
	for _, test := range []struct {
		series     Series
		en, de, da string
	}{
		{
			Series{tuesday, "FREQ=WEEKLY;UNTIL=20270427T235900", nil, []string{"2026-12-22", "2026-12-29"}, 20},
			"Every Tuesday at 20:00 until 27 April 2027, except 22 and 29 December: 20 dates",
			"Jeden Dienstag um 20:00 Uhr bis zum 27. April 2027, außer am 22. und 29. Dezember: 20 Termine",
			"Hver tirsdag kl. 20.00 til og med den 27. april 2027, undtagen den 22. og 29. december: 20 datoer",
		},
		{
			Series{tuesday, "FREQ=WEEKLY;INTERVAL=2;COUNT=12;BYDAY=TU,TH,SU", nil, []string{"2026-12-29", "2027-01-05T20:00"}, 10},
			"Every 2 weeks on Tuesday, Thursday and Sunday at 20:00, 12 times, except 29 December and 5 January 2027: 10 dates",
			"Alle 2 Wochen am Dienstag, Donnerstag und Sonntag um 20:00 Uhr, 12-mal, außer am 29. Dezember und 5. Januar 2027: 10 Termine",
			"Hver 2. uge om tirsdagen, torsdagen og søndagen kl. 20.00, 12 gange, undtagen den 29. december og 5. januar 2027: 10 datoer",
		},
		{
			Series{"2026-12-01", "FREQ=DAILY;COUNT=3", []string{"2026-12-24"}, nil, 4},
			"Every day, 3 times, also on 24 December: 4 dates",
			"Jeden Tag, 3-mal, auch am 24. Dezember: 4 Termine",
			"Hver dag, 3 gange, også den 24. december: 4 datoer",
		},
		{
			Series{"2026-12-01", "FREQ=DAILY;INTERVAL=3;COUNT=1", nil, nil, 1},
			"Every 3 days, once: one date", "Alle 3 Tage, einmal: ein Termin", "Hver 3. dag, én gang: én dato",
		},
		{
			Series{"2026-12-22", "FREQ=MONTHLY;COUNT=3", nil, nil, 3},
			"Every month on the 22nd, 3 times: 3 dates",
			"Jeden Monat am 22., 3-mal: 3 Termine",
			"Hver måned den 22., 3 gange: 3 datoer",
		},
		{
			Series{"2026-12-18T19:30", "FREQ=MONTHLY;INTERVAL=2;UNTIL=20271231;BYDAY=3FR", nil, nil, 7},
			"Every 2 months on the third Friday at 19:30 until 31 December 2027: 7 dates",
			"Alle 2 Monate am dritten Freitag um 19:30 Uhr bis zum 31. Dezember 2027: 7 Termine",
			"Hver 2. måned den tredje fredag kl. 19.30 til og med den 31. december 2027: 7 datoer",
		},
		{
			Series{"2026-12-27", "FREQ=YEARLY;COUNT=3;BYDAY=-1SU;BYMONTH=12", nil, nil, 3},
			"Every year on the last Sunday of December, 3 times: 3 dates",
			"Jedes Jahr am letzten Sonntag im Dezember, 3-mal: 3 Termine",
			"Hvert år den sidste søndag i december, 3 gange: 3 datoer",
		},
		{
			Series{"2026-12-27", "FREQ=YEARLY;COUNT=3", nil, nil, 3},
			"Every year on 27 December, 3 times: 3 dates",
			"Jedes Jahr am 27. Dezember, 3-mal: 3 Termine",
			"Hvert år den 27. december, 3 gange: 3 datoer",
		},
		{
			Series{tuesday, "", []string{"2026-12-03T20:00", "2026-12-05T20:00"}, nil, 3},
			"On 1, 3 and 5 December at 20:00: 3 dates",
			"Am 1., 3. und 5. Dezember um 20:00 Uhr: 3 Termine",
			"Den 1., 3. og 5. december kl. 20.00: 3 datoer",
		},
		{
			Series{"2026-12-01", "FREQ=DAILY;COUNT=30", nil, []string{"1", "2", "3", "4", "5", "6", "7"}, 23},
			"Every day, 30 times, except 7 days: 23 dates",
			"Jeden Tag, 30-mal, außer an 7 Tagen: 23 Termine",
			"Hver dag, 30 gange, undtagen 7 dage: 23 datoer",
		},
		{
			Series{tuesday, "FREQ=DAILY;COUNT=4;BYHOUR=11,20", nil, nil, 4},
			"By the calendar rule FREQ=DAILY;COUNT=4;BYHOUR=11,20: 4 dates",
			"Nach der Kalenderregel FREQ=DAILY;COUNT=4;BYHOUR=11,20: 4 Termine",
			"Efter kalenderreglen FREQ=DAILY;COUNT=4;BYHOUR=11,20: 4 datoer",
		},
	} {
		for code, want := range map[string]string{"en": test.en, "de": test.de, "da": test.da} {
			if got := Sentence(text.Of(code), test.series); got != want {
				t.Errorf("%s: got\n%s, want\n%s", code, got, want)
			}
		}
	}
}
