package venue

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// spaceGroups are the fields of a space.
var spaceGroups = []entity.Group{
	{ID: "name", Fields: []entity.Field{
		spaceName, spaceType, {Key: "building_level", Kind: entity.Number},
	}},
	{ID: "capacity", Fields: []entity.Field{capacity, {Key: "seating_capacity", Kind: entity.Number}}},
	{ID: "accessibility", Fields: accessibilityFields},
	{ID: "texts", Fields: []entity.Field{{Key: "description", Kind: entity.Area}, {Key: "web_link", Kind: entity.Link}}},
}

// newSpace are the fields with which a space is added.
var newSpace = entity.Group{ID: "new", Fields: []entity.Field{spaceName, spaceType, capacity}}

var (
	spaceName = entity.Field{Key: "name", Max: adminapi.MaxName, Required: true}
	spaceType = entity.Field{Key: "space_type", Kind: entity.Choice, Options: func(e entity.Entity, values version.Values) []view.Option {
		return spaceTypes(e, values.Text("space_type"))
	}}
	capacity = entity.Field{Key: "total_capacity", Kind: entity.Number}
)

func spaceTypes(e entity.Entity, chosen string) []view.Option {
	return e.Sets.SpaceTypes.OptionsOrNone(e.Text.T("space.space_type_none"), chosen)
}

// SpacePath returns the address of the page of a space.
func SpacePath(uuid string) string { return page.Root + "/space/" + uuid }

// space is a space as its page shows it.
type space struct {
	entity.Entity
	venue     string // uuid
	venueName string
	may       permission.Set
}

func readSpace(r *page.Request) (space, error) {
	uuid, err := r.UUID("space")
	if err != nil {
		return space{}, err
	}
	s := space{Entity: entity.Entity{
		Request: r, Kind: "space", Need: permission.EditSpace, Page: SpacePath(uuid), Sets: r.Lookup().Sets(), Groups: spaceGroups,
		Read: r.Admin().ReadSpace(uuid), Write: r.Admin().WriteSpace(uuid),
	}}
	if err := s.Load(); err != nil {
		return space{}, err
	}
	s.venue = s.Values.Text("venue_uuid")
	s.Public = func() bool { return isPublic(r, s.venue) }
	of, err := r.Admin().Venue(s.venue)
	if err != nil {
		return space{}, err
	}
	s.Org, s.venueName, s.may = of.OrgUUID, of.Name, r.Rights(of.OrgUUID)
	s.Locked = !s.may.Has(permission.EditSpace)
	return s, nil
}

func (s space) show() error {
	return s.Show(view.Page{Title: s.Values.Text("name"), Section: s.Org, Content: spacePage(s)})
}

// save stores a group of fields.
func (s space) save() error {
	return s.Save(func(e entity.Entity) error {
		s.Entity = e
		return s.show()
	})
}
