package editing

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/model"
	"litfass/deploy/e2e/reference"
)

// begin founds three organizations and makes their people: owners, members with few rights and with
// none, an API key, a platform administrator, and a stranger.
func (e *editors) begin(t *testing.T) {
	t.Helper()
	e.admin = e.person(t, "root", "--admin")
	e.admin.Platform = true
	ada, bea, mia := e.person(t, "ada"), e.person(t, "bea"), e.person(t, "mia")
	carl, vic, eve := e.person(t, "carl"), e.person(t, "vic"), e.person(t, "eve")
	one, two, three := e.found(t, ada, "One 1000"), e.found(t, bea, "Two 1001"), e.found(t, mia, "Three 1002")
	e.join(t, ada, one, carl, "contributor")
	e.join(t, bea, two, carl, "contributor")
	e.join(t, ada, one, vic, "viewer")
	e.join(t, ada, one, bea, "contributor")
	e.join(t, bea, two, mia, "editor")
	key := e.key(t, ada, one, "editor")
	for _, org := range []string{one, two, three} {
		for n := range 2 {
			e.send(t, "begin", model.Request{Who: e.admin, Do: "PUT /venue", Body: model.Object{
				"org_uuid": org, "name": fmt.Sprintf("Haus %d", n), "city": "Köln", "lat": 51.0, "lon": 12.25 + float64(n),
			}})
		}
		e.send(t, "begin", model.Request{Who: e.admin, Do: "PUT /series", Body: model.Object{
			"org_uuid": org, "slug": "fest-" + org, "title": "Fest", "public": true,
			"parts": []any{model.Object{"kind": "stage", "title": "Zelt"}, model.Object{"kind": "day", "title": "Freitag"}},
		}})
	}
	e.crowd = slices.Concat(
		slices.Repeat([]*model.Person{ada}, 6), slices.Repeat([]*model.Person{bea, carl, key, mia}, 3),
		slices.Repeat([]*model.Person{e.admin}, 3), []*model.Person{vic, eve},
	)
}

// person makes an account.
func (e *editors) person(t *testing.T, name string, flags ...string) *model.Person {
	t.Helper()
	const password = "correct horse battery"
	p := &model.Person{Name: name, Password: password, Roles: map[string]string{}}
	p.Token = e.Account(t, name+"@example.org", password, flags...)
	e.world.People = append(e.world.People, p)
	return p
}

// found adds an organization and returns its uuid.
func (e *editors) found(t *testing.T, owner *model.Person, name string) string {
	t.Helper()
	e.send(t, "begin", model.Request{Who: owner, Do: "PUT /organization", Body: model.Object{"name": name}})
	all := e.world.Of(model.Organization, "")
	return all[len(all)-1].UUID()
}

// join makes a person a member of an organization.
func (e *editors) join(t *testing.T, owner *model.Person, org string, p *model.Person, role string) {
	t.Helper()
	const admin = "/api/admin"
	e.As(t, owner.Token, http.MethodPost, admin+"/organization/"+org+"/team/invite",
		map[string]any{"email": p.Name + "@example.org", "role": role})
	waiting := e.As(t, p.Token, http.MethodGet, admin+"/user/invitations", nil)
	invitation := model.Parts(waiting, "invitations")[0]
	e.As(t, p.Token, http.MethodPost, fmt.Sprintf("%s/user/invitations/%s/accept", admin, invitation["uuid"]), nil)
	p.Roles[org] = role
}

// key makes an API key of an organization.
func (e *editors) key(t *testing.T, owner *model.Person, org, role string) *model.Person {
	t.Helper()
	made := e.As(t, owner.Token, http.MethodPost, "/api/admin/organization/"+org+"/api-keys",
		map[string]any{"name": "Import", "role": role})
	p := &model.Person{Name: "key", Token: made["key"].(string), Roles: map[string]string{org: role}}
	e.world.People = append(e.world.People, p)
	return p
}

// requestForm returns the form of a request about an image.
func requestForm(t *testing.T, r model.Request) (body []byte, kind string) {
	t.Helper()
	fields := map[string]string{}
	for field, value := range r.Body {
		switch value := value.(type) {
		case nil:
			fields[field] = ""
		case string:
			fields[field] = value
		case float64:
			fields[field] = strconv.FormatFloat(value, 'f', -1, 64)
		case bool:
			fields[field] = strconv.FormatBool(value)
		default:
			t.Fatalf("%s of a form is %v", field, value)
		}
	}
	if r.File == nil {
		return harness.ImageForm(t, nil, fields)
	}
	return harness.ImageForm(t, r.File.Content, fields)
}

// testPictures: only the images of public events and series can be read.
func (e *editors) testPictures(t *testing.T, c *reference.Catalogue) {
	t.Helper()
	public := map[string]bool{}
	for _, date := range e.Reference(c).Dates() {
		public[date.Event.UUID] = true
	}
	for _, series := range c.Series {
		public[series.UUID] = series.Public
	}
	for _, entity := range slices.Concat(e.world.Entities, e.world.Gone) {
		images := model.Parts(entity.Fields, "images")
		if image, _ := entity.Fields["image"].(model.Object); image != nil {
			images = append(images, image)
		}
		for _, image := range images {
			answer, err := e.Client.Get(t.Context(), fmt.Sprintf("/api/image/%s", image["uuid"]))
			if err != nil {
				t.Fatal(err)
			}
			want := http.StatusNotFound
			if public[entity.UUID()] && !slices.Contains(e.world.Gone, entity) {
				want = http.StatusOK
			}
			if answer.Status != want {
				t.Errorf("image %s of %s %s, %v: %d, want %d", image["uuid"], entity.Kind, entity.UUID(),
					entity.Fields["release_status"], answer.Status, want)
			}
		}
	}
}
