package console

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/harness"
)

// testRefused: what is refused for a while or for good says why, and what to do.
func (c *consoleTest) testRefused(t *testing.T) {
	founder := c.SignUp(t, "founder@example.org")
	org := made(founder.Write(t, http.MethodPut, "/organization", encoded(t, harness.Line{"name": "Neu gegründet"})))
	event := made(founder.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": org, "title": "Umkämpft"})))
	c.walk(t, "console-refused", true, map[string]any{
		"founder": login{founder.Email, harness.EditorPassword}, "event": event, "team": "/console/organization/" + org + "/team",
	})
}

// testPreviews: links to an event before it is public.
func (c *consoleTest) testPreviews(t *testing.T) {
	owner := c.scene.editors["owner"]
	maker := c.Invited(t, owner, c.scene.org, "maker@example.org", "contributor")
	event := made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": c.scene.org, "title": "Vorab"})))
	membership := maker.Show(t, "/user/memberships")["memberships"].([]any)[0].(map[string]any)
	c.walk(t, "console-previews", true, map[string]any{
		"one": c.states["owner"], "maker": login{maker.Email, harness.EditorPassword}, "path": "/console/event/" + event,
		"demote": harness.Line{
			"address": c.URL() + "/api/admin/organization/" + c.scene.org + "/member/" + made(membership) + "/permissions", "token": owner.Token,
		},
	})
}

// serveLocks lets journeys lock an event as a save of it does, one at a time.
func (c *consoleTest) serveLocks(t *testing.T, mux *http.ServeMux) {
	t.Helper()
	var locked *pgx.Conn
	mux.HandleFunc("POST /lock/{event}", func(w http.ResponseWriter, r *http.Request) {
		var err error
		if locked, err = pgx.Connect(t.Context(), c.DatabaseURL()); err == nil {
			_, err = locked.Exec(t.Context(), "BEGIN")
		}
		if err == nil {
			_, err = locked.Exec(t.Context(), "SELECT FROM event WHERE uuid = $1 FOR UPDATE", r.PathValue("event"))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("POST /unlock/{event}", func(w http.ResponseWriter, _ *http.Request) {
		if err := locked.Close(t.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}
