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

// overview is the first page of an organization: its next dates and its drafts.
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
	next := url.Values{"statuses": {strings.Join(adminapi.PublicStatuses, ",")}, "limit": {"6"}}
	drafts := url.Values{"statuses": {"draft,review"}, "has_dates": {"any"}, "per_event": {"true"}, "limit": {"6"}}
	err = r.Together(
		func() (err error) { o.next, err = r.Admin().Events(org.UUID, next); return err },
		func() (err error) { o.drafts, err = r.Admin().Events(org.UUID, drafts); return err },
	)
	if err != nil {
		return err
	}
	o.next.Events = slices.DeleteFunc(o.next.Events, func(d adminapi.EventDate) bool { // a date of a draft
		return !adminapi.PublicStatus(d.EventReleaseStatus)
	})
	return r.Show(view.Page{Title: org.Name, Section: org.UUID, Content: home(o)})
}

// draftsLink leads to all drafts.
func (o overview) draftsLink() string {
	return o.org.Path("events") + "?status=draft&status=review"
}

func (o overview) may(need permission.Set) bool { return o.org.May.Has(need) }
