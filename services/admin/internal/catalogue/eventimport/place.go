package eventimport

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// placeKey identifies a venue that a file names: venues of one name in two towns are two.
type placeKey struct{ name, postalCode, city string }

func keyOf(name, postalCode, city string) placeKey {
	return placeKey{strings.ToLower(name), postalCode, document.Words(city)}
}

// places finds the venues that a file names, each once for all of its rows.
type places struct {
	venues  venues
	choices map[placeKey]adminapi.ImportPlace
	org     string
	country value.Text // of new venues

	unknown []*unknownPlace // in the order of the file
	byKey   map[placeKey]*unknownPlace
	made    map[string]*rules.Venue // the new venues by their uuids
}

// unknownPlace is a venue that no venue is by its name, or for which a choice was made.
type unknownPlace struct {
	adminapi.ImportVenue
	last *fileEvent // that was counted
}

// find returns the venue that a row names by choice or by its name, or why there is none.
func (p *places) find(w *fileEvent, values map[string]string) (venue, *reason.Reason) {
	place := eventfile.PlaceOf(values)
	key := keyOf(place.Name, place.PostalCode, place.City)
	choice := p.choices[key]
	found, why := p.venues.find(values[eventfile.FieldVenue], place)
	if there, known := p.venues.at(place); why == reason.UnknownVenue && known && place.HasOnlyAddress() {
		found, why = there, nil
	}
	chosen, usable := p.venues.byUUID[string(choice.VenueUUID)]
	switch {
	case why == nil && (!usable || chosen.UUID == found.UUID):
		return found, nil
	case usable:
		named := p.count(w, key, place)
		named.VenueUUID, named.VenueName = choice.VenueUUID, value.Text(chosen.Name)
		return chosen, nil
	}
	named := p.count(w, key, place)
	named.Ambiguous = why == reason.AmbiguousVenue
	if !choice.Create || named.Ambiguous {
		return found, why
	}
	if named.VenueUUID == "" {
		named.VenueUUID, named.VenueName, named.Create = value.Text(p.make(named, values)), value.Text(named.Name), true
	}
	return p.venues.byUUID[string(named.VenueUUID)], nil
}

// count counts an event for a place.
func (p *places) count(w *fileEvent, key placeKey, place eventfile.Place) *unknownPlace {
	named := p.byKey[key]
	if named == nil {
		named = &unknownPlace{ImportVenue: adminapi.ImportVenue{
			Name: place.Name, Street: value.Text(place.Street), HouseNumber: value.Text(place.HouseNumber),
			PostalCode: value.Text(place.PostalCode), City: value.Text(place.City), Proposals: []adminapi.FoundVenue{},
		}}
		p.byKey[key] = named
		p.unknown = append(p.unknown, named)
	}
	if named.last != w {
		named.last = w
		named.Events++
	}
	return named
}

// make plans a venue of the organization with the address of the file, and returns its uuid. Ids in
// registers that break a rule are left out.
func (p *places) make(named *unknownPlace, values map[string]string) string {
	id := uuid.Must(uuid.NewV7()).String()
	made := &rules.Venue{
		UUID: id, OrgUUID: p.org, Name: named.Name, Street: named.Street, HouseNumber: named.HouseNumber,
		PostalCode: named.PostalCode, City: named.City, Country: p.country,
		WikidataID: value.Text(values[eventfile.FieldVenueWikidata]), OSMID: value.Text(values[eventfile.FieldVenueOSM]),
	}
	if made.Normalize(); len(made.Validate()) > 0 {
		made.WikidataID, made.OSMID = "", ""
	}
	p.made[id] = made
	p.venues.byUUID[id] = venue{UUID: id, Name: made.Name, Own: true}
	return id
}

// giveHours gives a new venue its opening hours, unless it has some or these break a rule.
func (p *places) giveHours(uuid string, h *hours.Hours) {
	made := p.made[uuid]
	if made == nil || h == nil || !made.Hours.Empty() {
		return
	}
	if made.Hours = *h; len(made.Validate()) > 0 {
		made.Hours = hours.Hours{}
	}
}

const selectCountry = `
SELECT coalesce(country, '')
FROM organization
WHERE uuid = $1`

// requireNew refuses a caller who may not add the new venues, and new venues that break a rule.
func (p *places) requireNew(ctx context.Context, tx pgx.Tx) error {
	if len(p.made) == 0 {
		return nil
	}
	if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), p.org, permission.AddVenue); err != nil {
		return err
	}
	var bad fault.Violations
	for _, made := range p.made {
		for _, v := range made.Validate() {
			v.Field = "venues." + v.Field
			bad = append(bad, v)
		}
	}
	return bad.Err("invalid_import", "a venue of the file cannot be added")
}

// of returns the new venues of an event.
func (p *places) of(w *fileEvent) (list []*rules.Venue) {
	add := func(uuid value.Text) {
		if made := p.made[string(uuid)]; made != nil && !slices.Contains(list, made) {
			list = append(list, made)
		}
	}
	add(w.event.VenueUUID)
	for i := range w.dates {
		add(w.dates[i].date.VenueUUID)
	}
	return list
}

const (
	maxProposed  = 25 // places with proposals
	maxProposals = 4  // of one place
	maxNameWords = 6  // of a name that is searched
)

// propose finds venues for the first unknown places: each is a search of all venues.
func (r *run) propose(ctx context.Context) error {
	listed := r.listedPlaces()
	for _, named := range listed[:min(len(listed), maxProposed)] {
		if r.late(ctx) {
			return nil
		}
		words := strings.Fields(document.Words(named.Name))
		words = words[:min(len(words), maxNameWords)]
		there := slices.Concat(words, strings.Fields(document.Words(string(named.City))))
		for _, asked := range [][]string{there, words} {
			if len(named.Proposals) > 0 || len(words) == 0 {
				break
			}
			filter := overview.VenueFilter{Words: asked, Org: r.org}
			found, err := r.Overview.FindVenues(ctx, filter, paging.Page{Limit: maxProposals})
			if err != nil {
				return err
			}
			named.Proposals = found.Venues
		}
	}
	return nil
}

// readPlaces checks the choices of a body.
func (r *request) readPlaces(given []adminapi.ImportPlace, bad *fault.Violations) {
	if given != nil {
		r.places = []adminapi.ImportPlace{}
	}
	if len(given) > adminapi.MaxImportChoices {
		bad.Add("venues", reason.TooMany(adminapi.MaxImportChoices))
		return
	}
	for i, place := range given {
		at := "venues[" + strconv.Itoa(i) + "]."
		if place.Name = strings.TrimSpace(place.Name); place.Name == "" {
			bad.Add(at+"name", reason.Required)
		}
		for field, text := range map[string]string{"name": place.Name, "postal_code": string(place.PostalCode), "city": string(place.City)} {
			if len([]rune(text)) > adminapi.MaxName {
				bad.Add(at+field, reason.TooLong(adminapi.MaxName))
			}
		}
		uuid, valid := value.UUIDv7(string(place.VenueUUID))
		switch {
		case place.VenueUUID != "" && !valid:
			bad.Add(at+"venue_uuid", reason.NotUUID)
		case place.VenueUUID != "" && place.Create:
			bad.Add(at+"create", reason.GivenWith("venue_uuid"))
		}
		place.VenueUUID = value.Text(uuid)
		r.places = append(r.places, place)
	}
}
