package editing

import (
	"context"
	"slices"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/pkg/contracts/video"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
)

func TestCreateNeedsTheRightWhereItBelongs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	newVenue := func(ctx context.Context) error {
		_, err := create(ctx, h.editor, venues, &rules.Venue{UUID: newID(), OrgUUID: h.org.UUID, Name: "Neu"})
		return err
	}
	newSpace := func(ctx context.Context) error {
		_, err := create(ctx, h.editor, spaces, &rules.Space{UUID: newID(), VenueUUID: h.venue.UUID, Name: "Neu"})
		return err
	}
	newEvent := func(ctx context.Context) error {
		_, err := create(ctx, h.editor, events, &rules.Event{UUID: newID(), OrgUUID: h.org.UUID})
		return err
	}
	for what, test := range map[string]struct {
		create func(context.Context) error
		need   permission.Set
		home   string
	}{
		"venue": {newVenue, permission.AddVenue, "organization_not_found"},
		"space": {newSpace, permission.AddSpace, "venue_not_found"},
		"event": {newEvent, permission.AddEvent | permission.ChooseAsEventOrganization, "organization_not_found"},
	} {
		h.wantFault(what+" without a principal", test.create(t.Context()), fault.Unauthenticated, "token_missing")
		h.wantFault(what+" of a stranger", test.create(h.member(0, permission.All)), fault.NotFound, test.home)
		h.wantFault(what+" without the right", test.create(h.member(permission.All&^test.need, 0)), fault.Forbidden, "permission_missing")
		h.wantFault(what, test.create(h.member(test.need, 0)), "", "")
	}
	h.wantFault("an unknown home", func() error {
		_, err := create(h.member(permission.All, 0), h.editor, venues, &rules.Venue{UUID: newID(), OrgUUID: newID(), Name: "Neu"})
		return err
	}(), fault.NotFound, "organization_not_found")
}

func TestFoundingMakesAnOwner(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditOrganization, 0)
	held := &rules.Organization{Name: " Neu ", HoldingOrgUUID: value.Text(h.org.UUID)}
	created, err := h.editor.CreateOrganization(ctx, held)
	if err != nil || created.Version != 1 || created.Answer.Name != "Neu" {
		t.Fatalf("%+v, %v", created, err)
	}
	h.wantOutbox() // nothing of it is public yet
	h.wantAudited(created.Answer.UUID, "organization.create", "member.join")
	who := auth.PrincipalOf(ctx).UserID
	const owner = "SELECT role || ' ' || permissions FROM membership WHERE org_uuid = $1 AND user_id = $2"
	if got, want := one[string](h.stage, owner, created.Answer.UUID, who), "owner "+permission.All.String(); got != want {
		t.Errorf("the founder is %s, want %s", got, want)
	}
	read, err := h.editor.Organization(ctx, created.Answer.UUID)
	if err != nil {
		t.Fatal(err)
	}
	same(t, read.Answer, created.Answer)
	_, err = h.editor.Organization(h.member(permission.All, 0), created.Answer.UUID)
	h.wantFault("a stranger reads it", err, fault.NotFound, "organization_not_found")
}

func TestFoundingRefuses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	found := func(ctx context.Context, o rules.Organization) error {
		_, err := h.editor.CreateOrganization(ctx, &o)
		return err
	}
	key := auth.Principal{APIKey: newID(), KeyOrg: h.org.UUID, KeyLimit: permission.All}
	h.wantFault("an API key", found(auth.WithPrincipal(t.Context(), key), rules.Organization{Name: "x"}), fault.Forbidden, "login_required")
	h.mustRefuse(found(h.member(0, 0), rules.Organization{Country: "xx"}), fault.Invalid, "name", "country")
	under := rules.Organization{Name: "x", HoldingOrgUUID: value.Text(h.org.UUID)}
	h.mustRefuse(found(h.member(0, 0), under), fault.NotFound, "holding_org_uuid")
	h.wantFault("a member without the right", found(h.member(permission.All&^permission.EditOrganization, 0), under),
		fault.Forbidden, "permission_missing")
	if got := one[int](h.stage, "SELECT count(*) FROM organization"); got != 2 {
		t.Errorf("%d organizations", got)
	}
	h.wantOutbox()
}

func TestFoundingIsLimited(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(0, 0)
	found := func(ctx context.Context, name string) error {
		_, err := h.editor.CreateOrganization(ctx, &rules.Organization{Name: name})
		return err
	}
	h.mustRefuse(found(ctx, ""), fault.Invalid, "name") // does not count
	for range founding.Max {
		h.wantFault("one of those allowed", found(ctx, "x"), "", "")
	}
	err := found(ctx, "x")
	h.wantFault("the next one", err, fault.TooMany, "too_many_attempts")
	if fault.Of(err).RetryAfter != founding.Window {
		t.Errorf("retry after %s", fault.Of(err).RetryAfter)
	}
	h.wantFault("another user", found(h.member(0, 0), "x"), "", "")
	admin := auth.PrincipalOf(ctx)
	admin.PlatformAdmin = true
	h.wantFault("a platform administrator", found(auth.WithPrincipal(ctx, admin), "x"), "", "")
}

