package rules

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/recurrence"
)

// NewDateRule returns the rule of a series, in its stored form. The error is that of
// recurrence.Normalize.
func NewDateRule(uuid string, s recurrence.Series) (DateRule, error) {
	s, err := recurrence.Normalize(s)
	return DateRule{
		UUID: uuid, StartDate: s.StartDate, StartTime: value.Text(s.StartTime), EndDate: value.Text(s.EndDate),
		EndTime: value.Text(s.EndTime), AllDay: s.AllDay, RRule: value.Text(s.RRule),
		RDate: orEmpty(s.RDate), ExDate: orEmpty(s.ExDate),
	}, err
}

// Series returns the series of the rule.
func (r *DateRule) Series() recurrence.Series {
	return recurrence.Series{
		StartDate: r.StartDate, StartTime: string(r.StartTime), EndDate: string(r.EndDate), EndTime: string(r.EndTime),
		AllDay: r.AllDay, RRule: string(r.RRule), RDate: r.RDate, ExDate: r.ExDate,
	}
}

// normalize brings every value into its one stored form. An invalid rule is left unchanged: check
// reports it.
func (r *DateRule) normalize() {
	cleanLower(&r.UUID)
	cleanLines(&r.StartDate)
	cleanLines(&r.StartTime, &r.EndDate, &r.EndTime, &r.RRule)
	r.RDate, r.ExDate = orEmpty(r.RDate), orEmpty(r.ExDate)
	if rule, err := NewDateRule(r.UUID, r.Series()); err == nil {
		*r = rule
	}
}

// checkDateRules checks the rules, and that each date of a rule is one that the rule names. Not
// every date that a rule names need be there.
func (e *Event) checkDateRules(c checker) {
	c.count("date_rules", len(e.DateRules), maxDateRules)
	if len(e.DateRules) > maxDateRules {
		return
	}
	named := make(map[string]map[string]bool, len(e.DateRules))
	for i := range e.DateRules {
		r, at := &e.DateRules[i], c.at("date_rules", i)
		at.uuid("uuid", r.UUID)
		if named[r.UUID] != nil {
			at.bad("uuid", reason.Duplicate(reason.WordRule))
		}
		named[r.UUID] = r.check(at)
	}
	e.checkOriginals(c, named)
}

// check records the violations of the rule and returns the original starts that it names.
func (r *DateRule) check(c checker) map[string]bool {
	occurrences, err := recurrence.Expand(r.Series())
	if err != nil {
		for _, violation := range fault.Of(err).Violations {
			violation.Field = c.path(violation.Field)
			*c.violations = append(*c.violations, violation)
		}
		return map[string]bool{}
	}
	starts := make(map[string]bool, len(occurrences))
	for _, o := range occurrences {
		starts[o.ID()] = true
	}
	return starts
}

func (e *Event) checkOriginals(c checker, named map[string]map[string]bool) {
	type original struct{ rule, start value.Text }
	seen := map[original]bool{}
	for i := range e.Dates {
		d, at := &e.Dates[i], c.at("dates", i)
		key := original{d.RuleUUID, d.RecurrenceID}
		switch {
		case d.RuleUUID == "" && d.RecurrenceID == "":
			continue
		case d.RuleUUID == "":
			at.bad("rule_uuid", reason.RuleOfDateRequired)
		case named[string(d.RuleUUID)] == nil:
			at.bad("rule_uuid", reason.UnknownReference(reason.WordRuleOfEvent))
		case !named[string(d.RuleUUID)][string(d.RecurrenceID)]:
			at.bad("recurrence_id", reason.UnknownReference(reason.WordDateOfRule))
		case seen[key]:
			at.bad("recurrence_id", reason.Duplicate(reason.WordDate))
		}
		seen[key] = true
	}
}

// arrangeRules keeps the rules that have dates, in the order of their uuids.
func (e *Event) arrangeRules() {
	used := map[string]bool{}
	for _, d := range e.Dates {
		used[string(d.RuleUUID)] = true
	}
	e.DateRules = slices.DeleteFunc(slices.Clone(e.DateRules), func(r DateRule) bool { return !used[r.UUID] })
	slices.SortFunc(e.DateRules, func(a, b DateRule) int { return strings.Compare(a.UUID, b.UUID) })
}
