package dates_test

import (
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// TestManyDates: past dates are folded away, and of many coming ones a page is shown.
func TestManyDates(t *testing.T) {
	e := weekly(150)
	for i := range 80 {
		d := e.Dates[i]
		d.UUID, d.StartDate, d.ReleaseStatus = dateID(1000+i), fmt.Sprintf("2025-%02d-01", i%12+1), adminapi.StatusInherited
		e.Dates = append([]adminapi.Date{d}, e.Dates...)
	}
	c := start(t, &e)
	got := c.Get(page0)
	if n := strings.Count(got.Body, `class="dates-entry"`); n != 120 {
		t.Errorf("%d dates on the page", n)
	}
	has(t, "the page", got.Body, "80 dates", "and 20 older dates", "?from="+dateID(60))
	next := c.Get(page0 + "?from=" + dateID(60))
	has(t, "the next page", next.Body, "?from="+dateID(120), "?from="+dateID(0), `id="date-`+dateID(60))
	lacks(t, "the next page", next.Body, `id="date-`+dateID(59))
}

func TestCalendar(t *testing.T) {
	e := weekly(3)
	e.Dates[1].AllDay, e.Dates[1].StartTime, e.Dates[1].EndTime, e.Dates[1].EndDate = true, "", "", "2026-12-10"
	e.Dates[2].EndTime, e.Dates[2].EndDate = "02:00", "2026-12-16"
	c := start(t, &e)
	part := c.Get(page0+"?month=2026-12", pagetest.Script...).Body
	lacks(t, "the part", part, "<html", "dates-entries")
	for day, busy := range map[string]bool{"2026-12-01": true, "2026-12-08": true, "2026-12-10": true, "2026-12-11": false, "2026-12-15": true, "2026-12-16": false} {
		_, cell, _ := strings.Cut(part, `data-day="`+day+`"`)
		cell, _, _ = strings.Cut(cell, "</td>")
		if strings.Contains(cell, "<a") != busy {
			t.Errorf("%s: %s", day, cell)
		}
	}
	if first := strings.Index(part, "Monday"); first < 0 || first > strings.Index(part, "Sunday") {
		t.Error("weeks do not begin on Monday")
	}
	e.Dates[0].AllDay, e.Dates[0].StartTime, e.Dates[0].EndTime = true, "", ""
	e.Dates[0].StartDate, e.Dates[0].EndDate = "2026-09-23", "2027-01-10"
	days := strings.Count(c.Get(page0).Body, `data-day="2026-11-`)
	if days != 30 {
		t.Errorf("while a date runs, %d days of the present month are shown", days)
	}
}
