package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// AskForVenue asks the owner of a venue whether an event may use it.
func (a Admin) AskForVenue(event, venue string) error {
	return a.post(at("event", event, "venue-request"), adminapi.NewVenueRequest{VenueUUID: venue})
}

// RequestsOfEvent reads the requests of an event for venues.
func (a Admin) RequestsOfEvent(event string) (adminapi.EventRequests, error) {
	return get[adminapi.EventRequests](a, at("event", event, "venue-requests"), nil)
}

// VenueRequests reads the requests for venues that the person may decide.
func (a Admin) VenueRequests(paged url.Values) (adminapi.VenueRequests, error) {
	return get[adminapi.VenueRequests](a, at("venue-requests"), paged)
}

// DecideVenueRequest accepts or refuses a request for a venue.
func (a Admin) DecideVenueRequest(uuid string, decision adminapi.VenueDecision) error {
	return a.done(Call{Method: http.MethodPut, Path: at("venue-request", uuid), Body: decision})
}

// WithdrawVenueRequest withdraws a pending request for a venue.
func (a Admin) WithdrawVenueRequest(uuid string) error { return a.delete(at("venue-request", uuid)) }
