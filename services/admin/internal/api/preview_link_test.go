package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// linksOf returns the makers of the preview links of an event, as it lists them.
func (s *stage) linksOf(t *testing.T, event string) (makers string, uuids []string) {
	t.Helper()
	a := s.as(t, "owner", http.MethodGet, "/event/"+event+"/preview-link", "")
	a.want(t, "list", ok, "")
	var names []string
	links, _ := a.body["preview_links"].([]any)
	for _, one := range links {
		link := one.(map[string]any)
		haveKeys(t, "a link", link, "uuid maker api_key created_at expires_at")
		names, uuids = append(names, fmt.Sprint(link["maker"], "/", link["api_key"])), append(uuids, fmt.Sprint(link["uuid"]))
	}
	return strings.Join(names, " "), uuids
}

// TestPreviewLinksAreListedAndRevoked: each with its maker, one by one or all together.
func TestPreviewLinksAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["platform"].id)
	event, other := s.event(t, s.org, "Konzert", "draft", nil), s.event(t, s.org, "Lesung", "draft", nil)
	first, _ := s.previewed(t, "contributor", event)
	s.clock.Move(time.Minute)
	second, _ := s.previewed(t, "platform", event)
	s.clock.Move(time.Minute)
	key := authtest.Key(t, s.db, s.people["owner"].id, s.org, permission.EditEvent)
	made := s.send(t, http.MethodPost, admin+"/event/"+event+"/preview-link", nil, "Authorization", "Bearer "+key)
	made.want(t, "make a link with a key", http.StatusCreated, "")
	s.previewed(t, "editor", other)

	makers, uuids := s.linksOf(t, event)
	if makers != "contributor@example.org/<nil> <nil>/<nil> owner@example.org/test" || uuids[2] != made.body["uuid"] {
		t.Fatalf("links of %s, %v", makers, uuids)
	}
	path := "/event/" + event + "/preview-link/"
	s.as(t, "editor", http.MethodDelete, path+newUUID(), "").want(t, "another", http.StatusNotFound, "preview_link_not_found")
	_, others := s.linksOf(t, other)
	s.as(t, "editor", http.MethodDelete, path+others[0], "").want(t, "another event's", http.StatusNotFound, "preview_link_not_found")
	s.as(t, "contributor", http.MethodDelete, path+uuids[0], "").want(t, "revoke one", ok, "")
	s.preview(t, first, "").want(t, "the revoked link", http.StatusNotFound, "")
	s.preview(t, second, "").want(t, "another link", ok, "")
	if makers, _ := s.linksOf(t, event); strings.Count(makers, " ") != 1 {
		t.Errorf("links of %s", makers)
	}
	a := s.as(t, "editor", http.MethodDelete, "/event/"+event+"/preview-link", "")
	if a.body["revoked"] != float64(2) {
		t.Errorf("revoked %s", a.raw)
	}
	if makers, _ := s.linksOf(t, event); makers != "" {
		t.Errorf("links of %s", makers)
	}
}

// linkScene is an event with a preview link of a manager.
type linkScene struct {
	*stage
	*testing.T
	maker *person
	event string
}

func (l linkScene) sql(statement string, args ...any) { l.exec(l.T, statement, args...) }

func (l linkScene) setRole(role permission.Role) {
	set, _ := permission.Of(role)
	l.sql("UPDATE membership SET permissions = $2, role = $3 WHERE uuid = $1", l.maker.member, int64(set), string(role))
}

func (l linkScene) setAdministrator(is bool) {
	l.sql("UPDATE app_user SET is_platform_admin = $2 WHERE id = $1", l.maker.id, is)
}

func (l linkScene) leave() { l.sql("DELETE FROM membership WHERE uuid = $1", l.maker.member) }

func (l linkScene) join(org string, set permission.Set) {
	authtest.Member(l.T, l.db, org, l.maker.id, set)
}

func (l linkScene) move() {
	l.join(l.foreign, permission.All)
	body := fmt.Sprintf(`{"org_uuid": %q}`, l.foreign)
	l.as(l.T, "maker", http.MethodPut, "/event/"+l.event+"/header", body).want(l.T, "move", ok, "")
}

// lostRights are the ways to lose the right to edit an event; back returns it. all is whether the
// links of other makers end, too.
var lostRights = []struct {
	name      string
	end, back func(linkScene)
	all       bool
}{
	{name: "left", end: linkScene.leave, back: func(l linkScene) { l.join(l.org, permission.All) }},
	{
		name: "demoted",
		end:  func(l linkScene) { l.setRole(permission.Viewer) },
		back: func(l linkScene) { l.setRole(permission.Manager) },
	},
	{
		name: "deactivated",
		end:  func(l linkScene) { l.sql("UPDATE app_user SET deactivated_at = now() WHERE id = $1", l.maker.id) },
		back: func(l linkScene) { l.sql("UPDATE app_user SET deactivated_at = NULL WHERE id = $1", l.maker.id) },
	},
	{
		name: "no administrator",
		end: func(l linkScene) {
			l.setAdministrator(true)
			l.leave()
			l.setAdministrator(false)
		},
		back: func(l linkScene) { l.setAdministrator(true) },
	},
	{
		name: "deleted",
		end: func(l linkScene) {
			l.as(l.T, "maker", http.MethodDelete, "/user", password(authtest.Password)).want(l.T, "delete", ok, "")
		},
		back: func(linkScene) {},
	},
	{
		name: "key revoked", all: true,
		end: func(l linkScene) {
			l.sql("UPDATE preview_link SET api_key_uuid = (SELECT uuid FROM api_key)")
			l.sql("UPDATE api_key SET revoked_at = now(), revoked_by = $1", l.maker.id)
		},
		back: func(l linkScene) { l.sql("UPDATE api_key SET revoked_at = NULL, revoked_by = NULL") },
	},
	{
		name: "event moved", all: true,
		end:  linkScene.move,
		back: func(l linkScene) { l.sql("UPDATE event SET org_uuid = $2 WHERE uuid = $1", l.event, l.org) },
	},
}

// TestPreviewLinksEndWithTheirMakersRight: a link shows nothing, and is not listed, once its maker
// may not edit the event any more, or the event belongs to another organization. It stays ended
// when the right comes back.
func TestPreviewLinksEndWithTheirMakersRight(t *testing.T) {
	t.Parallel()
	manager, _ := permission.Of(permission.Manager)
	for _, lost := range lostRights {
		t.Run(lost.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			l := linkScene{s, t, s.join(t, "maker", s.org, manager), s.event(t, s.org, "Konzert", "draft", nil)}
			authtest.Key(t, s.db, l.maker.id, s.org, permission.All)
			token, _ := s.previewed(t, "maker", l.event)
			others, _ := s.previewed(t, "owner", l.event)
			lost.end(l)
			s.preview(t, token, "").want(t, "the link", http.StatusNotFound, "preview_not_found")
			lost.back(l)
			s.preview(t, token, "").want(t, "the link when the right is back", http.StatusNotFound, "preview_not_found")
			want, status := "owner@example.org/<nil>", ok
			if lost.all {
				want, status = "", http.StatusNotFound
			}
			s.preview(t, others, "").want(t, "the owner's", status, "")
			if makers, _ := s.linksOf(t, l.event); makers != want {
				t.Errorf("links of %q, want %q", makers, want)
			}
		})
	}
}
