package recurrence

import (
	"errors"
	"testing"
	"time"

	"litfass/services/admin/internal/platform/budget"
)

// TestAnnualRules: the moments of a rule of time zones, whose first one need not fit.
func TestAnnualRules(t *testing.T) {
	t.Parallel()
	first := time.Date(1996, time.October, 1, 3, 0, 7, 0, time.UTC)
	end := time.Date(1999, time.October, 31, 3, 0, 0, 0, time.UTC)
	for rule, want := range map[string]int{
		"FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU": 4, "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3": 3, "FREQ=YEARLY": 4,
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30": 0, "FREQ=YEARLY;INTERVAL=2;BYMONTH=10;BYDAY=-1SU": 2,
	} {
		got, ok := Annual(rule, first, end, 4, nil)
		if !ok || len(got) != want || want > 0 && (got[0].Before(first) || got[0].Second() != 7) {
			t.Errorf("%s: %v, %t", rule, got, ok)
		}
	}
	for _, rule := range []string{
		"FREQ=MONTHLY", "FREQ=YEARLY;COUNT=3", "FREQ=YEARLY;BYHOUR=3", "FREQ=YEARLY;BYDAY=MO", "FREQ=YEARLY;UNTIL=19990101", "",
	} {
		if got, ok := Annual(rule, first, end, 4, nil); ok {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestCutUntil(t *testing.T) {
	t.Parallel()
	if rest, until := CutUntil("FREQ=YEARLY;UNTIL=19991031T010000Z;;BYMONTH=10"); rest != "FREQ=YEARLY;BYMONTH=10" || until != "19991031T010000Z" {
		t.Errorf("%q, %q", rest, until)
	}
}

// TestHostileRulesEndWithTheirBudget: each of the rules of which the work is bounded ends sooner
// with a small budget, and those that need less do not notice it.
func TestHostileRulesEndWithTheirBudget(t *testing.T) {
	t.Parallel()
	for i, text := range hostileRules {
		s := Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: text}
		_, unbounded := Expand(s)
		_, err := ExpandWithin(s, budget.New(t.Context(), 1_000))
		short := i >= 10 && i <= 13 // of two periods
		if !short && !errors.Is(err, budget.ErrSpent) || short && (err == nil) != (unbounded == nil) {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}
