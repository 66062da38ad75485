package dates

import (
	"slices"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/dates/rule"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// plannedDates has the dates of a form.
type plannedDates struct {
	dates    []plannedDay
	sentence string
	body     adminapi.NewDates // of the request that adds the dates
	begin    string            // as in plan
	warnings []warning
}

// plannedDay is a date that a form means, or one that it leaves out.
type plannedDay struct {
	adminapi.Date
	on bool
}

// previewOf has the admin service list the dates of a form. It returns the errors of the form's
// fields.
func previewOf(r *page.Request, l parent, v values) (plannedDates, view.Errors, error) {
	errors := v.check(r.Text)
	plan := v.plan(r.Text, errors)
	p := plannedDates{begin: plan.begin}
	if len(errors) > 0 {
		return p, errors, nil
	}
	p.body.DateFields = v.fields(r.Text)
	p.body.RRule, p.body.RDate, p.body.ExDate = value.Text(plan.rrule), v.repeat.further, []string{}
	if p.body.RDate == nil {
		p.body.RDate = []string{}
	}
	asked := adminapi.PlannedDates{NewDates: p.body, EventUUID: value.Text(l.event.UUID)}
	meant, err := r.Admin().PlanDates(asked)
	if err != nil {
		if refused, _, shown := refusal(err); shown && len(refused) > 0 {
			return p, refused, nil
		}
		return p, nil, err
	}
	on := p.choose(meant, v.repeat.excepted)
	if on == 0 {
		return p, view.Errors{fieldShown: r.Text.T("dates.error.none_left")}, nil
	}
	p.sentence = sentenceOf(r, plan, meant, p.body.ExDate, on)
	p.warnings, err = describe(r, p.warned(meant.Warnings))
	return p, nil, err
}

// warned returns the warnings about the dates that are wanted.
func (p plannedDates) warned(warnings []adminapi.Warning) (all []dateWarning) {
	for _, w := range warnings {
		if i := placeIn(w.Field); i >= 0 && i < len(p.dates) && p.dates[i].on {
			all = append(all, dateWarning{w.Code, p.dates[i].Date, string(w.UUID)})
		}
	}
	return all
}

// choose lists the dates, and marks the excepted ones.
func (p *plannedDates) choose(meant adminapi.RuleDates, excepted []string) (on int) {
	for _, d := range meant.Dates {
		left := slices.Contains(excepted, d.StartDate)
		p.dates = append(p.dates, plannedDay{plannedDate(d), !left})
		if !left {
			on++
		} else if !slices.Contains(p.body.ExDate, d.StartDate) {
			p.body.ExDate = append(p.body.ExDate, d.StartDate)
		}
	}
	return on
}

// sentenceOf describes the dates of a form.
func sentenceOf(r *page.Request, p plan, meant adminapi.RuleDates, excepted []string, on int) string {
	first := plannedDate(meant.Dates[0])
	if !p.repeats {
		return fullText(r.Text, first)
	}
	return rule.Sentence(r.Text, rule.Series{
		Start: machineText(first), RRule: string(meant.RRule), RDate: meant.RDate, ExDate: excepted, Dates: on,
	})
}
