package contributor

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page/pagetest"
)

const (
	anna      = "0192f0a0-0000-7000-8000-0000000000c1"
	trio      = "0192f0a0-0000-7000-8000-0000000000c2"
	ofEvent   = "/console/event/" + pagetest.Event + "/contributors"
	operation = "PUT /api/admin/event/" + pagetest.Event + "/contributors"
	editing   = "PUT /api/admin/contributor/" + anna
	overall   = "/console/administration/contributors"
	deleting  = "DELETE /api/admin/contributor/" + anna
)

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, Mount)
	e := adminapi.Event{NamedContributors: []adminapi.NamedContributor{{UUID: anna, Type: "person", Name: "Anna <b>", Note: "Kiel"}, {UUID: trio, Name: "Trio Nord"}}}
	e.UUID, e.OrgUUID, e.Title, e.ReleaseStatus = pagetest.Event, pagetest.Org, "Jazz", adminapi.StatusDraft
	e.Contributors = []adminapi.EventContributor{{UUID: anna, Role: "soloist"}, {UUID: trio, Role: "ensemble"}, {UUID: anna, Role: "author"}}
	c.Answer("GET /api/admin/event/"+pagetest.Event, http.StatusOK, e)
	c.Answer("GET /api/choosable-contributor-roles", http.StatusOK, []publicapi.Item{
		{ID: "soloist", Name: "Soloist"}, {ID: "ensemble", Name: "Ensemble"}, {ID: "author", Name: "Author"},
	})
	c.Answer("GET /api/admin/contributors", http.StatusOK, adminapi.Contributors{Contributors: []adminapi.ContributorRow{
		{UUID: anna, Type: "person", Name: "Anna <b>", Note: "Kiel", Events: 3}, {UUID: trio, Type: "group", Name: "Anna <b>", Events: 1},
	}, Page: adminapi.Page{TotalCount: 2, Limit: 20}})
	c.Answer("GET /api/admin/contributor/"+anna, http.StatusOK, adminapi.Contributor{UUID: anna, Type: "person", Name: "Anna <b>"})
	c.Answer(operation, http.StatusOK, map[string]any{})
	attention := adminapi.Attention{OpenReports: new(int)}
	c.Answer("GET /api/admin/user/attention", http.StatusOK, attention)
	return c
}

// The contributors of an event are shown in order with their roles, and further ones are found.
func TestContributorsOfAnEvent(t *testing.T) {
	c := start(t)
	got := c.Get(ofEvent + "?search=anna")
	for _, want := range []string{
		"Anna &lt;b&gt;", "Trio Nord", `id="named-2"`, `id="found"`, `value="soloist" selected`, `id="new-contributor"`, "3 events",
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%s is missing in %s", want, got.Body)
		}
	}
	if calls := c.Calls("GET /api/admin/contributors"); len(calls) != 1 || calls[0].Query.Get("search") != "anna" {
		t.Errorf("asked %+v", calls)
	}
}

func TestContributorsAreOrdered(t *testing.T) {
	for move, want := range map[string]string{
		"": "soloist ensemble author", "2 up": "soloist author ensemble", "0 down": "ensemble soloist author", "0 up": "soloist ensemble author",
		"1 remove": "soloist author", "7 up": "soloist ensemble author", "x": "soloist ensemble author",
	} {
		c := start(t)
		form := url.Values{"uuid": {anna, trio, anna}, "role": {"soloist", "ensemble", "author"}, "tag": {`"3"`}, "move": {move}}
		if got := c.Post(ofEvent, form); got.Status != http.StatusSeeOther {
			t.Fatalf("%q: %d %s", move, got.Status, got.Body)
		}
		call := c.Calls(operation)[0]
		var roles []string
		for _, part := range strings.Split(string(call.Body), `"role":"`)[1:] {
			role, _, _ := strings.Cut(part, `"`)
			roles = append(roles, role)
		}
		if got := strings.Join(roles, " "); got != want || call.Header.Get("If-Match") != `"3"` && move != "" {
			t.Errorf("%q: %s, want %s", move, got, want)
		}
	}
}

