package view

import (
	"slices"
	"testing"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/text"
)

// museum is open from Tuesday to Sunday, but for Christmas.
func museum() (h hours.Hours) {
	for _, day := range hours.Weekdays[1:] {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: day, From: "10:00", To: "18:00"})
	}
	h.Closed = []hours.Closed{{From: "2026-12-24", To: "2026-12-25"}}
	return h
}

func TestPeriodsWithOpeningHoursInWords(t *testing.T) {
	today := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		first, last    string
		en, de, da     string // the days
		runs, finishes string // in English
	}{
		"begun":     {"2026-11-01", "2027-01-31", "until Sun 31 Jan 2027", "bis So, 31. Jan. 2027", "til søn. 31. jan. 2027", "Tue–Sun 10–18, until Sun 31 Jan 2027", "until Sun 31 Jan 2027"},
		"to come":   {"2026-12-01", "2026-12-31", "Tue 1 Dec – Thu 31 Dec", "Di, 1. Dez. – Do, 31. Dez.", "tirs. 1. dec. – tors. 31. dec.", "Tue–Sun 10–18, Tue 1 Dec – Thu 31 Dec", "until Thu 31 Dec"},
		"permanent": {"2020-03-01", "", "Permanent", "Dauerhaft", "Permanent", "Tue–Sun 10–18, Permanent", ""},
		"will stay": {"2027-03-01", "", "from Mon 1 Mar 2027", "ab Mo, 1. März 2027", "fra man. 1. mar. 2027", "Tue–Sun 10–18, from Mon 1 Mar 2027", ""},
	} {
		w := When{StartDate: test.first, StartTime: "00:00", EndDate: value.Text(test.last), AllDay: true, Opening: museum()}
		got := []string{w.Days(text.Of("en"), today), w.Days(text.Of("de"), today), w.Days(text.Of("da"), today)}
		if !slices.Equal(got, []string{test.en, test.de, test.da}) {
			t.Errorf("%s: %q", name, got)
		}
		if hours, begin := w.Hours(text.Of("de")), w.Begin(text.Of("da")); hours != "Di–So 10–18 Uhr" || begin != "tirs.–søn. kl. 10–18" {
			t.Errorf("%s: %q, %q", name, hours, begin)
		}
		if got := w.Finish(text.Of("en"), today); got != test.finishes {
			t.Errorf("%s finishes %q", name, got)
		}
		if got := w.Until(text.Of("en"), today); got != test.runs {
			t.Errorf("%s runs %q", name, got)
		}
	}
}

func TestDaysOnWhichADateRuns(t *testing.T) {
	open := When{StartDate: "2026-12-20", EndDate: "2026-12-31", AllDay: true, Opening: museum()}
	plain := When{StartDate: "2026-12-20", EndDate: "2026-12-21", AllDay: true}
	night := When{StartDate: "2026-12-20", StartTime: "22:00", EndDate: "2026-12-21", EndTime: "04:00"}
	for day, want := range map[int][3]bool{19: {}, 20: {true, true, true}, 21: {false, true, false}, 22: {true}, 24: {}, 26: {true}, 28: {}} {
		at := time.Date(2026, 12, day, 0, 0, 0, 0, time.UTC)
		if got := [3]bool{open.On(at), plain.On(at), night.On(at)}; got != want {
			t.Errorf("on the %d: %v", day, got)
		}
	}
}
