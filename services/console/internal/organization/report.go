package organization

import (
	"net/http"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// outcome is the result for one of several events.
type outcome struct {
	event    selection
	changed  bool
	reasons  []string // why it was refused; see view.Words
	warnings []string
}

// report is the result for all of them.
type report struct {
	change
	outcomes []outcome
	refused  int
}

// changeEvents changes events, all of them or none, and reports the result for each.
func changeEvents(r *page.Request) error {
	org, err := r.OrganizationFor(permission.EditEvent)
	if err != nil {
		return err
	}
	c := change{t: r.Text, r: r, org: org}
	if err := c.read(r.Form.Values["event"], r.Form.Values); err != nil {
		return err
	}
	if c.errors = c.check(); len(c.errors) > 0 || len(c.events) == 0 {
		return c.show(http.StatusUnprocessableEntity)
	}
	done, err := c.send()
	if err != nil && !view.Refusable(err, fault.Forbidden, fault.TooLarge) && !fault.Is(err, fault.NotFound) {
		return err
	}
	if fault.Is(err, fault.Forbidden) && len(fault.Of(err).Violations) == 0 {
		return err
	}
	return reportOf(c, done, err).show()
}

// send has the admin service change the events.
func (c *change) send() (adminapi.BulkResult, error) {
	bodies := make([]map[string]any, len(c.events))
	for i, event := range c.events {
		bodies[i] = c.body(event)
	}
	return c.r.Admin().ChangeEvents(bodies)
}

func reportOf(c change, done adminapi.BulkResult, err error) report {
	r := report{change: c}
	for _, event := range c.events {
		o := outcome{event: event, changed: err == nil}
		if err != nil {
			o.reasons = c.reasons(event, err)
		}
		if len(o.reasons) > 0 {
			r.refused++
		}
		for _, changed := range done.Events {
			if changed.UUID == event.UUID {
				o.warnings = c.warnings(changed.Warnings)
			}
		}
		r.outcomes = append(r.outcomes, o)
	}
	if err != nil && r.refused == 0 { // it does not say which
		r.errors = view.Errors{"": fault.Of(err).Message}
	}
	return r
}

// reasons returns why an event was refused; none for one that was not.
func (c change) reasons(event selection, err error) []string {
	var why []string
	for _, violation := range fault.Of(err).Violations {
		uuid, field, _ := strings.Cut(violation.Field, ".")
		if uuid == event.UUID {
			why = append(why, c.reason(event, field, violation.Reason))
		}
	}
	if len(why) == 0 && event.stale() {
		return []string{c.t.T("organization.report.stale")}
	}
	return why
}

// reason says in words why an event was refused; field is "" when that is for the event as a whole.
func (c change) reason(event selection, field, said string) string {
	lacking := "organization.report.lacks." + field
	switch {
	case event.stale():
		return c.t.T("organization.report.stale")
	case event.TakenBack != nil && c.kind == changeRelease:
		return c.t.T("organization.report.taken_back")
	case c.kind == changeRelease && c.t.Has(lacking):
		return c.t.T(lacking)
	case field == "release_status" && releaseStatuses[c.kind] != "":
		return c.t.With("organization.report.unreachable",
			"From", c.t.T("organization.status."+event.ReleaseStatus), "To", c.t.T("organization.status."+releaseStatuses[c.kind]))
	}
	return said
}

func (c change) warnings(given []adminapi.Warning) []string {
	var all []string
	for _, warning := range given {
		if id := "organization.warning." + warning.Code; c.t.Has(id) {
			all = append(all, c.t.T(id))
		} else {
			all = append(all, text.Refusal(c.t, warning.Code, warning.Message))
		}
	}
	return all
}

// rest are the events that were not refused.
func (r report) rest() []selection {
	var rest []selection
	for _, o := range r.outcomes {
		if len(o.reasons) == 0 {
			rest = append(rest, o.event)
		}
	}
	return rest
}

// refusedOnes are the others.
func (r report) refusedOnes() []selection {
	var refused []selection
	for _, o := range r.outcomes {
		if len(o.reasons) > 0 {
			refused = append(refused, o.event)
		}
	}
	return refused
}

func (r report) failed() bool { return r.refused > 0 || len(r.errors) > 0 }

func (r report) show() error {
	status, title := http.StatusOK, r.t.Count("organization.report.done", len(r.outcomes))
	if r.failed() {
		status, title = http.StatusUnprocessableEntity, r.t.T("organization.report.refused")
	}
	return r.r.Status(status).Show(view.Page{Title: title, Section: r.org.UUID, Content: reportPage(r, title)})
}

// The names of outcomes, for messages and styles.
const (
	outcomeChanged = "changed"
	outcomeWarned  = "warned"
	outcomeRefused = "refused"
	outcomeHeld    = "held" // it was not refused itself
)

var outcomeIcons = map[string]string{
	outcomeChanged: "check", outcomeWarned: "flag", outcomeRefused: "close", outcomeHeld: "minus",
}

func (o outcome) name() string {
	switch {
	case len(o.reasons) > 0:
		return outcomeRefused
	case !o.changed:
		return outcomeHeld
	case len(o.warnings) > 0:
		return outcomeWarned
	}
	return outcomeChanged
}
