package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// Venue reads a venue.
func (a Admin) Venue(uuid string) (adminapi.Venue, error) {
	return get[adminapi.Venue](a, at("venue", uuid), nil)
}

// AddVenue adds a venue.
func (a Admin) AddVenue(fields map[string]any) (adminapi.WrittenVenue, error) {
	return send[adminapi.WrittenVenue](a, http.MethodPut, at("venue"), fields)
}

// ReadVenue reads a venue by its fields.
func (a Admin) ReadVenue(uuid string) Read { return a.read(at("venue", uuid)) }

// WriteVenue changes fields of a venue.
func (a Admin) WriteVenue(uuid string) Write { return a.write(at("venue", uuid)) }

// DeleteVenue deletes a venue and its spaces.
func (a Admin) DeleteVenue(uuid string) Delete { return a.deletion(at("venue", uuid)) }

// FindVenues searches the venues where the person may place events.
func (a Admin) FindVenues(query url.Values) (adminapi.FoundVenues, error) {
	return get[adminapi.FoundVenues](a, at("venues"), query)
}

// SimilarVenues finds venues near a point with a similar name.
func (a Admin) SimilarVenues(query url.Values) (adminapi.SimilarVenues, error) {
	return get[adminapi.SimilarVenues](a, at("venue", "similar"), query)
}

// Positions proposes positions for an address.
func (a Admin) Positions(query url.Values) (adminapi.Positions, error) {
	return get[adminapi.Positions](a, at("positions"), query)
}

// Towns completes the name of a town.
func (a Admin) Towns(query url.Values) (adminapi.Positions, error) {
	return get[adminapi.Positions](a, at("towns"), query)
}

// ChoosablePlaces reads the venues and spaces where the person may place events.
func (a Admin) ChoosablePlaces(paged url.Values) (adminapi.ChoosablePlaces, error) {
	return get[adminapi.ChoosablePlaces](a, at("user", "choosable-event-places"), paged)
}

// Space reads a space.
func (a Admin) Space(uuid string) (adminapi.Space, error) {
	return get[adminapi.Space](a, at("space", uuid), nil)
}

// AddSpace adds a space to a venue.
func (a Admin) AddSpace(fields map[string]any) (adminapi.WrittenSpace, error) {
	return send[adminapi.WrittenSpace](a, http.MethodPut, at("space"), fields)
}

// ReadSpace reads a space by its fields.
func (a Admin) ReadSpace(uuid string) Read { return a.read(at("space", uuid)) }

// WriteSpace changes fields of a space.
func (a Admin) WriteSpace(uuid string) Write { return a.write(at("space", uuid)) }

// DeleteSpace deletes a space.
func (a Admin) DeleteSpace(uuid string) Delete { return a.deletion(at("space", uuid)) }
