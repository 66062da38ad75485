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
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// venueGroups are the fields of a venue.
var venueGroups = []group{
	{"name", []field{{key: "name", max: adminapi.MaxName, required: true}}},
	{"address", []field{
		{key: "street"}, {key: "house_number"}, {key: "postal_code"}, {key: "city"}, {key: "state"}, {key: "country", kind: country},
	}},
	{"position", []field{{key: "lat", kind: degree}, {key: "lon", kind: degree}}},
	{"accessibility", []field{{key: "accessibility_flags", kind: flags}, {key: "accessibility_summary", kind: area}}},
	{"contact", []field{{key: "contact_email", kind: email}, {key: "contact_phone"}, {key: "web_link", kind: link}}},
	{"hours", []field{
		{key: "opening_hours", kind: area}, {key: "opened_at", kind: day}, {key: "closed_at", kind: day}, {key: "timezone"},
	}},
	{"tickets", []field{{key: "ticket_info", kind: area}, {key: "ticket_link", kind: link}}},
	{"texts", []field{{key: "summary", kind: area}, {key: "description", kind: area}}},
}

// Path returns the address of the page of a venue.
func Path(uuid string) string { return page.Root + "/venue/" + uuid }

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/event/:event/place/new", newForEvent)
	r.Post("/event/:event/place/new", addForEvent)
	r.Get("/organization/:organization/venues/new", newForOrganization)
	r.Post("/organization/:organization/venues/new", addForOrganization)
	r.Get("/position", showPosition)
	r.Get("/organization/:organization/venues", listVenues)
	r.Get("/venue/:venue", showVenue)
	r.Post("/venue/:venue/spaces", addSpace)
	r.Get("/venue/:venue/delete", askRemoveVenue)
	r.Post("/venue/:venue/delete", removeVenue)
	r.Post("/venue/:venue/:part", saveVenue)
	r.Get("/space/:space", showSpace)
	r.Get("/space/:space/delete", askRemoveSpace)
	r.Post("/space/:space/delete", removeSpace)
	r.Post("/space/:space/:part", saveSpace)
}

// venue is a venue as its page shows it.
type venue struct {
	entity
	org    string
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
	admin := r.Admin()
	e := entity{
		Request: r, kind: "venue", uuid: uuid, sets: r.Lookup().Sets(), groups: venueGroups,
		read: admin.ReadVenue(uuid), write: admin.WriteVenue(uuid), delete: admin.DeleteVenue(uuid),
	}
	if err := e.load(); err != nil {
		return venue{}, err
	}
	v := venue{entity: e, org: e.values.Text("org_uuid")}
	v.may = r.Rights(v.org)
	v.locked = !v.may.Has(permission.EditVenue)
	return v, nil
}

// load reads the current version.
func (e *entity) load() error {
	answer, err := e.read()
	if err != nil {
		return err
	}
	e.tag = answer.Tag
	return answer.Read(&e.values)
}

func showVenue(r *page.Request) error {
	v, err := readVenue(r)
	if err != nil {
		return err
	}
	return v.show()
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
	return v.Show(view.Page{Title: v.values.Text("name"), Section: v.org, Content: venuePage(v)})
}

// card reads the venue as the list of its organization's venues has it.
func (v venue) card() (adminapi.VenueCard, error) {
	list, err := v.Admin().Venues(v.org, client.All())
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
	guests, err := v.Admin().VenueGuests(v.org, query)
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

// saveVenue stores a group of fields of a venue.
func saveVenue(r *page.Request) error {
	v, err := readVenue(r)
	if err != nil {
		return err
	}
	return v.save(v.org, permission.EditVenue, func(states map[string]view.State, values version.Values) error {
		v.states, v.values = states, values
		return v.show()
	})
}

// save stores the group that the path names, which takes a permission in the organization. whole
// shows the page after a form that was not right.
func (e entity) save(org string, need permission.Set, whole func(map[string]view.State, version.Values) error) error {
	i := slices.IndexFunc(e.groups, func(g group) bool { return g.id == e.Param("part") })
	if i < 0 {
		return fault.New(fault.NotFound, "", "there is no such page")
	}
	group := e.groups[i]
	part := e.part(group)
	drawn := part.Draw
	var values version.Values
	var state view.State
	part.Draw = func(v version.Values, s view.State) templ.Component {
		values, state = v, s
		return drawn(v, s)
	}
	return autosave.Save(e.Request, autosave.Resource{
		Org: org, Need: need,
		Read: e.read, Stored: e.values, Tag: e.tag, Page: e.path(), Public: func(version.Values) bool { return e.isPublic() },
		Whole: func(*page.Request, string, templ.Component) error {
			return whole(map[string]view.State{group.id: state}, values)
		},
	}, part)
}

// isPublic reports whether visitors see a venue, or the venue of a space.
func (e entity) isPublic() bool {
	uuid := e.uuid
	if e.kind == "space" {
		uuid = e.values.Text("venue_uuid")
	}
	_, err := e.Public().Venue(uuid)
	return err == nil
}

// addSpace adds a space to the venue.
func addSpace(r *page.Request) error {
	v, err := readVenue(r)
	if err != nil {
		return err
	}
	if err := r.Require(v.org, permission.AddSpace); err != nil {
		return err
	}
	body, errors := bodyOf(r.Text, r.Form, newSpace)
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
