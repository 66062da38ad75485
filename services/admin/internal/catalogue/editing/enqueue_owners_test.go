package editing

import (
	"slices"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

// owners is a house of which second is the neighbour, and hall its venue.
type owners struct {
	*house
	second *rules.Organization
	hall   *rules.Venue // of the second organization
}

func newOwners(t *testing.T) *owners {
	t.Helper()
	h := newHouse(t)
	return &owners{house: h, second: h.neighbour, hall: h.barn}
}

// public returns the names of the stage's organizations that are public now.
func (o *owners) public() []string {
	o.Helper()
	public, err := outbox.Public(o.Context(), o.db, change.KindOrganization, []string{o.org.UUID, o.second.UUID})
	if err != nil {
		o.Fatal(err)
	}
	var listed []string
	err = outbox.EachPublic(o.Context(), o.db, change.KindOrganization, 1, func(ids []string) error {
		listed = append(listed, ids...)
		return nil
	})
	if err != nil || len(listed) != len(public) {
		o.Fatalf("%v are listed as public, %v are public: %v", listed, public, err)
	}
	var names []string
	for _, organization := range []*rules.Organization{o.org, o.second} {
		if public[organization.UUID] {
			names = append(names, organization.Name)
		}
	}
	return names
}

// expect checks which organizations are public after a step, and that the outbox names each one for
// which that is new.
func (o *owners) expect(step string, before []string, want ...string) (after []string) {
	o.Helper()
	after = o.public()
	if !slices.Equal(after, want) {
		o.Errorf("after %s %v are public, want %v", step, after, want)
	}
	outbox := o.outbox()
	for _, organization := range []*rules.Organization{o.org, o.second} {
		changed := slices.Contains(before, organization.Name) != slices.Contains(after, organization.Name)
		if changed && !slices.Contains(outbox, line(change.KindOrganization, organization.UUID)) {
			o.Errorf("after %s the outbox does not name %s: %v", step, organization.Name, outbox)
		}
	}
	return after
}

func TestOrganizationsArePublicThroughEventsAndVenues(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	const own, second = "Kulturhaus", "Jazzclub"
	e := o.event()
	e.ReleaseStatus = rules.StatusDraft
	steps := []struct {
		name   string
		change func() rules.Entity
		want   []string
	}{
		{"a draft", func() rules.Entity { return e }, nil},
		{"its release at a later time", func() rules.Entity { e.ReleaseStatus, e.ReleaseDate = rules.StatusReleased, &future; return e }, nil},
		{"its release", func() rules.Entity { e.ReleaseDate = nil; return e }, []string{own}},
		{"placing it elsewhere", func() rules.Entity { e.VenueUUID = value.Text(o.hall.UUID); return e }, []string{own, second}},
		{"placing it nowhere", func() rules.Entity { e.VenueUUID, e.OnlineLink = "", "https://stream.example"; return e }, []string{own}},
		{"placing a date elsewhere", func() rules.Entity { e.Dates[0].VenueUUID = value.Text(o.hall.UUID); return e }, []string{own, second}},
		{"giving it away", func() rules.Entity { e.OrgUUID = o.second.UUID; return e }, []string{second}},
		{"giving the venue away", func() rules.Entity { o.hall.OrgUUID = o.org.UUID; return o.hall }, []string{own, second}},
		{"giving it back", func() rules.Entity { e.OrgUUID = o.org.UUID; return e }, []string{own}},
		{"giving the venue back", func() rules.Entity { o.hall.OrgUUID = o.second.UUID; return o.hall }, []string{own, second}},
		{"cancelling it", func() rules.Entity { e.ReleaseStatus = rules.StatusCancelled; return e }, []string{own, second}},
		{"withdrawing it", func() rules.Entity { e.ReleaseStatus = rules.StatusDraft; return e }, nil},
		{"releasing it again", func() rules.Entity { e.ReleaseStatus = rules.StatusReleased; return e }, []string{own, second}},
	}
	public := o.public()
	for _, step := range steps {
		o.mustSave(step.change())
		public = o.expect(step.name, public, step.want...)
	}
	all := o.member(permission.All, permission.All)
	if err := remove(all, o.editor, events, at(e.UUID), password); err != nil {
		t.Fatal(err)
	}
	o.expect("its deletion", public)
}

func TestOrganizationsThatAreNotPublicAreNotEnqueued(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	o.mustSave(&rules.Organization{UUID: newID(), Name: "Neu"})
	o.wantOutbox()
	o.second.Description = "Neu"
	o.mustSave(o.second)
	o.wantOutbox()
	o.hall.OrgUUID = o.org.UUID // used by no event
	o.mustSave(o.hall)
	o.wantOutbox(venue(o.hall))
	if err := o.editor.RemoveOrganization(o.member(0, permission.All), at(o.second.UUID), password); err != nil {
		t.Fatal(err)
	}
	o.wantOutbox()
	draft := o.event()
	draft.ReleaseStatus = rules.StatusDraft
	o.mustSave(draft)
	o.wantOutbox()
}

func TestEditsOfPublicEventsDoNotPublishTheirOrganizations(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	e := o.event()
	o.mustSave(e)
	o.wantOutbox(event(e), organization(o.org))
	e.Title = "Neu"
	o.mustSave(e)
	o.wantOutbox(event(e))
}
