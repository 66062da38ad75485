package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
)

const (
	ruleID  = "01941f29-7c00-7c4e-8f4a-0e3a5d9c1b27"
	otherID = "01941f29-7c00-7d1e-9a2b-1f4b6e0d2c38"
)

// weekly is an event with two dates of a weekly rule of three, the second of them moved.
func weekly() *rules.Event {
	e := event()
	e.DateRules = []rules.DateRule{{UUID: ruleID, StartDate: "2026-11-20", StartTime: "19:30", RRule: "FREQ=WEEKLY;COUNT=3"}}
	e.Dates[0].RuleUUID, e.Dates[0].RecurrenceID = ruleID, "2026-11-20T19:30"
	e.Dates = append(e.Dates, rules.Date{
		UUID: otherID, StartDate: "2026-11-29", StartTime: "11:00", RuleUUID: ruleID, RecurrenceID: "2026-11-27T19:30",
	})
	return e
}

func TestCheckDateRules(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*rules.Event)
		want   []string
	}{
		"right":          {func(*rules.Event) {}, nil},
		"no such date":   {func(e *rules.Event) { e.Dates[0].RecurrenceID = "2026-11-21T19:30" }, []string{"dates[0].recurrence_id"}},
		"another form":   {func(e *rules.Event) { e.Dates[0].RecurrenceID = "20261120T193000" }, []string{"dates[0].recurrence_id"}},
		"no original":    {func(e *rules.Event) { e.Dates[0].RecurrenceID = "" }, []string{"dates[0].recurrence_id"}},
		"no rule":        {func(e *rules.Event) { e.Dates[1].RuleUUID = "" }, []string{"dates[1].rule_uuid"}},
		"unknown rule":   {func(e *rules.Event) { e.Dates[1].RuleUUID = otherID }, []string{"dates[1].rule_uuid"}},
		"one date twice": {func(e *rules.Event) { e.Dates[1].RecurrenceID = "2026-11-20T19:30" }, []string{"dates[1].recurrence_id"}},
		"one rule twice": {func(e *rules.Event) { e.DateRules = slices.Repeat(e.DateRules, 2) }, []string{"date_rules[1].uuid"}},
		"version 4":      {func(e *rules.Event) { e.DateRules[0].UUID = oldID }, []string{"date_rules[0].uuid", "dates[0].rule_uuid", "dates[1].rule_uuid"}},
		"without end": {func(e *rules.Event) { e.DateRules[0].RRule = "FREQ=WEEKLY" },
			[]string{"date_rules[0].rrule", "dates[0].recurrence_id", "dates[1].recurrence_id"}},
		"a rule of other days": {func(e *rules.Event) { e.DateRules[0].StartDate = "2026-11-21" },
			[]string{"dates[0].recurrence_id", "dates[1].recurrence_id"}},
		"too many rules": {func(e *rules.Event) {
			e.DateRules = nil
			for i := range 51 {
				e.DateRules = append(e.DateRules, rules.DateRule{UUID: fmt.Sprintf("01941f29-7c00-7d1e-9a2b-1f4b6e0d%04d", i)})
			}
		}, []string{"date_rules"}},
	} {
		e := weekly()
		test.change(e)
		if got := fields(e); !slices.Equal(got, test.want) {
			t.Errorf("%s: named %v, want %v", name, got, test.want)
		}
	}
}

func TestRulesHaveOneForm(t *testing.T) {
	t.Parallel()
	e := weekly()
	e.DateRules[0].RRule, e.DateRules[0].EndDate = " RRULE:count=3;freq=weekly;wkst=mo ", "2026-11-20"
	e.DateRules[0].ExDate = []string{"20261204T193000"}
	e.DateRules = append([]rules.DateRule{{UUID: otherID, StartDate: "2026-11-20", AllDay: true}}, e.DateRules...)
	if err := rules.Check(e); err != nil {
		t.Fatal(err)
	}
	if len(e.DateRules) != 1 {
		t.Fatalf("%d rules, one of them without dates", len(e.DateRules))
	}
	rule := e.DateRules[0]
	if rule.RRule != "FREQ=WEEKLY;COUNT=3" || rule.EndDate != "" || rule.RDate == nil || !slices.Equal(rule.ExDate, []string{"2026-12-04T19:30"}) {
		t.Errorf("%+v", rule)
	}
}
