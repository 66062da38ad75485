package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const organizationKeys = `uuid name description legal_form nonprofit holding_org_uuid contact_email contact_phone web_link
	street house_number address_addition postal_code city state country lat lon`

func TestOrganizationLives(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.as(t, "stranger", http.MethodPut, "/organization",
		`{"name": " <b>Kühlhaus</b> ", "city": "Flensburg", "country": "deu", "state": "SH", "lat": 54.79, "lon": 9.43, "nonprofit": true}`)
	a.want(t, "create", http.StatusCreated, "")
	a.wantKeys(t, "create", organizationKeys+" approval message")
	haveKeys(t, "approval", a.body["approval"], "state reason decided_at")
	id, _ := a.body["uuid"].(string)
	if a.body["name"] != "<b>Kühlhaus</b>" || a.body["country"] != "DEU" || a.header.Get("ETag") != `"1"` ||
		a.header.Get("Location") != admin+"/organization/"+id {
		t.Errorf("created %s with %v", a.raw, a.header)
	}
	path := "/organization/" + id
	s.as(t, "stranger", http.MethodGet, path+"/team", "").want(t, "the creator is owner", ok, "")

	a = s.as(t, "stranger", http.MethodPut, path+"/", `{"city": null, "lat": null, "lon": null, "uuid": "`+id+`", "web_link": "https://k.example"}`)
	a.want(t, "update", ok, "")
	if a.body["city"] != nil || a.body["country"] != "DEU" || a.body["web_link"] != "https://k.example" || a.header.Get("ETag") != `"2"` {
		t.Errorf("PUT keeps what is absent and clears what is null: %s", a.raw)
	}
	a = s.as(t, "stranger", http.MethodGet, path, "")
	a.want(t, "read", ok, "")
	a.wantKeys(t, "read", organizationKeys+" approval")
	if a.header.Get("ETag") != `"2"` {
		t.Errorf("ETag %s", a.header.Get("ETag"))
	}
	s.as(t, "stranger", http.MethodGet, path, "", "If-None-Match", `"2"`).want(t, "read again", http.StatusNotModified, "")
	s.as(t, "stranger", http.MethodPut, path, `{}`).want(t, "nothing to change", ok, "")

	s.as(t, "stranger", http.MethodDelete, path, `{}`).want(t, "delete without password", http.StatusBadRequest, "invalid_parameters")
	s.as(t, "stranger", http.MethodDelete, path, password("wrong")).want(t, "delete with a wrong password", http.StatusForbidden, "wrong_password")
	a = s.as(t, "stranger", http.MethodDelete, path, password(authtest.Password))
	a.want(t, "delete", ok, "")
	a.wantKeys(t, "delete", "message uuid")
	s.as(t, "stranger", http.MethodGet, path, "").want(t, "read what is gone", http.StatusNotFound, "organization_not_found")

	const want = "organization.create member.join organization.update organization.delete"
	if got := s.audited(t, id); got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
	var noted int
	s.one(t, &noted, "SELECT count(*) FROM outbox WHERE kind = 'organization' AND entity_id = $1", id)
	if noted != 0 {
		t.Errorf("an organization without public events is enqueued %d times", noted)
	}
}

func TestOrganizationRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org
	tests := []struct {
		name, method, path, body string
		status                   int
		fields                   string
	}{
		{"values", http.MethodPut, "/organization", `{"name": "", "country": "XX", "lat": 91, "lon": 0, "contact_email": "x", "web_link": "ftp://x"}`,
			http.StatusBadRequest, "name contact_email web_link country lat"},
		{"types and values", http.MethodPut, "/organization", `{"name": 5, "nonprofit": "yes", "country": "XX", "colour": "red"}`,
			http.StatusBadRequest, "name nonprofit colour country"},
		{"types and values of a change", http.MethodPut, path, `{"city": [], "web_link": "x", "web_link": "y"}`, http.StatusBadRequest, "city web_link"},
		{"a type and what is missing", http.MethodPut, "/organization", `{"city": 1, "lat": 1}`, http.StatusBadRequest, "city name lon"},
		{"a chosen uuid", http.MethodPut, "/organization", `{"name": "x", "uuid": "` + newUUID() + `"}`, http.StatusBadRequest, "uuid"},
		{"another uuid", http.MethodPut, path, `{"uuid": "` + s.foreign + `"}`, http.StatusBadRequest, "uuid"},
		{"an emptied name", http.MethodPut, path, `{"name": null}`, http.StatusBadRequest, "name"},
		{"a point's half", http.MethodPut, path, `{"lat": 54.8}`, http.StatusBadRequest, "lon"},
		{"control characters", http.MethodPut, path, `{"name": "a\u0007b", "street": "a\u0000"}`, http.StatusBadRequest, "street name"},
		{"itself as holding", http.MethodPut, path, `{"holding_org_uuid": "` + s.org + `"}`, http.StatusBadRequest, "holding_org_uuid"},
		{"a stranger as holding", http.MethodPut, path, `{"holding_org_uuid": "` + s.foreign + `"}`, http.StatusNotFound, "holding_org_uuid"},
		{"an unknown one as holding", http.MethodPut, path, `{"holding_org_uuid": "` + newUUID() + `"}`, http.StatusNotFound, "holding_org_uuid"},
		{"no UUIDv7", http.MethodGet, "/organization/0b0e7a3a-1b6f-4a4e-8d3e-0a4f1e2d3c4b", "", http.StatusBadRequest, "organizationId"},
		{"no UUID", http.MethodPut, "/organization/17", "{}", http.StatusBadRequest, "organizationId"},
		{"parameters", http.MethodGet, path + "/events?start=soon&limit=0&offset=-1", "", http.StatusBadRequest, "limit offset start"},
		{"parameters", http.MethodGet, path + "/venues?start=2026-02-30&limit=x", "", http.StatusBadRequest, "limit start"},
		{"parameters", http.MethodGet, "/organization/dashboard?limit=201", "", http.StatusBadRequest, "limit"},
		{"parameters", http.MethodGet, path + "/audit?from=x&to=y&action=z&actor=0", "", http.StatusBadRequest, "from to actor action"},
		{"too much", http.MethodPut, path, `{"description": "` + strings.Repeat("x", 700<<10) + `"}`, http.StatusRequestEntityTooLarge, ""},
		{"too long", http.MethodPut, path, `{"description": "` + strings.Repeat("x", 100_001) + `"}`, http.StatusBadRequest, "description"},
		{"deep nesting", http.MethodPut, path, strings.Repeat(`{"name":`, 9000) + "1" + strings.Repeat("}", 9000), http.StatusBadRequest, "name"},
	}
	for _, test := range tests {
		a := s.as(t, "owner", test.method, test.path, test.body)
		a.want(t, test.name, test.status, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s: bad fields %s, want %s", test.name, got, test.fields)
		}
	}
	s.as(t, "owner", http.MethodPut, path, "").want(t, "no body", http.StatusUnsupportedMediaType, "")
	if got := s.audited(t, s.org); got != "" {
		t.Errorf("audited %s", got)
	}
}

func TestOrganizationInUseStays(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Saal')", newUUID(), s.org)
	a := s.as(t, "owner", http.MethodDelete, "/organization/"+s.org, password(authtest.Password))
	a.want(t, "delete", http.StatusConflict, "organization_in_use")
	var members int
	s.one(t, &members, "SELECT count(*) FROM membership WHERE org_uuid = $1", s.org)
	if members != 5 {
		t.Errorf("%d members are left", members)
	}
}

// TestWrongPasswordsAreLimited: a confirmation is no way to try passwords.
func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for range 5 {
		s.as(t, "owner", http.MethodDelete, "/organization/"+s.org, password("wrong")).
			want(t, "wrong", http.StatusForbidden, "wrong_password")
	}
	s.as(t, "owner", http.MethodDelete, "/organization/"+s.org, password(authtest.Password)).
		want(t, "right, too late", http.StatusTooManyRequests, "too_many_attempts")
}

func TestOrganizationsHoldNoCircle(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	orgs := make([]string, 4)
	for n := range orgs {
		orgs[n] = authtest.Organization(t, s.db, fmt.Sprint(n))
		authtest.Member(t, s.db, orgs[n], s.people["stranger"].id, permission.All)
	}
	hold := func(org, holding int) answer {
		return s.as(t, "stranger", http.MethodPut, "/organization/"+orgs[org], `{"holding_org_uuid": "`+orgs[holding]+`"}`)
	}
	hold(1, 0).want(t, "one step", ok, "")
	hold(2, 1).want(t, "two steps", ok, "")
	a := hold(0, 2)
	a.want(t, "a circle of three", http.StatusBadRequest, "invalid_organization")
	if a.fields() != "holding_org_uuid" {
		t.Errorf("bad fields %s", a.fields())
	}
	for range 5 { // each single request is valid
		s.exec(t, "UPDATE organization SET holding_org_uuid = NULL")
		hold(1, 2).want(t, "a step", ok, "")
		hold(3, 0).want(t, "a step", ok, "")
		statuses := atOnce(func() answer { return hold(0, 1) }, func() answer { return hold(2, 3) })
		if statuses[0] != ok || statuses[1] != http.StatusBadRequest {
			t.Errorf("a circle of four: statuses %v", statuses)
		}
		s.exec(t, "UPDATE organization SET holding_org_uuid = NULL")
		statuses = atOnce(func() answer { return hold(0, 1) }, func() answer { return hold(1, 0) })
		if statuses[0] != ok || statuses[1] != http.StatusBadRequest {
			t.Errorf("a circle of two: statuses %v", statuses)
		}
	}
}

func TestFoundingIsLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	found := func(who, body string) answer { return s.as(t, who, http.MethodPut, "/organization", body) }
	found("stranger", `{"name": ""}`).want(t, "what is refused does not count", http.StatusBadRequest, "")
	for range 50 {
		found("stranger", `{"name": "x"}`).want(t, "one of fifty", http.StatusCreated, "")
	}
	a := found("stranger", `{"name": "x"}`)
	a.want(t, "the next one", http.StatusTooManyRequests, "too_many_attempts")
	if a.header.Get("Retry-After") != "86400" {
		t.Errorf("Retry-After %s", a.header.Get("Retry-After"))
	}
	found("neighbour", `{"name": "x"}`).want(t, "another user", http.StatusCreated, "")
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["stranger"].id)
	found("stranger", `{"name": "x"}`).want(t, "a platform administrator", http.StatusCreated, "")
}

func TestTwoPeopleChangeAnOrganization(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org
	tag := s.as(t, "manager", http.MethodGet, path, "").header.Get("ETag")
	put := func(who, body string) func() answer {
		return func() answer { return s.as(t, who, http.MethodPut, path, body, "If-Match", tag) }
	}
	statuses := atOnce(put("owner", `{"city": "Kiel"}`), put("manager", `{"street": "Hafendamm"}`))
	if statuses[0] != ok || statuses[1] != http.StatusPreconditionFailed {
		t.Errorf("statuses %v, want 200 and 412", statuses)
	}
	s.as(t, "owner", http.MethodPut, path, `{"city": "Husum"}`, "If-Match", tag).want(t, "stale", http.StatusPreconditionFailed, "stale_organization")
	s.as(t, "owner", http.MethodDelete, path, password(authtest.Password), "If-Match", tag).
		want(t, "stale", http.StatusPreconditionFailed, "stale_organization")

	requests := []func() answer{}
	for i := range 8 {
		field := []string{"city", "street", "postal_code", "contact_phone"}[i%4]
		who := []string{"owner", "manager"}[i/4]
		body := fmt.Sprintf(`{"%s": "value"}`, field)
		requests = append(requests, func() answer { return s.as(t, who, http.MethodPut, path, body) })
	}
	for _, status := range atOnce(requests...) {
		if status != ok {
			t.Errorf("a write without If-Match answers %d", status)
		}
	}
	a := s.as(t, "owner", http.MethodGet, path, "")
	for _, field := range []string{"city", "street", "postal_code", "contact_phone"} {
		if a.body[field] != "value" {
			t.Errorf("the update of %s is lost: %s", field, a.raw)
		}
	}
}

// programme gives the organization a venue with a space and two events there: a draft with two
// dates and a cancelled one that ended yesterday, and one of another organization in the same
// venue.
func (s *stage) programme(t *testing.T) (venue, space, draft string) {
	t.Helper()
	venue, space, draft = newUUID(), newUUID(), newUUID()
	over, foreign := newUUID(), newUUID()
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Alte Post')", venue, s.org)
	s.exec(t, "INSERT INTO space (uuid, venue_uuid, name) VALUES ($1, $2, 'Saal')", space, venue)
	const event = `
INSERT INTO event (uuid, org_uuid, venue_uuid, space_uuid, title, categories, languages, tags, price_type, ticket_flags,
    occasion, release_status)
VALUES ($1, $2, $3, $4, $5, '{}', '{}', '{}', 'not_specified', '{}', 0, $6)`
	s.exec(t, event, draft, s.org, venue, space, "Entwurf", "draft")
	s.exec(t, event, over, s.org, venue, nil, "Vorbei", "released")
	s.exec(t, event, foreign, s.foreign, venue, nil, "Fremd", "draft")
	s.exec(t, "INSERT INTO event_type (event_uuid, position, type_id, genre_id) SELECT $1, 0, type_id, genre_id FROM event_genre LIMIT 1", draft)
	const date = `
INSERT INTO event_date (uuid, event_uuid, slug, start_date, start_time, end_date, all_day, release_status)
VALUES ($1, $2, $3, $4::date, $5::time, $6::date, $5::time IS NULL, $7)`
	today := s.clock.Now()
	day := func(n int) string { return today.AddDate(0, 0, n).Format("2006-01-02") }
	s.exec(t, date, newUUID(), draft, day(3), day(3), nil, nil, "inherited")
	s.exec(t, date, newUUID(), draft, day(1), day(1), "19:30", nil, "cancelled")
	s.exec(t, date, newUUID(), over, day(-2), day(-2), "20:00", day(-1), "inherited")
	s.exec(t, date, newUUID(), foreign, day(1), day(1), "19:30", nil, "inherited")
	return venue, space, draft
}

