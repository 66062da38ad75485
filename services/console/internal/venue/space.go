package venue

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// spaceGroups are the fields of a space.
var spaceGroups = []group{
	{"name", []field{{key: "name", max: adminapi.MaxName, required: true}, {key: "space_type", kind: spaceType}, {key: "building_level", kind: number}}},
	{"capacity", []field{{key: "total_capacity", kind: number}, {key: "seating_capacity", kind: number}}},
	{"accessibility", []field{{key: "accessibility_flags", kind: flags}, {key: "accessibility_summary", kind: area}}},
	{"texts", []field{{key: "description", kind: area}, {key: "web_link", kind: link}}},
}

// newSpace are the fields with which a space is added.
var newSpace = group{"new", []field{{key: "name", max: adminapi.MaxName, required: true}, {key: "space_type", kind: spaceType}, {key: "total_capacity", kind: number}}}

// SpacePath returns the address of the page of a space.
func SpacePath(uuid string) string { return page.Root + "/space/" + uuid }

// space is a space as its page shows it.
type space struct {
	entity
	venue     string // uuid
	venueName string
	org       string
	may       permission.Set
}

func readSpace(r *page.Request) (space, error) {
	uuid, err := r.UUID("space")
	if err != nil {
		return space{}, err
	}
	admin := r.Admin()
	e := entity{
		Request: r, kind: "space", uuid: uuid, sets: r.Lookup().Sets(), groups: spaceGroups,
		read: admin.ReadSpace(uuid), write: admin.WriteSpace(uuid), delete: admin.DeleteSpace(uuid),
	}
	if err := e.load(); err != nil {
		return space{}, err
	}
	s := space{entity: e, venue: e.values.Text("venue_uuid")}
	of, err := admin.Venue(s.venue)
	if err != nil {
		return space{}, err
	}
	s.org, s.venueName, s.may = of.OrgUUID, of.Name, r.Rights(of.OrgUUID)
	s.locked = !s.may.Has(permission.EditSpace)
	return s, nil
}

func showSpace(r *page.Request) error {
	s, err := readSpace(r)
	if err != nil {
		return err
	}
	return s.show()
}

func (s space) show() error {
	return s.Show(view.Page{Title: s.values.Text("name"), Section: s.org, Content: spacePage(s)})
}

// saveSpace stores a group of fields of a space.
func saveSpace(r *page.Request) error {
	s, err := readSpace(r)
	if err != nil {
		return err
	}
	return s.save(s.org, permission.EditSpace, func(states map[string]view.State, values version.Values) error {
		s.states, s.values = states, values
		return s.show()
	})
}
