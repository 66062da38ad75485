package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/publish/outbox"
)

// published returns the public state of an entity, nil for none.
func (s *stage) published(t *testing.T, kind change.Kind, id string) any {
	t.Helper()
	state, _, _, err := outbox.PublicState(t.Context(), s.db, outbox.Ref{Kind: kind, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// shown returns names and roles of the contributors of an event as it is published.
func (s *stage) shown(t *testing.T, event string) string {
	t.Helper()
	state, public := s.published(t, change.KindEvent, event).(*change.Event)
	if !public {
		return "hidden"
	}
	var names []string
	for _, p := range state.Contributors {
		names = append(names, p.Name+" "+p.Role)
	}
	return strings.Join(names, ", ")
}

// concert makes a public event of an organization.
func (s *stage) concert(t *testing.T, org string) string {
	t.Helper()
	id := s.event(t, org, "Konzert", "released", nil, 1)
	s.exec(t, "UPDATE event SET online_link = 'https://example.org/live' WHERE uuid = $1", id)
	return id
}

// uuids returns the uuids of the contributors in an answer.
func (a answer) uuids() (ids []string) {
	list, _ := a.body["contributors"].([]any)
	for _, one := range list {
		ids = append(ids, one.(map[string]any)["uuid"].(string))
	}
	return ids
}

const named = `{"contributors": [
	{"name": " Anna  Thomsen", "note": "Pianist", "role": "soloist", "wikidata": "q254", "web_link": "https://example.org"},
	{"type": "group", "name": "Trio Nord", "role": "ensemble"}]}`

// A name never stands for a contributor that is there; a uuid does, in several roles.
func TestEventsNameContributors(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.concert(t, s.org)
	path := "/event/" + event + "/contributors"
	a := s.as(t, "editor", http.MethodPut, path, named)
	a.want(t, "name", http.StatusOK, "")
	a.wantKeys(t, "named", "message uuid checklist contributors named_contributors warnings")
	ids := a.uuids()
	if got := s.shown(t, event); got != "Anna  Thomsen soloist, Trio Nord ensemble" {
		t.Errorf("published are %s", got)
	}
	if got := s.enqueued(t); !strings.Contains(got, "contributor "+ids[0]) || !strings.Contains(got, "event "+event) {
		t.Errorf("enqueued is %s", got)
	}
	same := s.as(t, "editor", http.MethodPut, path, fmt.Sprintf(`{"contributors": [{"uuid": %q, "role": "author"}, {"uuid": %q, "role": "soloist"}, {"name": "Trio Nord", "role": "dj"}]}`, ids[0], ids[0]))
	same.want(t, "again", http.StatusOK, "")
	if got := same.uuids(); got[0] != ids[0] || got[1] != ids[0] || got[2] == ids[1] || len(same.body["named_contributors"].([]any)) != 2 {
		t.Errorf("named are %v", same.body)
	}
	if got := s.published(t, change.KindContributor, ids[1]); got != nil {
		t.Errorf("nothing names %v any more", got)
	}
	stale := s.as(t, "editor", http.MethodPut, path, `{"contributors": []}`, "If-Match", a.header.Get("ETag"))
	stale.want(t, "stale", http.StatusPreconditionFailed, "stale_event")
	read := s.as(t, "viewer", http.MethodGet, "/event/"+event, "")
	if got := read.uuids(); len(got) != 3 || len(read.body["named_contributors"].([]any)) != 2 {
		t.Errorf("read are %v", got)
	}
	if got := s.audited(t, s.org); got != "contributor.create contributor.create event.update contributor.create event.update" {
		t.Errorf("audited is %s", got)
	}
	s.as(t, "editor", http.MethodPut, path, `{"contributors": []}`).want(t, "none", http.StatusOK, "")
	if got := s.shown(t, event); got != "" {
		t.Errorf("published are %s", got)
	}
}

func TestBadContributorsAreRefused(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 1)
	own, foreign := s.contributor(t, s.org, "Anna"), s.contributor(t, s.foreign, "Anna")
	path := "/event/" + event + "/contributors"
	many := strings.Repeat(`{"name": "x", "role": "dj"},`, 1_000)
	for body, fields := range map[string]string{
		`{}`: "contributors", `{"contributors": null}`: "contributors",
		`{"contributors": [` + strings.TrimSuffix(many, ",") + `]}`:                                        "contributors",
		`{"contributors": [{"role": "dj"}]}`:                                                               "contributors[0].name",
		`{"contributors": [{"name": "x"}]}`:                                                                "contributors[0].role",
		`{"contributors": [{"name": "x", "role": "clown"}]}`:                                               "contributors[0].role",
		`{"contributors": [{"name": "x", "role": "dj", "type": "dog"}]}`:                                   "contributors[0].type",
		`{"contributors": [{"name": "x", "role": "dj", "web_link": "javascript:alert(1)"}]}`:               "contributors[0].web_link",
		`{"contributors": [{"name": "x", "role": "dj", "wikidata": "L254"}]}`:                              "contributors[0].wikidata",
		`{"contributors": [{"name": "x\u202e", "role": "dj"}]}`:                                            "contributors[0].name",
		`{"contributors": [{"uuid": "x", "role": "dj"}]}`:                                                  "contributors[0].uuid",
		`{"contributors": [{"uuid": "` + own + `", "role": "dj"}, {"uuid": "` + own + `", "role": "dj"}]}`: "contributors[1]",
		`{"contributors": [{"uuid": "` + own + `", "role": "dj", "email": "x@example.org"}]}`:              "contributors[0].email",
	} {
		s.as(t, "editor", http.MethodPut, path, body).refuses(t, fields)
	}
	for _, unknown := range []string{foreign, newUUID()} { // another one's plans
		body := `{"contributors": [{"name": "New", "role": "dj"}, {"uuid": "` + unknown + `", "role": "dj"}]}`
		a := s.as(t, "editor", http.MethodPut, path, body)
		if a.want(t, "unknown", http.StatusNotFound, "contributor_not_found"); a.fields() != "contributors[1].uuid" {
			t.Errorf("the fields are %s", a.fields())
		}
	}
	var contributors int
	if s.one(t, &contributors, "SELECT count(*) FROM contributor"); contributors != 2 {
		t.Errorf("%d contributors are stored", contributors)
	}
	s.event(t, s.foreign, "Plan", "draft", nil, 1)
	public := s.concert(t, s.foreign)
	s.exec(t, "INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 0, $2, 'dj')", public, foreign)
	s.as(t, "editor", http.MethodPut, path, `{"contributors": [{"uuid": "`+foreign+`", "role": "dj"}]}`).want(t, "public", http.StatusOK, "")
	listed := s.as(t, "viewer", http.MethodGet, "/contributors?repeated=true&search=ANNA", "")
	if got := listed.uuids(); len(got) != 2 || listed.body["total_count"] != float64(2) {
		t.Errorf("listed are %v", listed.body)
	}
	if got := s.as(t, "viewer", http.MethodGet, "/contributors?search=x", "").uuids(); len(got) != 0 {
		t.Errorf("found are %v", got)
	}
}

// A renamed contributor publishes the events of all organizations that name it; one that is merged
// leaves them to the other and is found under both uuids.
func TestContributorsAreRenamedAndMerged(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	one, two := s.concert(t, s.org), s.concert(t, s.foreign)
	from, into := s.named(t, s.org, one), s.contributor(t, "", "Jonas Petersen")
	s.exec(t, `INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 1, $3, 'dj'), ($2, 0, $3, 'dj'), ($2, 1, $3, 'author')`, one, two, into)
	s.exec(t, "DELETE FROM outbox")
	renamed := s.as(t, "editor", http.MethodPut, "/contributor/"+from, `{"name": "J. Petersen"}`)
	renamed.want(t, "rename", http.StatusOK, "")
	if got := s.enqueued(t); got != "event "+one+" contributor "+from || s.shown(t, one) != "Jonas Petersen dj, J. Petersen dj" {
		t.Errorf("enqueued is %s, shown %s", got, s.shown(t, one))
	}
	s.as(t, "editor", http.MethodPut, "/contributor/"+into, `{"name": "x"}`).want(t, "the operator's", http.StatusNotFound, "contributor_not_found")
	s.as(t, "platform", http.MethodDelete, "/contributor/"+into, `{"password": "`+authtest.Password+`"}`).want(t, "in use", http.StatusConflict, "contributor_in_use")
	path := "/contributor/" + from + "/merge"
	s.as(t, "platform", http.MethodPost, path, `{"into": "`+from+`"}`).refuses(t, "into")
	s.as(t, "platform", http.MethodPost, path, `{"into": "`+newUUID()+`"}`).refuses(t, "into")
	s.as(t, "platform", http.MethodPost, path, `{"into": "`+into+`"}`, "If-Match", `"7"`).want(t, "stale", http.StatusPreconditionFailed, "stale_contributor")
	s.exec(t, "DELETE FROM outbox")
	merged := s.as(t, "platform", http.MethodPost, path, `{"into": "`+into+`"}`)
	merged.want(t, "merge", http.StatusOK, "")
	if got := fmt.Sprint(merged.body["former_uuids"], merged.body["uuid"]); got != "["+from+"]"+into {
		t.Errorf("merged is %s", got)
	}
	enqueued := s.enqueued(t)
	for _, want := range []string{"event " + one, "event " + two, "contributor " + from, "contributor " + into} {
		if !strings.Contains(enqueued, want) {
			t.Errorf("%s is not among %s", want, enqueued)
		}
	}
	if got := s.shown(t, one) + "; " + s.shown(t, two); got != "Jonas Petersen dj; Jonas Petersen dj, Jonas Petersen author" {
		t.Errorf("shown are %s", got)
	}
	if state := s.published(t, change.KindContributor, into).(*change.Contributor); len(state.FormerUUIDs) != 1 || s.published(t, change.KindContributor, from) != nil {
		t.Errorf("published is %v", state)
	}
	if a := s.as(t, "viewer", http.MethodGet, "/contributor/"+from, ""); a.body["uuid"] != into {
		t.Errorf("the merged one is %v", a.body)
	}
	again := s.as(t, "editor", http.MethodPut, "/event/"+one+"/contributors", `{"contributors": [{"uuid": "`+from+`", "role": "dj"}]}`)
	if got := again.uuids(); len(got) != 1 || got[0] != into {
		t.Errorf("named by the former uuid is %v", again.body)
	}
	s.wantNoContributors(t, into, one, two)
}

// wantNoContributors takes the contributor off both events, and deletes it.
func (s *stage) wantNoContributors(t *testing.T, id, one, two string) {
	t.Helper()
	s.as(t, "editor", http.MethodPut, "/event/"+one+"/contributors", `{"contributors": []}`).want(t, "none", http.StatusOK, "")
	s.exec(t, "DELETE FROM outbox")
	s.as(t, "neighbour", http.MethodDelete, "/event/"+two, `{"password": "`+authtest.Password+`"}`).want(t, "delete the event", http.StatusOK, "")
	if got := s.enqueued(t); !strings.Contains(got, "contributor "+id) || s.published(t, change.KindContributor, id) != nil {
		t.Errorf("enqueued is %s", got)
	}
	s.as(t, "platform", http.MethodDelete, "/contributor/"+id, `{"password": "`+authtest.Password+`"}`).want(t, "delete", http.StatusOK, "")
	s.as(t, "platform", http.MethodGet, "/contributor/"+id, "").want(t, "gone", http.StatusNotFound, "contributor_not_found")
}

// An organization that goes leaves the contributors that others name to the operator.
func TestContributorsOutliveTheirOrganization(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.concert(t, s.foreign)
	named, unnamed := s.named(t, s.org, event), s.contributor(t, s.org, "Anna")
	s.as(t, "owner", http.MethodDelete, "/organization/"+s.org, `{"password": "`+authtest.Password+`"}`).want(t, "delete", http.StatusOK, "")
	kept := s.as(t, "platform", http.MethodGet, "/contributor/"+named, "")
	if kept.want(t, "named", http.StatusOK, ""); kept.body["org_uuid"] != nil || s.shown(t, event) != "Jonas Petersen dj" {
		t.Errorf("it is %v on %s", kept.body, s.shown(t, event))
	}
	s.as(t, "platform", http.MethodGet, "/contributor/"+unnamed, "").want(t, "unnamed", http.StatusNotFound, "contributor_not_found")
}

// A contributor that a public event of another organization names is changed by operators only; its
// organization learns nothing of drafts elsewhere.
func TestSharedContributorsAreTheOperators(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	draft := s.event(t, s.foreign, "Plan", "draft", nil, 1)
	shared := s.named(t, s.org, draft)
	row := func(who string) string {
		t.Helper()
		list, _ := s.as(t, who, http.MethodGet, "/contributors?search=Petersen", "").body["contributors"].([]any)
		if len(list) != 1 {
			t.Fatalf("%s lists %v", who, list)
		}
		c := list[0].(map[string]any)
		return fmt.Sprint(c["event_count"], c["may_edit"])
	}
	rename := func(who string) answer {
		return s.as(t, who, http.MethodPut, "/contributor/"+shared, `{"name": "J. Petersen", "web_link": "https://elsewhere.example"}`)
	}
	rename("editor").want(t, "named by a draft elsewhere", http.StatusOK, "")
	if got := row("editor") + row("platform"); got != "0 true"+"1 true" {
		t.Errorf("listed are %s", got)
	}
	s.exec(t, "INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 0, $2, 'dj')", s.concert(t, s.org), shared)
	rename("editor").want(t, "named by an event of its own", http.StatusOK, "")
	public := s.concert(t, s.foreign)
	s.exec(t, "INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 0, $2, 'dj')", public, shared)
	rename("editor").want(t, "named by a public event elsewhere", http.StatusConflict, "contributor_shared")
	s.as(t, "editor", http.MethodPut, "/contributor/"+shared, `{"org_uuid": null}`).want(t, "given away", http.StatusForbidden, "")
	rename("platform").want(t, "by an operator", http.StatusOK, "")
	if got := row("editor") + row("platform"); got != "2 false"+"3 true" {
		t.Errorf("listed are %s", got)
	}
	s.exec(t, "UPDATE event SET release_status = 'draft' WHERE uuid = $1", public)
	rename("editor").want(t, "withdrawn", http.StatusOK, "")
}

// One into which as many were merged as there may be takes no further one, and can still be edited.
func TestMergesHaveALimit(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	from, into := s.contributor(t, "", "Trio"), s.contributor(t, "", "Trio Nord")
	s.exec(t, `UPDATE contributor SET former_uuids = (
		SELECT array_agg(('0192f0a0-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid) FROM generate_series(1, 1000) AS n
	) WHERE uuid = $1`, into)
	s.as(t, "platform", http.MethodPost, "/contributor/"+from+"/merge", `{"into": "`+into+`"}`).refuses(t, "into")
	s.as(t, "platform", http.MethodPut, "/contributor/"+into, `{"note": "Kiel"}`).want(t, "edited", http.StatusOK, "")
}

// TestPersonsAreTakenOut: the organization of a person takes them out of all events, and the
// others get a notice without the name; one of a group cannot, but the operator can.
func TestPersonsAreTakenOut(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	one, two, plan := s.concert(t, s.org), s.concert(t, s.foreign), s.event(t, s.foreign, "Plan", "draft", nil, 1)
	id := s.named(t, s.org, one)
	s.exec(t, `INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 0, $3, 'dj'), ($1, 1, $3, 'author'), ($2, 0, $3, 'dj')`, two, plan, id)
	const confirmed = `{"password": "` + authtest.Password + `"}`
	path := "/contributor/" + id
	s.as(t, "editor", http.MethodDelete, path, confirmed).want(t, "in use", http.StatusConflict, "contributor_in_use")
	s.as(t, "editor", http.MethodDelete, path+"?take_out=yes", confirmed).want(t, "no flag", http.StatusBadRequest, "")
	s.as(t, "neighbour", http.MethodDelete, path+"?take_out=true", confirmed).want(t, "of others", http.StatusNotFound, "contributor_not_found")
	s.exec(t, "UPDATE contributor SET type = 'group' WHERE uuid = $1", id)
	s.as(t, "editor", http.MethodDelete, path+"?take_out=true", confirmed).want(t, "a group", http.StatusConflict, "contributor_in_use")
	s.exec(t, "UPDATE contributor SET type = 'person' WHERE uuid = $1", id)
	s.exec(t, "DELETE FROM outbox")
	before := s.as(t, "neighbour", http.MethodGet, "/event/"+two, "").header.Get("ETag")
	s.as(t, "editor", http.MethodDelete, path+"?take_out=true", confirmed).want(t, "take out", http.StatusOK, "")
	enqueued := s.enqueued(t)
	for _, want := range []string{"event " + one, "event " + two, "contributor " + id} {
		if !strings.Contains(enqueued, want) {
			t.Errorf("%s is not among %s", want, enqueued)
		}
	}
	if got := s.shown(t, one) + s.shown(t, two); got != "" || s.published(t, change.KindContributor, id) != nil {
		t.Errorf("shown are %s", got)
	}
	if after := s.as(t, "neighbour", http.MethodGet, "/event/"+two, "").header.Get("ETag"); after == before {
		t.Error("the event has no new version")
	}
	if got := s.audited(t, s.foreign); !strings.Contains(got, "contributor.delete") {
		t.Errorf("audited is %s", got)
	}
	messages, _ := s.as(t, "neighbour", http.MethodGet, "/user/messages", "").body["messages"].([]any)
	if text := fmt.Sprint(messages); len(messages) != 1 || !strings.Contains(text, "Konzert; Plan") || strings.Contains(text, "Petersen") {
		t.Errorf("the other organization has the messages %s", text)
	}
	if own, _ := s.as(t, "editor", http.MethodGet, "/user/messages", "").body["messages"].([]any); len(own) != 0 {
		t.Errorf("who did it has the messages %v", own)
	}
	group := s.named(t, s.foreign, one)
	s.exec(t, "UPDATE contributor SET type = 'group' WHERE uuid = $1", group)
	s.as(t, "platform", http.MethodDelete, "/contributor/"+group+"?take_out=true", confirmed).want(t, "the operator", http.StatusOK, "")
}
