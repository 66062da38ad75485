package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/presence"
	"litfass/services/admin/internal/people/auth/authtest"
)

// present asks who else has an event open, gives a sign, and returns the names and the answer.
func (s *stage) present(t *testing.T, who, event string, headers ...string) (names string, a answer) {
	t.Helper()
	a = s.as(t, who, http.MethodGet, "/event/"+event+"/presence?open=true", "", headers...)
	people, _ := a.body["people"].([]any)
	all := make([]string, len(people))
	for i, person := range people {
		all[i] = fmt.Sprint(person.(map[string]any)["name"])
	}
	return strings.Join(all, ", "), a
}

// Members see which other members have an event open, for 15 seconds after their last sign, and by
// the same request that it has changed. Nothing of it is audited.
func TestPresence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true, display_name = 'Admin' WHERE id = $1", s.people["platform"].id)
	s.exec(t, "UPDATE app_user SET display_name = 'Edda' WHERE id = $1", s.people["editor"].id)
	event, other := s.event(t, s.org, "Konzert", "draft", nil, 5), s.event(t, s.org, "Lesung", "draft", nil, 5)
	wantPresent := func(who, in, want string) {
		t.Helper()
		if got, a := s.present(t, who, in); got != want || a.status != http.StatusOK {
			t.Errorf("%s sees %q (%d), want %q", who, got, a.status, want)
		}
	}
	wantPresent("platform", event, "")
	key := authtest.Key(t, s.db, s.people["owner"].id, "", permission.All)
	s.with(t, key, http.MethodGet, "/event/"+event+"/presence?open=true").want(t, "with a key", ok, "")
	s.as(t, "owner", http.MethodGet, "/event/"+event+"/presence", "").want(t, "without a sign", ok, "")
	wantPresent("editor", event, "")
	wantPresent("editor", event, "")
	wantPresent("viewer", event, "Edda")
	wantPresent("platform", event, "Edda, <nil>")
	wantPresent("owner", other, "")

	_, a := s.present(t, "viewer", event)
	tag := a.header.Get("ETag")
	if a.body["etag"] != `"1"` {
		t.Errorf("the event has the version %v", a.body["etag"])
	}
	_, a = s.present(t, "viewer", event, "If-None-Match", tag)
	a.want(t, "nothing new", http.StatusNotModified, "")
	s.as(t, "editor", http.MethodPut, "/event/"+event+"/header", `{"title": "Jazz"}`).want(t, "change", ok, "")
	if _, a = s.present(t, "viewer", event, "If-None-Match", tag); a.status != http.StatusOK || a.body["etag"] != `"2"` {
		t.Errorf("after a change: %d %s", a.status, a.raw)
	}
	s.as(t, "viewer", http.MethodGet, "/event/"+event+"/presence?open=maybe", "").want(t, "a bad flag", http.StatusBadRequest, "invalid_parameters")

	s.exec(t, "UPDATE event_presence SET seen_at = seen_at - interval '14 seconds' WHERE user_id = $1", s.people["editor"].id)
	wantPresent("viewer", event, "Edda")
	s.exec(t, "UPDATE event_presence SET seen_at = seen_at - interval '2 seconds' WHERE user_id = $1", s.people["editor"].id)
	wantPresent("viewer", event, "")
	wantPresent("editor", event, "<nil>")
	wantPresent("viewer", event, "Edda")
	s.exec(t, "DELETE FROM membership WHERE user_id = $1", s.people["editor"].id)
	wantPresent("viewer", event, "")
	if got := s.audited(t, s.org); got != "event.update" {
		t.Errorf("audited %s", got)
	}
}

// Signs that no longer count are deleted.
func TestOldPresenceIsDeleted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	s.present(t, "editor", event)
	s.present(t, "viewer", event)
	s.exec(t, "UPDATE event_presence SET seen_at = now() - interval '61 seconds' WHERE user_id = $1", s.people["editor"].id)
	if err := s.db.InTx(t.Context(), func(tx pgx.Tx) error { return presence.Prune(t.Context(), tx, time.Time{}) }); err != nil {
		t.Fatal(err)
	}
	var left int
	s.one(t, &left, "SELECT count(*) FROM event_presence")
	if left != 1 {
		t.Errorf("%d signs are left", left)
	}
}
