package organization

import (
	"strconv"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// eventList are events of an organization as a filter selects them.
type eventList struct {
	t      *text.Texts
	now    time.Time
	org    page.Organization
	filter filter
	found  adminapi.Events
	venues []view.Option
	ticked bool // all of the page
}

func showEvents(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	l := eventList{t: r.Text, now: r.Now, org: org, filter: filterOf(r.Query), ticked: r.Query.Get("tick") == "page"}
	reads := []func() error{func() (err error) {
		l.found, err = r.Admin().Events(org.UUID, l.filter.ask())
		return err
	}}
	if !r.Script {
		reads = append(reads, func() (err error) {
			l.venues, err = venueFilter(r, org, l.filter.venue)
			return err
		})
	}
	if err := r.Together(reads...); err != nil {
		return err
	}
	if r.Script {
		return r.ShowPart(results(l))
	}
	return r.Show(view.Page{Title: r.Text.T("organization.nav.events") + " · " + org.Name, Section: org.UUID, Content: events(l)})
}

// venueFilter are the organization's venues to filter by.
func venueFilter(r *page.Request, org page.Organization, chosen string) ([]view.Option, error) {
	venues, err := r.Admin().Venues(org.UUID, client.All())
	if err != nil {
		return nil, err
	}
	options := []view.Option{{Label: r.Text.T("organization.filter.any_venue"), Chosen: chosen == ""}}
	for _, venue := range venues.Venues {
		options = append(options, view.Option{Value: venue.UUID, Label: venue.Name, Chosen: venue.UUID == chosen})
	}
	return options, nil
}

// options returns the values of a filter with their names.
func (l eventList) options(group string, values []string, chosen ...string) []view.Option {
	options := make([]view.Option, len(values))
	for i, value := range values {
		options[i] = view.Option{Value: value, Label: l.t.T("organization." + group + "." + value)}
		for _, one := range chosen {
			options[i].Chosen = options[i].Chosen || one == value
		}
	}
	return options
}

// each are the two ways to list: events, or dates.
func (l eventList) each() []view.Option {
	return []view.Option{
		{Value: "event", Label: l.t.T("organization.each.event"), Chosen: !l.filter.dates},
		{Value: "date", Label: l.t.T("organization.each.date"), Chosen: l.filter.dates},
	}
}

// orders are the orders to list by.
func (l eventList) orders() []view.Option {
	options := make([]view.Option, len(orders))
	for i, order := range orders {
		id := map[string]string{"start": "start", "-start": "latest", "title": "title", "-updated": "updated"}[order]
		options[i] = view.Option{Value: order, Label: l.t.T("organization.sort." + id), Chosen: l.filter.order == order}
	}
	return options
}

// mayChange reports whether several events may be changed at once.
func (l eventList) mayChange() bool {
	return !l.filter.dates && len(changesFor(l.org.May)) > 0 && len(l.found.Events) > 0
}

// address is that of the list as it is shown.
func (l eventList) address() string {
	query := l.filter.query()
	if l.filter.page > 1 {
		query.Set("page", strconv.Itoa(l.filter.page))
	}
	if len(query) == 0 {
		return l.org.Path("events")
	}
	return l.org.Path("events") + "?" + query.Encode()
}

// tickAll leads to the same page of the list with every event ticked.
func (l eventList) tickAll() string {
	query := l.filter.query()
	query.Set("page", strconv.Itoa(l.filter.page))
	query.Set("tick", "page")
	return l.org.Path("events") + "?" + query.Encode()
}

func (l eventList) pager() view.Pager {
	return view.Pager{Page: l.found.Page, Path: l.org.Path("events"), Query: l.filter.query()}
}

// fresh reports whether the organization may have no events at all.
func (l eventList) fresh() bool { return len(l.found.Events) == 0 && !l.filter.narrowed() }

func (l eventList) mayAdd() bool { return l.org.May.Has(permission.AddEvent) }
