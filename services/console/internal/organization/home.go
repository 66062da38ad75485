package organization

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// overview is the first page of an organization: what is next, and what is unfinished.
type overview struct {
	t        *text.Texts
	now      time.Time
	org      page.Organization
	next     adminapi.Events
	drafts   adminapi.Events
	mayLeave bool
}

func showHome(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	own, member := r.Membership(org.UUID)
	o := overview{t: r.Text, now: r.Now, org: org, mayLeave: member && !own.LastOwner}
	next := url.Values{"statuses": {strings.Join(adminapi.PublicStatuses, ",")}}
	drafts := url.Values{"statuses": {"draft,review"}, "has_dates": {"any"}, "per_event": {"true"}}
	err = r.Together(
		func() error { return list(r, org, next, &o.next) },
		func() error { return list(r, org, drafts, &o.drafts) },
	)
	if err != nil {
		return err
	}
	o.next.Events = slices.DeleteFunc(o.next.Events, func(d adminapi.EventDate) bool { // a date of a draft
		return !adminapi.PublicStatus(d.EventReleaseStatus)
	})
	return r.Show(view.Page{Title: org.Name, Section: org.UUID, Content: home(o)})
}

// list reads the first events of a list.
func list(r *page.Request, org page.Organization, query url.Values, into *adminapi.Events) error {
	query.Set("limit", "6")
	_, err := r.Get(org.API("events"), query, into)
	return err
}

// draftsLink leads to all drafts.
func (o overview) draftsLink() string {
	return o.org.Path("events") + "?status=draft&status=review"
}

func (o overview) may(need permission.Set) bool { return o.org.May.Has(need) }
