package hours

import (
	"testing"

	"litfass/pkg/contracts/language"
)

func TestText(t *testing.T) {
	t.Parallel()
	week := func(from, to string, days ...string) (list []Weekly) {
		for _, day := range days {
			list = append(list, Weekly{day, from, to})
		}
		return list
	}
	museum := week("10:00", "18:00", Weekdays[1:]...)
	for _, test := range []struct {
		hours      Hours
		en, de, da string
	}{
		{Hours{}, "", "", ""},
		{Hours{Weekly: museum}, "Tue–Sun 10–18", "Di–So 10–18 Uhr", "tirs.–søn. kl. 10–18"},
		{
			Hours{Weekly: append(week("09:30", "17:00", "tue", "wed", "thu"), week("11:00", "17:15", "sat", "sun")...)},
			"Tue–Thu 9:30–17, Sat/Sun 11–17:15", "Di–Do 9:30–17 Uhr, Sa/So 11–17:15 Uhr", "tirs.–tors. kl. 9.30–17, lør./søn. kl. 11–17.15",
		},
		{
			Hours{Weekly: append(week("10:00", "12:00", "mon", "fri"), week("20:00", "02:00", "mon", "fri")...)},
			"Mon/Fri 10–12 & 20–2", "Mo/Fr 10–12 & 20–2 Uhr", "man./fre. kl. 10–12 & 20–2",
		},
		{Hours{Special: []Special{{Date: "2026-12-24", From: "10:00", To: "12:00"}}}, "on certain days", "an einzelnen Tagen", "på enkelte dage"},
	} {
		for lang, want := range map[string]string{"en": test.en, "de": test.de, "da": test.da} {
			if got := test.hours.Text(lang); got != want {
				t.Errorf("%s: %q, want %q", lang, got, want)
			}
		}
	}
}

func TestEveryLanguageHasWords(t *testing.T) {
	t.Parallel()
	for _, code := range language.Codes {
		if w := inLanguage[code]; w.weekdays[6] == "" || w.clock == "" || w.separator == "" || w.special == "" {
			t.Errorf("words in %s: %+v", code, w)
		}
	}
}
