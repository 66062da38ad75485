package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/pkg/media/imaging/imagingtest"
)

// login is how a person logs in.
type login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// scene is an organization with a member of each role, and the resources that they edit. Its texts
// are hostile.
type scene struct {
	estate
	people  map[string]login          // by role
	editors map[string]harness.Editor // the same at the API
	foreign estate                    // of the stranger

	member     string // membership of the viewer
	invitation string // of the stranger, to be a viewer
	key        string // API key of the organization
	hook       string // webhook of the organization
	source     string // that is not read
	portal     string // of the organization
	list       string // of the organization
	series     string // of the organization, which its event asks for
	poster     string // picture of the series
	performer  string // contributor of the organization, whom its draft names
	platform   operated
	mine       belongings
	secrets    []string // that are shown once, such as the text of a key
}

// estate is an organization with what belongs to it.
type estate struct {
	org     string
	venue   string
	space   string
	event   string // released, with an image, dates, and links
	date    string // its first
	link    string // of the event
	picture string // of the event
	draft   string // with nothing but a title
}

// operated is what belongs to the operator.
type operated struct{ portal, list, hook string }

// belongings are resources that only the owner sees.
type belongings struct {
	user          string // number of the owner
	key           string // personal API key
	message, todo string
}

// newScene creates the people and the resources that they edit, through the API.
func (c *consoleTest) newScene(t *testing.T) scene {
	t.Helper()
	s := scene{people: map[string]login{}, editors: map[string]harness.Editor{}}
	c.Account(t, "administrator@example.org", harness.EditorPassword, "--admin")
	s.editors["administrator"] = c.LogInAs(t, "administrator@example.org")
	owner := c.SignUp(t, "owner@example.org")
	s.editors["owner"], s.editors["stranger"] = owner, c.SignUp(t, "stranger@example.org")
	s.estate = c.fill(t, owner, "Verein "+harness.Payloads)
	for _, role := range []string{"manager", "editor", "contributor", "viewer"} {
		s.editors[role] = c.Invited(t, owner, s.org, role+"@example.org", role)
	}
	s.editors["writer"] = c.Invited(t, owner, s.org, "writer@example.org", "editor")
	s.foreign = c.fill(t, s.editors["stranger"], "Elsewhere")
	for role, person := range s.editors {
		s.people[role] = login{person.Email, harness.EditorPassword}
	}
	s.fillTeam(t)
	s.poster = c.picture(t, owner, "/series/"+s.series+"/image")
	s.source = made(owner.Write(t, http.MethodPost, "/organization/"+s.org+"/sources", encoded(t, harness.Line{
		"name": harness.Payloads[:150], "address": "https://example.org/?a=%22onclick=%22planted=1", "interval_minutes": 60, "paused": true,
	})))
	s.fillDesk(t)
	s.fillPlatform(t)
	return s
}

// fill makes an organization with a venue, a space and events, whose owner is the editor.
func (c *consoleTest) fill(t *testing.T, owner harness.Editor, name string) (e estate) {
	t.Helper()
	e.org = made(owner.Write(t, http.MethodPut, "/organization", encoded(t, harness.Line{"name": name, "description": harness.Markdown + harness.Long})))
	e.venue = made(owner.Write(t, http.MethodPut, "/venue", encoded(t, harness.Line{
		"org_uuid": e.org, "name": "Saal " + harness.Payloads[:150], "city": "Kiel" + harness.Payloads[:90], "lat": 54.32, "lon": 10.14, "description": harness.Markdown + harness.Long, "use": "closed",
	})))
	e.space = made(owner.Write(t, http.MethodPut, "/space", encoded(t, harness.Line{"venue_uuid": e.venue, "name": harness.Payloads, "description": harness.Markdown + harness.Long})))
	link := "https://example.org/?a=%22onclick=%22planted=1&b=<script>planted=1</script>'"
	created := owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{
		"org_uuid": e.org, "venue_uuid": e.venue, "space_uuid": e.space, "title": harness.Payloads + " " + harness.LongName, "subtitle": harness.Turned,
		"summary": harness.Markdown + harness.Long, "description": harness.Markdown + harness.Payloads + harness.Long, "tags": []string{harness.Payloads[:90], harness.LongName[:100]},
		"participation_info": harness.Payloads, "online_link": link, "event_links": []harness.Line{{"type": "website", "label": harness.Payloads, "url": link}},
		"dates": []harness.Line{{"start_date": harness.Day(10), "start_time": "19:00"}, {"start_date": harness.Day(17), "start_time": "19:00"}},
	}))
	e.event = made(created)
	e.date = made(created["dates"].([]any)[0].(map[string]any))
	e.link = made(created["event_links"].([]any)[0].(map[string]any))
	e.picture = c.picture(t, owner, "/event/"+e.event+"/image/1")
	owner.Write(t, http.MethodPut, "/event/"+e.event+"/release-status", `{"release_status": "released"}`)
	e.draft = made(owner.Write(t, http.MethodPost, "/event/create", encoded(t, harness.Line{"org_uuid": e.org, "title": "Entwurf"})))
	return e
}

