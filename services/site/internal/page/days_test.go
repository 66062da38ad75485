package page

import (
	"net/url"
	"testing"
	"time"
)

// TestQueriesBeginOnADay: a query that begins today leaves out what is over, and is divided into
// what begins then and what began before.
func TestQueriesBeginOnADay(t *testing.T) {
	monday, sunday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		today         time.Time
		filter        string
		begin, before string // "" for a query that is not divided
	}{
		{monday, "", "not_over=true&start=today", "not_over=true&ongoing=true&start=today&starts_before=2026-11-22"},
		{monday, "on=today", "not_over=true&on=today&start=2026-11-23", "not_over=true&on=today&starts_before=2026-11-22"},
		{monday, "on=tomorrow", "on=tomorrow&start=2026-11-24", "on=tomorrow&starts_before=2026-11-23"},
		{monday, "on=weekend", "on=weekend&start=2026-11-28", "on=weekend&starts_before=2026-11-27"},
		{sunday, "on=weekend", "not_over=true&on=weekend&start=2026-11-29", "not_over=true&on=weekend&starts_before=2026-11-28"},
		{monday, "start=2026-12-01&ongoing=true", "start=2026-12-01", "ongoing=true&start=2026-12-01&starts_before=2026-11-30"},
		{monday, "start=2026-12-01", "start=2026-12-01", ""},
		{monday, "not_over=false", "not_over=false&start=today", "not_over=false&ongoing=true&start=today&starts_before=2026-11-22"},
		{monday, "end=2026-12-01", "end=2026-12-01", ""},
		{monday, "starts_before=2026-11-22", "not_over=true&ongoing=true&start=today&starts_before=2026-11-22", ""},
	} {
		filter, err := url.ParseQuery(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		r := &Request{Today: c.today, Parameters: filter}
		begin, before, split := r.Split(FromToday(r))
		if begin.Encode() != c.begin || before.Encode() != c.before || split != (c.before != "") {
			t.Errorf("%s %q: %s and %s, want %s and %s", c.today.Weekday(), c.filter, begin.Encode(), before.Encode(), c.begin, c.before)
		}
	}
}