// A portal with a slug that has a host name appears under it, so that no organization takes one.
func TestSlugsWithAHostNameAreTheOperators(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.editor.PortalSlugs = []string{"husum"}
	ours := h.member(permission.EditOrganization, 0)
	refused := func(what string, err error) {
		t.Helper()
		if !fault.Is(err, fault.Conflict) || fault.Of(err).Violations[0].Field != "slug" {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := h.editor.CreatePortal(ours, &rules.Portal{OrgUUID: value.Text(h.org.UUID), Slug: " husum ", Name: "Husum"})
	refused("create", err)
	viewer := h.member(permission.All&^permission.EditOrganization, 0)
	_, err = h.editor.CreatePortal(viewer, &rules.Portal{OrgUUID: value.Text(h.org.UUID), Slug: "husum", Name: "Husum"})
	if !fault.Is(err, fault.Forbidden) {
		t.Errorf("a member without the right: %v", err)
	}
	made, err := h.editor.CreatePortal(ours, &rules.Portal{OrgUUID: value.Text(h.org.UUID), Slug: "kiel", Name: "Kiel"})
	if err != nil {
		t.Fatal(err)
	}
	toHusum := func(p *rules.Portal) error { p.Slug = "husum "; return nil }
	_, err = h.editor.UpdatePortal(ours, at(made.Answer.UUID, made.Version), toHusum)
	refused("update", err)
	operator := auth.PrincipalOf(ours)
	operator.PlatformAdmin = true
	given, err := h.editor.UpdatePortal(auth.WithPrincipal(t.Context(), operator), at(made.Answer.UUID, made.Version), toHusum)
	if err != nil || given.Answer.Slug != "husum" {
		t.Fatalf("the operator: %+v, %v", given, err)
	}
	_, err = h.editor.UpdatePortal(ours, at(made.Answer.UUID, given.Version), func(p *rules.Portal) error { p.Name = "Stadt"; return nil })
	if err != nil {
		t.Errorf("another edit of the portal: %v", err)
	}
}

// TestVideosAreAtAllowedHosts: a new one is refused anywhere else, with everything else that is
// wrong, and one that is stored stays when its host is not allowed any more.
func TestVideosAreAtAllowedHosts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.editor.VideoHosts = video.Hosts{"youtube.com"}
	ours := h.member(permission.All, 0)
	fields := func(err error) (fields []string) {
		if err != nil {
			for _, v := range fault.Of(err).Violations {
				fields = append(fields, v.Field)
			}
		}
		return fields
	}
	for link, want := range map[value.Text][]string{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ": nil, "https://youtube.com.evil.example/watch": {"video_link"}, "https://youtube.com@evil.example/": {"video_link", "video_link"},
		"http://youtube.com/watch?v=dQw4w9WgXcQ": {"video_link"}, "javascript:alert(1)": {"video_link"},
	} {
		_, err := h.editor.CreateEvent(ours, &rules.Event{OrgUUID: h.org.UUID, Title: "Film", VideoLink: link})
		if got := fields(err); !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", link, got, err)
		}
	}
	_, err := h.editor.CreateEvent(ours, &rules.Event{OrgUUID: h.org.UUID, Title: "Film", VideoLink: "https://vimeo.com/1", Currency: "Euro"})
	if got := fields(err); !slices.Equal(got, []string{"video_link", "currency"}) {
		t.Errorf("two mistakes are %v", got)
	}
	made, err := h.editor.CreateEvent(ours, &rules.Event{OrgUUID: h.org.UUID, Title: "Film", VideoLink: "https://youtube.com/watch?v=dQw4w9WgXcQ"})
	if err != nil {
		t.Fatal(err)
	}
	h.editor.VideoHosts = nil
	edited, err := h.editor.UpdateEvent(ours, at(made.Answer.UUID, made.Version), func(e *rules.Event) error { e.Title = "Kino"; return nil })
	if err != nil || edited.Answer.VideoLink == "" {
		t.Errorf("another edit of the event: %+v, %v", edited.Answer.Event, err)
	}
	_, err = h.editor.UpdateEvent(ours, at(made.Answer.UUID, edited.Version), func(e *rules.Event) error { e.VideoLink += "&t=9"; return nil })
	if got := fields(err); !slices.Equal(got, []string{"video_link"}) {
		t.Errorf("another video at a host that is not allowed any more: %v", err)
	}
}
