package editing

import (
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

func TestRemove(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := usesOf(h.stage)
	ctx := h.member(permission.All, 0)
	h.mustRefuse(h.editor.RemoveOrganization(ctx, at(h.org.UUID), password), fault.Conflict)
	h.mustRefuse(remove(ctx, h.editor, venues, at(h.other.UUID), password), fault.Conflict)
	err := remove(ctx, h.editor, spaces, at(h.space.UUID), password)
	h.mustRefuse(err, fault.Conflict)
	if want := "the space cannot be deleted: it is used by 2 events"; fault.Of(err).Message != want {
		t.Errorf("message is %q, want %q", fault.Of(err).Message, want)
	}
	h.mustRefuse(remove(ctx, h.editor, events, at(newID()), password), fault.NotFound)
	h.wantOutbox()
	h.wantAudited(h.org.UUID)

	removed := func(err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		h.wantOutbox(want...)
	}
	removed(remove(ctx, h.editor, events, at(u.draft.UUID), password))
	removed(remove(ctx, h.editor, events, at(u.byEvent.UUID, 1), password), event(u.byEvent), organization(h.org))
	removed(remove(ctx, h.editor, events, at(u.byDate.UUID), password), event(u.byDate), organization(h.org))
	removed(remove(ctx, h.editor, spaces, at(h.space.UUID), password), venue(h.venue))
	removed(remove(ctx, h.editor, venues, at(h.venue.UUID), password), venue(h.venue))
	h.mustRefuse(remove(ctx, h.editor, venues, at(h.other.UUID), password), fault.Conflict)
	removed(remove(ctx, h.editor, events, at(u.byOtherDate.UUID), password), event(u.byOtherDate), organization(h.org))
	removed(remove(ctx, h.editor, venues, at(h.other.UUID), password), venue(h.other))
	removed(h.editor.RemoveOrganization(ctx, at(h.org.UUID), password))
	h.wantAudited(h.org.UUID, "event.delete", "event.delete", "event.delete", "space.delete", "venue.delete", "event.delete",
		"venue.delete", "organization.delete")
}

func TestRemoveNeedsRightAndPassword(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	try := func(mine permission.Set, given string) error {
		return remove(h.member(mine, permission.All), h.editor, venues, at(h.other.UUID), given)
	}
	h.wantFault("a stranger", try(0, "wrong"), fault.NotFound, "venue_not_found")
	h.wantFault("without the right", try(permission.All&^permission.DeleteVenue, "wrong"), fault.Forbidden, "permission_missing")
	h.wantFault("a wrong password", try(permission.DeleteVenue, "wrong"), fault.Forbidden, "wrong_password")
	if got := load(h.stage, venues.table, h.other.UUID); got.Version != 1 {
		t.Fatalf("the venue is of version %d", got.Version)
	}
	h.wantFault("with both", try(permission.DeleteVenue, password), "", "")
}

func TestVenueGoesWithItsSpaces(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	if err := remove(ctx, h.editor, venues, at(h.venue.UUID), password); err != nil {
		t.Fatal(err)
	}
	h.mustRefuse(remove(ctx, h.editor, spaces, at(h.space.UUID), password), fault.NotFound)
}

func TestHeldOrganizationKeepsItsHolder(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.org.HoldingOrgUUID = value.Text(h.neighbour.UUID)
	h.mustSave(h.org, &rules.Venue{UUID: h.barn.UUID, OrgUUID: h.org.UUID, Name: h.barn.Name})
	err := h.editor.RemoveOrganization(h.member(0, permission.All), at(h.neighbour.UUID), password)
	h.mustRefuse(err, fault.Conflict)
	if want := "the organization cannot be deleted: it is used by 1 organization"; fault.Of(err).Message != want {
		t.Errorf("message is %q", fault.Of(err).Message)
	}
	h.wantOutbox(line(change.KindVenue, h.barn.UUID)) // no organization is public
}
