package place

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
)

// ask asks the owner of a venue whether the event may use it. Where it may by now, the person
// chooses it.
func (p pages) ask(r *page.Request) error {
	e, _, err := r.EventFor(permission.EditEvent)
	if err != nil {
		return err
	}
	err = r.Admin().AskForVenue(e.UUID, r.Form.Get("venue_uuid"))
	return afterAsking(r, e.UUID, err, "venue_asked")
}

// withdraw withdraws a request.
func (p pages) withdraw(r *page.Request) error {
	e, _, err := r.EventFor(permission.EditEvent)
	if err != nil {
		return err
	}
	request, err := r.UUID("request")
	if err != nil {
		return err
	}
	err = r.Admin().WithdrawVenueRequest(request)
	return afterAsking(r, e.UUID, err, "venue_withdrawn")
}

// afterAsking leads back to the event, which shows the state of its requests. A conflict is such a
// state: the owner has decided or opened the venue meanwhile.
func afterAsking(r *page.Request, event string, err error, notice string) error {
	switch code := fault.Of(err).StableCode(); {
	case err == nil:
	case code == "no_recipient" || fault.Is(err, fault.TooMany):
		notice = "venue_" + code
	case fault.Is(err, fault.Conflict):
		notice = "venue_changed"
	default:
		return err
	}
	return r.Go(page.EventPath(event)+"#place", notice)
}

// readRequests reads the requests of the event, if it may have some. A failed read shows none.
func (s *sectionView) readRequests() {
	waits := func(item adminapi.ChecklistItem) bool { return item.Kind == "venue" && item.Field == "use" }
	asks := func(v adminapi.FoundVenue) bool { return v.Asks }
	if !slices.ContainsFunc(s.event.Checklist, waits) && (s.found == nil || !slices.ContainsFunc(s.found.Venues, asks)) {
		return
	}
	if of, err := s.Admin().RequestsOfEvent(s.event.UUID); err == nil {
		s.requests = of.Requests
	}
}

// requestFor returns the request of the event for a venue; nil for none.
func (s sectionView) requestFor(venue string) *adminapi.VenueRequest {
	for i := range s.requests {
		if s.requests[i].VenueUUID == venue {
			return &s.requests[i]
		}
	}
	return nil
}
