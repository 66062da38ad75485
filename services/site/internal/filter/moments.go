package filter

import (
	"time"

	"litfass/services/site/internal/page"
)

// Moments are the shortcuts to days. The one that is chosen leads back to all days.
func Moments(r *page.Request) []Choice {
	day := func(plus int) string { return r.Today.AddDate(0, 0, plus).Format(time.DateOnly) }
	endOfMonth := time.Date(r.Today.Year(), r.Today.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	choices := []Choice{
		{Value: "today", Name: r.Text.T("list.today")},
		{Value: "tomorrow", Name: r.Text.T("list.tomorrow")},
		{Value: "weekend", Name: r.Text.T("list.weekend")},
		{Value: "today," + day(6), Name: r.Text.T("list.week")},
		{Value: "today," + endOfMonth, Name: r.Text.T("list.month")},
	}
	rest := r.Filter(append(page.Cursor, page.DayParameters...)...)
	for i := range choices {
		choice := &choices[i]
		choice.Chosen = r.Value("on") == choice.Value
		to := page.Clone(rest)
		if !choice.Chosen {
			to.Set("on", choice.Value)
		}
		choice.Link = r.Link(r.Path, to)
	}
	return choices
}
