// Package venue has the pages of venues and their spaces: the list of an organization, adding,
// editing and deleting them. Search finds the venues for events.
package venue

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// venueGroups are the fields of a venue.
var venueGroups = []entity.Group{
	{ID: "name", Fields: []entity.Field{{Key: "name", Max: adminapi.MaxName, Required: true}}},
	{ID: "address", Draw: drawAddress, Fields: []entity.Field{
		{Key: "street"}, {Key: "house_number"}, {Key: "postal_code"}, {Key: "city"}, {Key: "state"},
		{Key: "country", Kind: entity.Choice, Options: countryOptions},
	}},
	{ID: "position", Draw: drawPosition, Fields: []entity.Field{{Key: "lat", Kind: entity.Degree}, {Key: "lon", Kind: entity.Degree}}},
	{ID: "accessibility", Fields: accessibilityFields},
	{ID: "contact", Fields: []entity.Field{
		{Key: "contact_email", Kind: entity.Email, Autocomplete: "off"}, {Key: "contact_phone", Kind: entity.Phone, Autocomplete: "off"},
		{Key: "web_link", Kind: entity.Link}, {Key: "wikidata_id"}, {Key: "osm_id"},
	}},
	{ID: "hours", Fields: []entity.Field{
		{Key: "hours", Kind: entity.Hours}, {Key: "opening_hours", Kind: entity.Area}, {Key: "opened_at", Kind: entity.Day}, {Key: "closed_at", Kind: entity.Day},
		{Key: "timezone"},
	}},
	{ID: "tickets", Fields: []entity.Field{{Key: "ticket_info", Kind: entity.Area}, {Key: "ticket_link", Kind: entity.Link}}},
	{ID: "use", Fields: []entity.Field{{Key: "use", Kind: entity.Choice, Options: useOptions}}},
	{ID: "texts", Fields: []entity.Field{{Key: "summary", Kind: entity.Area}, {Key: "description", Kind: entity.Area}}},
}

// accessibilityFields are those of a venue and of a space.
var accessibilityFields = []entity.Field{
	{Key: "accessibility_flags", Kind: entity.Facts}, {Key: "accessibility_summary", Kind: entity.Area},
}

func drawAddress(e entity.Entity, values version.Values, errors view.Errors) templ.Component {
	return addressFields(e.Text, e.Sets, values.Text, errors, e.Locked)
}

func drawPosition(e entity.Entity, values version.Values, errors view.Errors) templ.Component {
	return positionFields(e.Text, positionOfVenue(e, values), errors)
}

// useOptions are the uses of a venue by events of other organizations.
func useOptions(e entity.Entity, values version.Values) []view.Option {
	options := make([]view.Option, 0, len(adminapi.VenueUses))
	for _, use := range adminapi.VenueUses {
		options = append(options, view.Option{Value: use, Label: e.Text.T("venue.use." + use), Chosen: values.Text("use") == use})
	}
	return options
}

func countryOptions(e entity.Entity, values version.Values) []view.Option {
	return countries(e.Text, e.Sets, values.Text("country"))
}

// Path returns the address of the page of a venue.
func Path(uuid string) string { return page.Root + "/venue/" + uuid }

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/event/:event/place/new", page.With(draftForEvent, (*draft).begin))
	r.Post("/event/:event/place/new", page.With(draftForEvent, (*draft).add))
	r.Get("/organization/:organization/venues/new", page.With(draftForOrganization, (*draft).begin))
	r.Post("/organization/:organization/venues/new", page.With(draftForOrganization, (*draft).add))
	r.Get("/first/place", page.With(firstDraft, (*draft).begin))
	r.Post("/first/place", page.With(firstDraft, (*draft).add))
	r.Get("/first/positions", showFirstPositions)
	r.Get("/position", showPosition)
	r.Get("/towns", showTowns)
	r.Get("/organization/:organization/venues", listVenues)
	r.Get("/venue-requests", listRequests)
	r.Post("/venue-requests/:request", decideRequest)
	r.Get("/venue/:venue", page.With(readVenue, venue.show))
	r.Post("/venue/:venue/spaces", page.With(readVenue, venue.addSpace))
	r.Get("/venue/:venue/delete", page.With(venueRemoval, removal.show))
	r.Post("/venue/:venue/delete", page.With(venueRemoval, removal.remove))
	r.Post("/venue/:venue/:part", page.With(readVenue, venue.save))
	r.Get("/space/:space", page.With(readSpace, space.show))
	r.Get("/space/:space/delete", page.With(spaceRemoval, removal.show))
	r.Post("/space/:space/delete", page.With(spaceRemoval, removal.remove))
	r.Post("/space/:space/:part", page.With(readSpace, space.save))
}

