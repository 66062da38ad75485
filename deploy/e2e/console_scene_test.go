package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
)

// login is how a person logs in.
type login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// scene is an organization with a member of each role, and what they edit. Its texts are hostile.
type scene struct {
	estate
	people  map[string]login  // by role
	editors map[string]editor // the same at the API
	foreign estate            // of the stranger

	member     string // membership of the viewer
	invitation string // of the stranger, to be a viewer
	key        string // API key of the organization
	mine       belongings
	secrets    []string // that are shown once, such as the text of a key
}

// estate is an organization with what belongs to it.
type estate struct {
	org     string
	venue   string
	space   string
	event   string // released, with a picture, dates, and links
	date    string // its first
	link    string // of the event
	picture string // of the event
	draft   string // with nothing but a title
}

// belongings are what the owner alone sees.
type belongings struct {
	user          string // number of the owner
	key           string // personal API key
	message, todo string
}

// newScene makes the people and what they edit, with the API.
func (c *consoleTest) newScene(t *testing.T) scene {
	t.Helper()
	s := scene{people: map[string]login{}, editors: map[string]editor{}}
	c.account(t, "administrator@example.org", editorPassword, "--admin")
	s.editors["administrator"] = c.logInAs(t, "administrator@example.org")
	owner := c.signUp(t, "owner@example.org")
	s.editors["owner"], s.editors["stranger"] = owner, c.signUp(t, "stranger@example.org")
	s.estate = c.fill(t, owner, "Verein "+payloads)
	for _, role := range []string{"manager", "editor", "contributor", "viewer"} {
		s.editors[role] = c.invited(t, owner, s.org, role+"@example.org", role)
	}
	s.editors["writer"] = c.invited(t, owner, s.org, "writer@example.org", "editor")
	s.foreign = c.fill(t, s.editors["stranger"], "Elsewhere")
	for role, person := range s.editors {
		s.people[role] = login{person.email, editorPassword}
	}
	s.fillTeam(t)
	s.fillDesk(t)
	return s
}

// fill makes an organization with a venue, a space and events, whose owner is the editor.
func (c *consoleTest) fill(t *testing.T, owner editor, name string) (e estate) {
	t.Helper()
	e.org = made(owner.write(t, http.MethodPut, "/organization", encoded(t, line{"name": name, "description": markdown + long})))
	e.venue = made(owner.write(t, http.MethodPut, "/venue", encoded(t, line{
		"org_uuid": e.org, "name": "Saal " + payloads[:150], "city": "Kiel" + payloads[:90], "lat": 54.32, "lon": 10.14, "description": markdown + long,
	})))
	e.space = made(owner.write(t, http.MethodPut, "/space", encoded(t, line{"venue_uuid": e.venue, "name": payloads, "description": markdown + long})))
	link := "https://example.org/?a=%22onclick=%22planted=1&b=<script>planted=1</script>'"
	created := owner.write(t, http.MethodPost, "/event/create", encoded(t, line{
		"org_uuid": e.org, "venue_uuid": e.venue, "space_uuid": e.space, "title": payloads + " " + longName, "subtitle": turned,
		"summary": markdown + long, "description": markdown + payloads + long, "tags": []string{payloads[:90], longName[:100]},
		"participation_info": payloads, "online_link": link, "event_links": []line{{"type": "website", "label": payloads, "url": link}},
		"dates": []line{{"start_date": day(10), "start_time": "19:00"}, {"start_date": day(17), "start_time": "19:00"}},
	}))
	e.event = made(created)
	e.date = made(created["dates"].([]any)[0].(map[string]any))
	e.link = made(created["event_links"].([]any)[0].(map[string]any))
	form, contentType := imageForm(t, imagingtest.JPEG(t, imagingtest.Corners(900, 600), 0), map[string]string{"alt_text": payloads})
	c.admin(t, owner.token, http.MethodPost, "/event/"+e.event+"/image/1", contentType, bytes.NewReader(form))
	e.picture = made(owner.show(t, "/event/"+e.event)["images"].([]any)[0].(map[string]any))
	owner.write(t, http.MethodPut, "/event/"+e.event+"/release-status", `{"release_status": "released"}`)
	e.draft = made(owner.write(t, http.MethodPost, "/event/create", encoded(t, line{"org_uuid": e.org, "title": "Entwurf"})))
	return e
}

// fillTeam adds an invitation and a key to the organization.
func (s *scene) fillTeam(t *testing.T) {
	t.Helper()
	owner, team := s.editors["owner"], "/organization/"+s.org+"/team"
	s.invitation = made(owner.write(t, http.MethodPost, team+"/invite", encoded(t, line{"email": "stranger@example.org", "role": "viewer"})))
	for _, member := range owner.show(t, team)["members"].([]any) {
		if member := member.(map[string]any); member["email"] == "viewer@example.org" {
			s.member = made(member)
		}
	}
	key := encoded(t, line{"name": payloads[:90], "role": "viewer"})
	shared := owner.write(t, http.MethodPost, "/organization/"+s.org+"/api-keys", key)
	personal := owner.write(t, http.MethodPost, "/user/api-keys", key)
	s.key, s.mine.key = made(shared), made(personal)
	s.secrets = []string{fmt.Sprint(shared["key"]), fmt.Sprint(personal["key"]), editorPassword}
}

// fillDesk writes a message to the owner, who has a todo.
func (s *scene) fillDesk(t *testing.T) {
	t.Helper()
	owner := s.editors["owner"]
	self := owner.show(t, "/user/profile")["user_id"]
	s.editors["manager"].write(t, http.MethodPost, "/user/send-message", encoded(t, line{
		"context": "user", "context_id": self, "subject": payloads[:150], "message": payloads + long,
	}))
	s.mine.user = fmt.Sprint(self)
	letter := owner.show(t, "/user/messages")["messages"].([]any)[0].(map[string]any)
	s.mine.message = fmt.Sprint(letter["id"])
	s.mine.todo = fmt.Sprint(owner.write(t, http.MethodPut, "/user/todo", encoded(t, line{"title": payloads[:150], "description": long}))["id"])
}

// made returns the uuid of what a write has made.
func made(answer map[string]any) string { return fmt.Sprint(answer["uuid"]) }

// encoded writes an object as JSON.
func encoded(t *testing.T, object line) string {
	t.Helper()
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