// picture uploads an image by an operation, and returns its uuid.
func (c *consoleTest) picture(t *testing.T, owner harness.Editor, operation string) string {
	t.Helper()
	form, contentType := harness.ImageForm(t, imagingtest.JPEG(t, imagingtest.Corners(900, 600), 0), map[string]string{"alt_text": harness.Payloads})
	var stored map[string]any
	if err := json.Unmarshal([]byte(c.Admin(t, owner.Token, http.MethodPost, operation, contentType, bytes.NewReader(form))), &stored); err != nil {
		t.Fatal(err)
	}
	return made(stored)
}

// fillTeam adds an invitation and a key to the organization.
func (s *scene) fillTeam(t *testing.T) {
	t.Helper()
	owner, team := s.editors["owner"], "/organization/"+s.org+"/team"
	s.invitation = made(owner.Write(t, http.MethodPost, team+"/invite", encoded(t, harness.Line{"email": "stranger@example.org", "role": "viewer"})))
	for _, member := range owner.Show(t, team)["members"].([]any) {
		if member := member.(map[string]any); member["email"] == "viewer@example.org" {
			s.member = made(member)
		}
	}
	key := encoded(t, harness.Line{"name": harness.Payloads[:90], "role": "viewer"})
	shared := owner.Write(t, http.MethodPost, "/organization/"+s.org+"/api-keys", key)
	personal := owner.Write(t, http.MethodPost, "/user/api-keys", key)
	hook := owner.Write(t, http.MethodPost, "/organization/"+s.org+"/webhooks", encoded(t, harness.Line{
		"name": harness.Payloads[:90], "url": "https://hooks.invalid/<script>",
	}))
	s.key, s.mine.key, s.hook = made(shared), made(personal), made(hook)
	s.secrets = []string{fmt.Sprint(shared["key"]), fmt.Sprint(personal["key"]), fmt.Sprint(hook["secret"]), harness.EditorPassword}
	s.portal = made(owner.Write(t, http.MethodPut, "/portal", encoded(t, harness.Line{"org_uuid": s.org, "slug": "scene", "name": harness.Payloads[:90]})))
	s.series = made(owner.Write(t, http.MethodPut, "/series", encoded(t, harness.Line{
		"org_uuid": s.org, "slug": "scene", "title": harness.Payloads[:90], "description": harness.Payloads, "public": true,
		"parts": []harness.Line{{"title": harness.Payloads[:90], "description": harness.Payloads}},
	})))
	owner.Write(t, http.MethodPatch, "/event/"+s.draft, encoded(t, harness.Line{"series": []harness.Line{{"series_uuid": s.series}}}))
	s.performer = made(owner.Write(t, http.MethodPut, "/contributor", encoded(t, harness.Line{
		"org_uuid": s.org, "name": harness.Payloads[:90], "note": harness.Payloads[:90], "description": harness.Payloads,
	})))
	owner.Write(t, http.MethodPut, "/event/"+s.draft+"/contributors", encoded(t, harness.Line{
		"contributors": []harness.Line{{"uuid": s.performer, "role": "performer"}},
	}))
	s.list = made(owner.Write(t, http.MethodPut, "/list", encoded(t, harness.Line{
		"org_uuid": s.org, "slug": "scene", "name": harness.Payloads[:90], "public": true,
		"entries": []harness.Line{{"event_uuid": s.event, "note": harness.Payloads[:90]}, {"event_uuid": s.draft}},
	})))
}

// fillPlatform adds a label, and a portal, a list and a webhook of the operator.
func (s *scene) fillPlatform(t *testing.T) {
	t.Helper()
	operator := s.editors["administrator"]
	operator.Write(t, http.MethodPut, "/label/scene", encoded(t, harness.Line{"names": harness.Line{"en": harness.Payloads[:90]}}))
	s.platform.portal = made(operator.Write(t, http.MethodPut, "/portal", encoded(t, harness.Line{"slug": "platform", "name": harness.Payloads[:90]})))
	s.platform.list = made(operator.Write(t, http.MethodPut, "/list", encoded(t, harness.Line{
		"slug": "platform", "name": harness.Payloads[:90], "entries": []harness.Line{{"event_uuid": s.event}},
	})))
	hook := operator.Write(t, http.MethodPost, "/webhooks", encoded(t, harness.Line{"name": harness.Payloads[:90], "url": "https://hooks.invalid/"}))
	s.platform.hook = made(hook)
	s.secrets = append(s.secrets, fmt.Sprint(hook["secret"]))
}

// fillDesk writes a message to the owner, who has a todo.
func (s *scene) fillDesk(t *testing.T) {
	t.Helper()
	owner := s.editors["owner"]
	self := owner.Show(t, "/user/profile")["user_id"]
	s.editors["manager"].Write(t, http.MethodPost, "/user/send-message", encoded(t, harness.Line{
		"context": "user", "context_id": self, "subject": harness.Payloads[:150], "message": harness.Payloads + harness.Long,
	}))
	s.mine.user = fmt.Sprint(self)
	letter := owner.Show(t, "/user/messages")["messages"].([]any)[0].(map[string]any)
	s.mine.message = fmt.Sprint(letter["id"])
	s.mine.todo = fmt.Sprint(owner.Write(t, http.MethodPut, "/user/todo", encoded(t, harness.Line{"title": harness.Payloads[:150], "description": harness.Long}))["id"])
}

// made returns the uuid that the answer to a write names.
func made(answer map[string]any) string { return fmt.Sprint(answer["uuid"]) }

// encoded writes an object as JSON.
func encoded(t *testing.T, object harness.Line) string {
	t.Helper()
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
