package event

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// newEvent has the fields of the short form of a new event.
type newEvent struct {
	org, title, venue, day, clock, summary string

	first, release bool // it is the first of a new organization; visitors shall see it at once
	releases       bool // the person may release events of the organization
	organizations  []view.Option
	venues         []view.Option
	errors         view.Errors
	reason         string // why it was refused, in the words of the service
}

const mayAdd = permission.AddEvent | permission.ChooseAsEventOrganization

// showNew is the short form that begins an event.
func showNew(r *page.Request) error {
	return showForm(r, newEvent{org: r.Query.Get("organization"), venue: r.Query.Get("venue"), first: r.Query.Get("first") != ""})
}

// showForm answers with the form. A person who may add events nowhere gets Forbidden.
func showForm(r *page.Request, n newEvent) error {
	allowed, err := r.Allowed(mayAdd, n.org)
	if err != nil {
		return err
	}
	for _, o := range allowed {
		n.organizations = append(n.organizations, view.Option{Value: o.UUID, Label: o.Name, Chosen: o.UUID == n.org})
	}
	if n.org == "" {
		n.org = n.organizations[0].Value
	}
	n.venues, n.releases = venues(r, n), r.Rights(n.org).Has(permission.ReleaseEvent)
	return r.Show(view.Page{Title: r.Text.T("event.new"), Section: n.org, Content: newPage(r.Text, n)})
}

// venues returns the known venues to choose from; none when they cannot be read, since the place
// can be said later.
func venues(r *page.Request, n newEvent) []view.Option {
	known, err := r.Admin().Venues(n.org, client.All())
	if err != nil {
		return nil
	}
	options := make([]view.Option, 0, len(known.Venues))
	for _, venue := range known.Venues {
		options = append(options, view.Option{Value: venue.UUID, Label: venue.Name, Chosen: venue.UUID == n.venue})
	}
	if n.venue != "" && !slices.ContainsFunc(options, func(o view.Option) bool { return o.Chosen }) {
		if venue, err := r.Public().Venue(n.venue); err == nil { // an open one of another organization
			options = append(options, view.Option{Value: venue.UUID, Label: venue.Name, Chosen: true})
		}
	}
	return options
}

// addNew begins an event and leads to its page.
func addNew(r *page.Request) error {
	n := newEvent{
		org: r.Form.Text("org_uuid"), title: r.Form.Text("title"), venue: r.Form.Text("venue_uuid"),
		day: r.Form.Text("start_date"), clock: r.Form.Text("start_time"), summary: r.Form.Text("summary"),
		first: r.Form.Get("first") != "", release: r.Form.Get("release") != "",
	}
	if n.org != "" {
		if err := r.Require(n.org, mayAdd); err != nil {
			return err
		}
	}
	body, errors := n.body(r)
	if len(errors) > 0 {
		n.errors = errors
		r.Status(http.StatusUnprocessableEntity)
		return showForm(r, n)
	}
	made, err := r.Admin().AddEvent(body)
	switch {
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.Forbidden), fault.Is(err, fault.Conflict), fault.Is(err, fault.NotFound):
		n.errors, n.reason = view.ErrorsOf(err), fault.Of(err).Message
		r.Status(http.StatusUnprocessableEntity)
		return showForm(r, n)
	case err != nil:
		return err
	}
	if n.release {
		return r.Go(page.Root+"/event/"+made.UUID, releaseNotice(adminapi.StatusReleased))
	}
	return r.Go(page.Root+"/event/"+made.UUID, "event_added")
}

// body returns the body of the request that adds the event.
func (n newEvent) body(r *page.Request) (map[string]any, view.Errors) {
	errors := view.Errors{}
	body := map[string]any{"org_uuid": n.org, "title": n.title}
	if n.title == "" {
		errors["title"] = r.Text.T("event.title_missing")
	}
	if n.venue != "" {
		body["venue_uuid"] = n.venue
	}
	if n.summary != "" {
		body["summary"] = n.summary
	}
	if n.release {
		body["release_status"] = adminapi.StatusReleased
		n.require(r, errors)
	}
	if n.day == "" {
		if n.clock != "" {
			errors["start_date"] = r.Text.T("event.day_missing")
		}
		return body, errors
	}
	if _, err := time.Parse(time.DateOnly, n.day); err != nil {
		errors["start_date"] = r.Text.T("event.not_a_day")
	}
	date := map[string]any{"start_date": n.day, "all_day": n.clock == ""}
	if n.clock != "" {
		if _, err := time.Parse("15:04", n.clock); err != nil {
			errors["start_time"] = r.Text.T("event.not_a_time")
		}
		date["start_time"] = n.clock
	}
	body["dates"] = []any{date}
	return body, errors
}

// require adds errors for what the release needs.
func (n newEvent) require(r *page.Request, errors view.Errors) {
	if n.venue == "" {
		errors["venue_uuid"] = r.Text.T("event.release_needs_place")
	}
	if n.day == "" && n.clock == "" {
		errors["start_date"] = r.Text.T("event.release_needs_date")
	}
}

// labels are the names of the form's fields.
func (n newEvent) labels(t interface{ T(string) string }) map[string]string {
	labels := map[string]string{}
	for _, key := range strings.Fields("title org_uuid venue_uuid start_date start_time summary") {
		labels[key] = t.T("event.field." + key)
	}
	return labels
}
