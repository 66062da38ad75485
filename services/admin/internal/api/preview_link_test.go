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

// TestPreviewLinksEndWithTheirMakersRight: a link shows nothing, and is not listed, once its maker
// may not edit the event any more, or the event belongs to another organization. It stays ended
// when the right comes back.
func TestPreviewLinksEndWithTheirMakersRight(t *testing.T) {
	t.Parallel()
	viewer, _ := permission.Of(permission.Viewer)
	manager, _ := permission.Of(permission.Manager)
	again := map[string]func(t *testing.T, s *stage, maker *person, event string){
		"left": func(t *testing.T, s *stage, maker *person, _ string) {
			authtest.Member(t, s.db, s.org, maker.id, manager)
		},
		"demoted": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE membership SET permissions = $2, role = 'manager' WHERE uuid = $1", maker.member, int64(manager))
		},
		"deactivated": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE app_user SET deactivated_at = NULL WHERE id = $1", maker.id)
		},
		"no administrator": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", maker.id)
		},
		"key revoked": func(t *testing.T, s *stage, _ *person, _ string) {
			s.exec(t, "UPDATE api_key SET revoked_at = NULL, revoked_by = NULL")
		},
		"event moved": func(t *testing.T, s *stage, _ *person, event string) {
			s.exec(t, "UPDATE event SET org_uuid = $2 WHERE uuid = $1", event, s.org)
		},
	}
	for name, end := range map[string]func(t *testing.T, s *stage, maker *person, event string){
		"left": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "DELETE FROM membership WHERE uuid = $1", maker.member)
		},
		"demoted": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE membership SET permissions = $2, role = 'viewer' WHERE uuid = $1", maker.member, int64(viewer))
		},
		"deactivated": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", maker.id)
		},
		"no administrator": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", maker.id)
			s.exec(t, "DELETE FROM membership WHERE uuid = $1", maker.member)
			s.exec(t, "UPDATE app_user SET is_platform_admin = false WHERE id = $1", maker.id)
		},
		"deleted": func(t *testing.T, s *stage, _ *person, _ string) {
			s.as(t, "maker", http.MethodDelete, "/user", password(authtest.Password)).want(t, "delete", ok, "")
		},
		"key revoked": func(t *testing.T, s *stage, maker *person, _ string) {
			s.exec(t, "UPDATE preview_link SET api_key_uuid = (SELECT uuid FROM api_key)")
			s.exec(t, "UPDATE api_key SET revoked_at = now(), revoked_by = $1", maker.id)
		},
		"event moved": func(t *testing.T, s *stage, maker *person, event string) {
			authtest.Member(t, s.db, s.foreign, maker.id, manager)
			s.as(t, "maker", http.MethodPut, "/event/"+event+"/header", fmt.Sprintf(`{"org_uuid": %q}`, s.foreign)).want(t, "move", ok, "")
			authtest.Member(t, s.db, s.foreign, s.people["owner"].id, permission.All) // who lists them
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			maker := s.join(t, "maker", s.org, manager)
			authtest.Key(t, s.db, maker.id, s.org, permission.All)
			event := s.event(t, s.org, "Konzert", "draft", nil)
			token, _ := s.previewed(t, "maker", event)
			kept, _ := s.previewed(t, "owner", event)
			end(t, s, maker, event)
			s.preview(t, token, "").want(t, "the link", http.StatusNotFound, "preview_not_found")
			makers, _ := s.linksOf(t, event)
			if comesBack, can := again[name]; can {
				comesBack(t, s, maker, event)
				s.preview(t, token, "").want(t, "the link when the right is back", http.StatusNotFound, "preview_not_found")
			}
			if name == "event moved" || name == "key revoked" {
				return
			}
			s.preview(t, kept, "").want(t, "the owner's", ok, "")
			if makers != "owner@example.org/<nil>" {
				t.Errorf("links of %s", makers)
			}
		})
	}
}