// venue is a venue as its page shows it.
type venue struct {
	entity.Entity
	uuid   string
	may    permission.Set
	spaces []adminapi.SpaceCard
	guests []adminapi.GuestDate
	space  url.Values  // that was about to be added
	errors view.Errors // of the form that adds a space
}

// readVenue reads the venue of the path.
func readVenue(r *page.Request) (venue, error) {
	uuid, err := r.UUID("venue")
	if err != nil {
		return venue{}, err
	}
	v := venue{uuid: uuid, Entity: entity.Entity{
		Request: r, Kind: "venue", Need: permission.EditVenue, Page: Path(uuid), Sets: r.Lookup().Sets(), Groups: venueGroups,
		Read: r.Admin().ReadVenue(uuid), Write: r.Admin().WriteVenue(uuid), Public: func() bool { return isPublic(r, uuid) },
	}}
	if err := v.Load(); err != nil {
		return venue{}, err
	}
	v.Org = v.Values.Text("org_uuid")
	v.may = r.Rights(v.Org)
	v.Locked = !v.may.Has(permission.EditVenue)
	return v, nil
}

// show shows the page with the spaces and the guests of the venue.
func (v venue) show() error {
	var card adminapi.VenueCard
	var guests []adminapi.GuestDate // apart from v, which the other read copies
	err := v.Together(func() (err error) {
		card, err = v.card()
		return err
	}, func() (err error) {
		guests, err = v.readGuests()
		return err
	})
	if err != nil {
		return err
	}
	v.spaces, v.guests = card.Spaces, guests
	return v.Show(view.Page{Title: v.Values.Text("name"), Section: v.Org, Content: venuePage(v)})
}

// card reads the venue as the list of its organization's venues has it.
func (v venue) card() (adminapi.VenueCard, error) {
	list, err := v.Admin().Venues(v.Org, client.All())
	if err != nil {
		return adminapi.VenueCard{}, err
	}
	i := slices.IndexFunc(list.Venues, func(c adminapi.VenueCard) bool { return c.UUID == v.uuid })
	if i < 0 {
		return adminapi.VenueCard{}, nil
	}
	return list.Venues[i], nil
}

// readGuests reads the coming dates of other organizations at the venue.
func (v venue) readGuests() (here []adminapi.GuestDate, err error) {
	query := client.All()
	query.Set("start", v.Today.Format(time.DateOnly))
	guests, err := v.Admin().VenueGuests(v.Org, query)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return nil, nil // only members may read them
	}
	for _, date := range guests.Dates {
		if date.VenueUUID == v.uuid {
			here = append(here, date)
		}
	}
	return here, err
}

// save stores a group of fields.
func (v venue) save() error {
	return v.Save(func(e entity.Entity) error {
		v.Entity = e
		return v.show()
	})
}

// isPublic reports whether visitors see a venue.
func isPublic(r *page.Request, venue string) bool {
	_, err := r.Public().Venue(venue)
	return err == nil
}

// addSpace adds a space to the venue.
func (v venue) addSpace() error {
	r := v.Request
	if err := r.Require(v.Org, permission.AddSpace); err != nil {
		return err
	}
	body, errors := newSpace.Body(r, r.Form)
	body["venue_uuid"] = v.uuid
	if len(errors) == 0 {
		made, err := r.Admin().AddSpace(body)
		if err == nil {
			return r.Go(SpacePath(made.UUID), "space_added")
		}
		if errors = view.ErrorsOf(err); len(errors) == 0 {
			return err
		}
	}
	v.space, v.errors = r.Form.Values, errors
	r.Status(http.StatusUnprocessableEntity)
	return v.show()
}