func TestContributorsAreAdded(t *testing.T) {
	c := start(t)
	c.Post(ofEvent+"/add", url.Values{"uuid": {trio}, "role": {"author"}})
	c.Post(ofEvent+"/add", url.Values{"name": {" Neu "}, "type": {"group"}, "role": {"soloist"}, "note": {"Husum"}})
	calls := c.Calls(operation)
	for i, want := range []string{
		`{"uuid":"` + trio + `","role":"author","type":"","name":"","note":null,"description":null,"web_link":null,"wikidata":null}]}`,
		`{"uuid":null,"role":"soloist","type":"group","name":"Neu","note":"Husum","description":null,"web_link":null,"wikidata":null}]}`,
	} {
		if !strings.HasSuffix(string(calls[i].Body), want) || strings.Count(string(calls[i].Body), `"role"`) != 4 {
			t.Errorf("sent %s", calls[i].Body)
		}
	}
	c.Refuse(operation, http.StatusBadRequest, adminapi.Error{Code: "invalid_contributor", Error: "x", Details: []fault.Violation{
		{Field: "contributors[3].name", Reason: "is missing", Code: "required"},
	}})
	got := c.Post(ofEvent+"/add", url.Values{"name": {""}, "role": {"soloist"}, "note": {"Husum"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="Husum"`) || !strings.Contains(got.Body, `id="name-error"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestAContributorIsChanged(t *testing.T) {
	c := start(t)
	c.Answer(editing, http.StatusOK, map[string]any{})
	form := url.Values{"name": {"Anna"}, "type": {"person"}, "wikidata": {"Q254"}, "tag": {`"1"`}}
	if got := c.Post("/console/contributor/"+anna, form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	const want = `{"description":null,"name":"Anna","note":null,"type":"person","web_link":null,"wikidata":"Q254"}`
	if got := string(c.Calls(editing)[0].Body); got != want {
		t.Errorf("sent %s", got)
	}
	c.Refuse(deleting, http.StatusConflict, adminapi.Error{Code: "contributor_in_use", Error: "3 events name it"})
	got := c.Post("/console/contributor/"+anna+"/delete", url.Values{"password": {"secret"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Events name this contributor") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestAPersonIsTakenOut: of all events if that is ticked; the operator offers it for groups, too.
func TestAPersonIsTakenOut(t *testing.T) {
	c := start(t)
	page := "/console/contributor/" + anna + "/delete"
	if got := c.Get(page); !strings.Contains(got.Body, `name="take_out"`) {
		t.Errorf("a person: %s", got.Body)
	}
	c.Answer(deleting, http.StatusOK, map[string]any{})
	for _, form := range []url.Values{{"password": {"secret"}, "take_out": {"true"}}, {"password": {"secret"}}} {
		got := c.Post(page, form)
		calls := c.Calls(deleting)
		if sent := calls[len(calls)-1].Query.Get("take_out"); got.Status != http.StatusSeeOther || sent != form.Get("take_out") {
			t.Errorf("%d, sent %q for %v", got.Status, sent, form)
		}
	}
}

func TestContributorsAreMerged(t *testing.T) {
	c := start(t)
	got := c.Get(overall + "?repeated=true")
	if !strings.Contains(got.Body, `id="into-`+anna+`"`) || c.Calls("GET /api/admin/contributors")[0].Query.Get("repeated") != "true" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	const merging = "POST /api/admin/contributor/" + anna + "/merge"
	c.Answer(merging, http.StatusOK, map[string]any{})
	got = c.Post(overall+"/"+anna+"/merge", url.Values{"into": {trio}})
	if calls := c.Calls(merging); got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"into":"`+trio+`"}` {
		t.Errorf("%d %+v", got.Status, calls)
	}
}
