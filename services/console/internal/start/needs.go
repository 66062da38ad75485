package start

import (
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/view"
)

// needs are the things that wait for a person.
type needs struct {
	invitations []adminapi.WaitingInvitation
	drafts      []adminapi.Notification // the most urgent first
	soon        []adminapi.EventDate    // by start
	guests      []adminapi.GuestDate    // by start: others at venues of the person's organizations
	incomplete  bool                    // something could not be read
	first       firstStep
}

// firstStep is the next of the three steps to the first event of an organization.
type firstStep struct {
	step int    // view.FirstPlace or view.FirstEvent; 0 for none
	path string // of its page
}

const (
	// maxShown are the entries of one part.
	maxShown = "10"
	// soonDays is how far ahead dates are shown.
	soonDays = 14
	// maxOrganizations are asked for their dates and guests: a person in many reads their pages.
	maxOrganizations = 5
)

// read reads all parts at the same time. One that cannot be read is left out. The error is
// Unauthenticated.
func read(r *page.Request) (needs, error) {
	memberships := r.Memberships()
	memberships = memberships[:min(len(memberships), maxOrganizations)]
	var invitations adminapi.WaitingInvitations
	var drafts adminapi.Notifications
	soon, guests := make([]adminapi.Events, len(memberships)), make([]adminapi.VenueGuests, len(memberships))
	var lost atomic.Bool
	reads := []func() error{
		optional(&lost, func() (err error) {
			invitations, err = r.Admin().Invitations(url.Values{"limit": {maxShown}})
			return err
		}),
		optional(&lost, func() (err error) {
			drafts, err = r.Admin().Notifications(url.Values{"limit": {maxShown}})
			return err
		}),
	}
	today, end := r.Today.Format(time.DateOnly), r.Today.AddDate(0, 0, soonDays).Format(time.DateOnly)
	for i, m := range memberships {
		reads = append(reads, optional(&lost, func() (err error) {
			soon[i], err = r.Admin().Events(m.OrgUUID, url.Values{
				"start": {today}, "end": {end}, "statuses": {strings.Join(adminapi.PublicStatuses, ",")}, "per_event": {"true"}, "limit": {maxShown},
			})
			return err
		}))
		if permission.Set(m.Permissions).Has(permission.EditVenue) {
			reads = append(reads, optional(&lost, func() (err error) {
				guests[i], err = r.Admin().VenueGuests(m.OrgUUID, url.Values{"start": {today}, "limit": {"5"}})
				return err
			}))
		}
	}
	if err := r.Together(reads...); err != nil {
		return needs{}, err
	}
	n := needs{invitations.Invitations, drafts.Notifications, soonOf(soon), guestsOf(guests), lost.Load(), firstStep{}}
	if len(memberships) != 1 || len(n.drafts)+len(n.soon) > 0 || n.incomplete {
		return n, nil
	}
	var err error
	n.first, err = nextStep(r, memberships[0])
	return n, err
}

// nextStep returns the step at which a person left the way to the first event of their
// organization; none once it has an event. The error is Unauthenticated.
func nextStep(r *page.Request, m adminapi.Membership) (firstStep, error) {
	may := permission.Set(m.Permissions)
	if !may.Has(permission.AddEvent | permission.ChooseAsEventOrganization) {
		return firstStep{}, nil
	}
	var events adminapi.Events
	var venues adminapi.Venues
	one := url.Values{"limit": {"1"}}
	var lost atomic.Bool
	err := r.Together(optional(&lost, func() (err error) {
		events, err = r.Admin().Events(m.OrgUUID, one)
		return err
	}), optional(&lost, func() (err error) {
		venues, err = r.Admin().Venues(m.OrgUUID, one)
		return err
	}))
	switch {
	case err != nil, lost.Load(), events.TotalCount > 0:
		return firstStep{}, err
	case venues.TotalCount == 0 && may.Has(permission.AddVenue):
		return firstStep{view.FirstPlace, venue.FirstPath(m.OrgUUID)}, nil
	}
	return firstStep{view.FirstEvent, venue.FirstEventPath(m.OrgUUID, "")}, nil
}

// optional returns a read of a part without which the page is shown, too: its failure is only
// noted, except the end of the session.
func optional(lost *atomic.Bool, read func() error) func() error {
	return func() error {
		err := read()
		if err != nil && !fault.Is(err, fault.Unauthenticated) {
			lost.Store(true)
			return nil
		}
		return err
	}
}

// soonOf returns the dates of public events of all organizations by start; the lists have cancelled
// dates of drafts, too. Drafts are in a part of their own.
func soonOf(lists []adminapi.Events) (dates []adminapi.EventDate) {
	for _, list := range lists {
		for _, date := range list.Events {
			if date.StartDate != "" && adminapi.PublicStatus(date.EventReleaseStatus) {
				dates = append(dates, date)
			}
		}
	}
	slices.SortStableFunc(dates, func(a, b adminapi.EventDate) int {
		return strings.Compare(string(a.StartDate+a.StartTime), string(b.StartDate+b.StartTime))
	})
	return dates[:min(len(dates), 10)]
}

func guestsOf(lists []adminapi.VenueGuests) (dates []adminapi.GuestDate) {
	for _, list := range lists {
		dates = append(dates, list.Dates...)
	}
	slices.SortStableFunc(dates, func(a, b adminapi.GuestDate) int {
		return strings.Compare(a.StartDate+string(a.StartTime), b.StartDate+string(b.StartTime))
	})
	return dates
}