func TestOverviews(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue, space, draft := s.programme(t)
	a := s.as(t, "viewer", http.MethodGet, "/organization/dashboard", "")
	a.want(t, "dashboard", ok, "")
	a.wantKeys(t, "dashboard", "organizations total_count limit offset")
	card := a.first(t, "organizations")
	haveKeys(t, "card", card, `uuid org_uuid org_name org_city org_country total_upcoming_events venue_count space_count
		can_edit_organization can_delete_organization can_manage_team`)
	if card["org_uuid"] != s.org || card["total_upcoming_events"] != 2.0 || card["venue_count"] != 1.0 || card["space_count"] != 1.0 ||
		card["can_edit_organization"] != false || a.body["total_count"] != 1.0 {
		t.Errorf("dashboard %s", a.raw)
	}
	a = s.as(t, "stranger", http.MethodGet, "/organization/dashboard", "")
	if string(a.raw) != `{"organizations":[],"total_count":0,"limit":50,"offset":0}` {
		t.Errorf("empty dashboard %s", a.raw)
	}

	a = s.as(t, "editor", http.MethodGet, "/organization/"+s.org+"/venues", "")
	a.want(t, "venues", ok, "")
	a.wantKeys(t, "venues", `org_uuid org_name can_edit_organization can_delete_organization can_add_venue can_add_space
		can_add_event total_upcoming_events venues total_count limit offset`)
	one := a.first(t, "venues")
	haveKeys(t, "venue", one, `uuid venue_uuid venue_name upcoming_event_count spaces can_add_venue can_edit_venue can_delete_venue
		can_add_space can_edit_space can_delete_space can_add_event can_edit_event can_delete_event can_release_event`)
	room := one["spaces"].([]any)[0].(map[string]any)
	haveKeys(t, "space", room, "uuid space_uuid space_name upcoming_event_count")
	if one["venue_uuid"] != venue || one["upcoming_event_count"] != 2.0 || room["space_uuid"] != space ||
		room["upcoming_event_count"] != 2.0 || one["can_edit_venue"] != true || one["can_delete_venue"] != false {
		t.Errorf("venues %s", a.raw)
	}

	path := "/organization/" + s.org + "/events"
	a = s.as(t, "contributor", http.MethodGet, path, "")
	a.want(t, "events", ok, "")
	a.wantKeys(t, "events", "can_add_event events total_count limit offset")
	row := a.first(t, "events")
	haveKeys(t, "event", row, `uuid event_uuid event_date_uuid event_title event_subtitle event_org_uuid event_org_name start_date
		start_time end_date end_time all_day release_status event_release_status release_date venue_uuid venue_name space_uuid
		space_name image_uuid event_types time_series_index time_series missing etag can_edit_event can_delete_event can_release_event`)
	if row["event_uuid"] != draft || row["start_time"] != "19:30" || row["release_status"] != "cancelled" ||
		row["event_release_status"] != "draft" || row["space_uuid"] != space || row["time_series"] != 2.0 ||
		row["time_series_index"] != 1.0 || row["can_release_event"] != false || row["can_edit_event"] != true ||
		len(row["event_types"].([]any)) != 1 || a.body["total_count"] != 2.0 {
		t.Errorf("events %s", a.raw)
	}
	second := s.as(t, "contributor", http.MethodGet, path+"?limit=1&offset=1", "").first(t, "events")
	if second["all_day"] != true || second["start_time"] != nil || second["time_series_index"] != 2.0 {
		t.Errorf("second date %v", second)
	}
	yesterday := s.clock.Now().AddDate(0, 0, -1).Format("2006-01-02")
	if a = s.as(t, "viewer", http.MethodGet, path+"?start="+yesterday, ""); a.body["total_count"] != 3.0 {
		t.Errorf("what was still on yesterday: %s", a.raw)
	}
	if a = s.as(t, "viewer", http.MethodGet, path+"?start=today", ""); a.body["total_count"] != 2.0 {
		t.Errorf("today: %s", a.raw)
	}
}

func TestPermissionsList(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.as(t, "stranger", http.MethodGet, "/permissions/list?lang=de", "")
	a.want(t, "list", ok, "")
	a.wantKeys(t, "list", "organization venue space event")
	first := a.first(t, "event")
	haveKeys(t, "permission", first, "bit name label description")
	if first["bit"] != 24.0 || first["label"] != "Veranstaltung anlegen" || first["name"] != "AddEvent" {
		t.Errorf("first %v", first)
	}
	if a = s.as(t, "stranger", http.MethodGet, "/permissions/list?lang=xx", ""); a.first(t, "venue")["label"] != "Add Venue" {
		t.Errorf("an unknown language: %s", a.raw)
	}
}
