package editing

import (
	"context"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

func TestVenueFromAddingToRemoving(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.AddVenue|permission.EditVenue|permission.DeleteVenue, 0)
	created, err := h.editor.CreateVenue(ctx, &rules.Venue{OrgUUID: h.org.UUID, Name: " Speicher "})
	if err != nil || created.Version != 1 || created.Answer.Name != "Speicher" || created.Warnings == nil {
		t.Fatalf("%+v, %v", created, err)
	}
	key := created.Answer.UUID
	h.wantOutbox(line(change.KindVenue, key))
	changed, err := h.editor.UpdateVenue(ctx, at(key, 1), func(v *rules.Venue) error { v.City = "Kiel"; return nil })
	if err != nil || changed.Version != 2 {
		t.Fatalf("%+v, %v", changed, err)
	}
	found, err := h.editor.Venue(h.member(permission.ViewEventInsights, 0), key)
	if err != nil || found.Version != 2 || found.Warnings != nil {
		t.Fatalf("%+v, %v", found, err)
	}
	same(t, found.Answer, changed.Answer)
	h.wantFault("remove", h.editor.RemoveVenue(ctx, at(key, 2), password), "", "")
	_, err = h.editor.Venue(ctx, key)
	h.wantFault("what is gone", err, fault.NotFound, "venue_not_found")
	h.wantAudited(h.org.UUID, "venue.create", "venue.update", "venue.delete")
}

func TestAddingPlacesNamesTheFieldThatIsNotFound(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	for _, org := range []string{h.neighbour.UUID, newID()} {
		_, err := h.editor.CreateVenue(ctx, &rules.Venue{OrgUUID: org, Name: "Saal"})
		h.mustRefuse(err, fault.NotFound, "org_uuid")
		_, err = h.editor.UpdateVenue(ctx, at(h.venue.UUID), func(v *rules.Venue) error { v.OrgUUID = org; return nil })
		h.mustRefuse(err, fault.NotFound, "org_uuid")
	}
	for _, venue := range []string{h.barn.UUID, newID()} {
		_, err := h.editor.CreateSpace(ctx, &rules.Space{VenueUUID: venue, Name: "Saal"})
		h.mustRefuse(err, fault.NotFound, "venue_uuid")
		_, err = h.editor.UpdateSpace(ctx, at(h.space.UUID), func(s *rules.Space) error { s.VenueUUID = venue; return nil })
		h.mustRefuse(err, fault.NotFound, "venue_uuid")
	}
	_, err := h.editor.CreateSpace(ctx, &rules.Space{Name: ""})
	h.mustRefuse(err, fault.Invalid, "venue_uuid", "name")
	h.wantOutbox()
}

func TestSpaceMovesWithTheRightInBoth(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	move := func(ctx context.Context) error {
		_, err := h.editor.UpdateSpace(ctx, at(h.space.UUID), func(s *rules.Space) error {
			s.VenueUUID = h.barn.UUID
			return nil
		})
		return err
	}
	used := h.event()
	used.SpaceUUID = value.Text(h.space.UUID)
	h.mustSave(used)
	both := h.member(permission.EditSpace, permission.EditSpace)
	h.wantFault("while an event uses it", move(both), fault.Conflict, "space_in_use")
	h.wantFault("removing it", h.editor.RemoveSpace(h.member(permission.DeleteSpace, 0), at(h.space.UUID), password),
		fault.Conflict, "space_in_use")
	used.SpaceUUID = ""
	h.mustSave(used)
	h.wantFault("without the right there", move(h.member(permission.EditSpace, permission.EditVenue)),
		fault.Forbidden, "permission_missing")
	h.clearOutbox()
	h.wantFault("with the right in both", move(both), "", "")
	h.wantOutbox(line(change.KindVenue, h.venue.UUID), line(change.KindVenue, h.barn.UUID))
}

func TestSimilarVenues(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	near, far := pointer(9.4469), pointer(9.4490)
	at100 := func(name string, lon *float64) *rules.Venue {
		return &rules.Venue{UUID: newID(), OrgUUID: h.neighbour.UUID, Name: name, Lat: pointer(54.7937), Lon: lon}
	}
	twin, other, away := at100("Alte Post", near), at100("Museum", near), at100("Alte Post", far)
	west, east := at100("Insel", pointer(-179.9999)), at100("Insel", pointer(179.9999))
	h.mustSave(twin, other, away, west, east)

	ctx := h.member(permission.AddVenue|permission.EditVenue, 0)
	created, err := h.editor.CreateVenue(ctx, &rules.Venue{OrgUUID: h.org.UUID, Name: "alte post", Lat: pointer(54.7938), Lon: near})
	if err != nil || len(created.Warnings) != 1 || created.Warnings[0].UUID != value.Text(twin.UUID) ||
		created.Warnings[0].Code != adminapi.WarnSimilarVenue || created.Warnings[0].Field != "name" {
		t.Fatalf("%+v, %v", created.Warnings, err)
	}
	for name, test := range map[string]struct {
		edit func(*rules.Venue)
		want int
	}{
		"renamed":         {func(v *rules.Venue) { v.Name, v.Lon = "Werft", near }, 0},
		"moved":           {func(v *rules.Venue) { v.Name, v.Lon = "Alte Post", pointer(9.6) }, 0},
		"without a point": {func(v *rules.Venue) { v.Name, v.Lat, v.Lon = "Alte Post", nil, nil }, 0},
		"as it was":       {func(v *rules.Venue) { v.Name, v.Lat, v.Lon = "Alte Post", pointer(54.7938), near }, 1},
		"and unchanged":   {func(*rules.Venue) {}, 1},
	} {
		changed, err := h.editor.UpdateVenue(ctx, at(created.Answer.UUID), func(v *rules.Venue) error {
			v.Name, v.Lat, v.Lon = "Alte Post", pointer(54.7938), near
			test.edit(v)
			return nil
		})
		if err != nil || len(changed.Warnings) != test.want {
			t.Errorf("%s: %+v, %v", name, changed.Warnings, err)
		}
	}
	similar, err := h.editor.SimilarVenues(ctx, Place{
		Name: "Insel", Location: rules.Location{Lat: pointer(54.7937), Lon: pointer(180.0)}, Except: west.UUID,
	})
	if err != nil || len(similar) != 1 || similar[0].UUID != east.UUID || similar[0].OrgName != "Jazzclub" ||
		*similar[0].Distance < 5 || *similar[0].Distance > 8 {
		t.Errorf("across the antimeridian: %+v, %v", similar, err)
	}

	written := &rules.Venue{UUID: newID(), OrgUUID: h.neighbour.UUID, Name: "Kühlhaus", Street: "Mühlendamm", HouseNumber: "25", PostalCode: "24937", City: "Flensburg"}
	h.mustSave(written)
	created, err = h.editor.CreateVenue(ctx, &rules.Venue{
		OrgUUID: h.org.UUID, Name: "Das Kuehlhaus", Street: "Muehlendamm", PostalCode: "24937", Lat: pointer(54.7), Lon: near,
	})
	if err != nil || len(created.Warnings) != 1 || created.Warnings[0].UUID != value.Text(written.UUID) {
		t.Errorf("of the same address: %+v, %v", created.Warnings, err)
	}
}
