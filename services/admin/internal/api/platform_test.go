package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/services/admin/internal/people/auth/authtest"
)

// insertUndelivered inserts a mail about signing up again, which needs no token.
const insertUndelivered = `
INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at, attempts, last_error, failed_at)
VALUES ('owner@example.org', 'account_exists', 'de', $1, $1, 100, '550 <owner@example.org> unknown', $1)
RETURNING id::text`

// undelivered inserts a mail that was given up, and returns its id.
func (s *stage) undelivered(t *testing.T) (id string) {
	t.Helper()
	s.one(t, &id, insertUndelivered, s.clock.Now())
	return id
}

// administered returns a stage with a platform administrator.
func administered(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["platform"].id)
	return s
}

// listed returns the values of a key of the elements of a list, in order.
func (a answer) listed(list, key string) string {
	elements, _ := a.body[list].([]any)
	var values []string
	for _, element := range elements {
		values = append(values, fmt.Sprint(element.(map[string]any)[key]))
	}
	return strings.Join(values, " ")
}

func TestAdministratorsListPeople(t *testing.T) {
	t.Parallel()
	s := administered(t)
	for i, name := range []string{"owner", "viewer", "editor"} {
		s.exec(t, "UPDATE app_user SET first_name = 'Kim', last_name = $2, created_at = $3 WHERE id = $1", s.people[name].id,
			[]string{"Østergård", "100%", "Ahrens"}[i], s.clock.Now().Add(time.Duration(i)*time.Hour))
	}
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["viewer"].id)
	s.exec(t, "UPDATE app_user SET activated_at = NULL WHERE id = $1", s.people["stranger"].id)
	for query, want := range map[string]string{
		"search=kim":                               "editor@example.org viewer@example.org owner@example.org",
		"search=KIM+%C3%B8ster":                    "owner@example.org",
		"search=kim&sort=created":                  "owner@example.org viewer@example.org editor@example.org",
		"search=kim&sort=name":                     "viewer@example.org editor@example.org owner@example.org",
		"search=kim&sort=-name":                    "owner@example.org editor@example.org viewer@example.org",
		"search=kim&sort=created&limit=1&offset=1": "viewer@example.org",
		"search=0%25":                              "viewer@example.org",
		"search=kim&state=active":                  "editor@example.org owner@example.org",
		"state=inactive":                           "viewer@example.org",
		"state=unconfirmed":                        "stranger@example.org",
		"search=k_m":                               "",
	} {
		a := s.as(t, "platform", http.MethodGet, "/people?"+query, "")
		a.want(t, query, ok, "")
		a.wantKeys(t, query, "people total_count limit offset")
		if got := a.listed("people", "email"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	owner := s.as(t, "platform", http.MethodGet, "/people?search=owner@", "").first(t, "people")
	haveKeys(t, "a person", owner, `user_id email display_name first_name last_name state reason is_admin organization_count
		created_at activated_at deactivated_at last_active_at`)
	if owner["organization_count"] != 1.0 || owner["state"] != "active" || owner["is_admin"] != false || owner["reason"] != nil {
		t.Errorf("%v", owner)
	}
	bad := s.as(t, "platform", http.MethodGet, "/people?state=gone&sort=email&limit=0", "")
	bad.want(t, "bad parameters", http.StatusBadRequest, "")
	if got := bad.fields(); got != "limit state sort" {
		t.Errorf("names %s", got)
	}
}

// A deactivation takes effect immediately; only administrators can read its reason.
func TestAdministratorsDeactivatePeople(t *testing.T) {
	t.Parallel()
	s := administered(t)
	owner := s.people["owner"]
	path := fmt.Sprintf("/people/%d/state", owner.id)
	key := authtest.Key(t, s.db, owner.id, "", 0)
	a := s.as(t, "platform", http.MethodPut, path, `{"active": false, "reason": " Spam\r\n"}`)
	a.want(t, "deactivate", ok, "")
	if a.body["state"] != "inactive" || a.body["reason"] != "Spam" || a.listed("organizations_without_owner", "name") != "Kulturhaus" {
		t.Errorf("answers %s", a.raw)
	}
	s.as(t, "owner", http.MethodGet, "/user/profile", "").want(t, "their session", http.StatusUnauthorized, "session_ended")
	s.send(t, http.MethodGet, admin+"/organization/dashboard", nil, "Authorization", "Bearer "+key).
		want(t, "their key", http.StatusUnauthorized, "api_key_invalid")
	s.post(t, "/api/login", login(owner.email, authtest.Password)).want(t, "log in", http.StatusUnauthorized, "invalid_credentials")
	version := s.versionOf(t, owner.id)
	s.as(t, "platform", http.MethodPut, path, `{"active": false, "reason": "Another"}`).want(t, "again", ok, "")
	if after := s.versionOf(t, owner.id); after != version {
		t.Errorf("again: version %d becomes %d", version, after)
	}
	a = s.as(t, "platform", http.MethodPut, path, `{"active": true}`)
	a.want(t, "reactivate", ok, "")
	if a.body["state"] != "active" || a.body["reason"] != nil || a.listed("organizations_without_owner", "name") != "" {
		t.Errorf("answers %s", a.raw)
	}
	s.post(t, "/api/login", login(owner.email, authtest.Password)).want(t, "log in again", ok, "")
	var recorded string
	s.one(t, &recorded, `
SELECT string_agg(action || ' ' || actor_user_id || ' ' || after::text, '; ' ORDER BY id)
FROM audit_entry
WHERE entity_kind = 'user' AND entity_id = $1::integer::text AND actor_user_id = $2`, owner.id, s.people["platform"].id)
	actor := s.people["platform"].id
	want := fmt.Sprintf(`user.deactivate %d {"active": false, "reason": "Spam"}; user.reactivate %d {"active": true}`, actor, actor)
	if recorded != want {
		t.Errorf("recorded %s, want %s", recorded, want)
	}
}

func (s *stage) versionOf(t *testing.T, userID int) (version int) {
	t.Helper()
	s.one(t, &version, "SELECT version FROM app_user WHERE id = $1", userID)
	return version
}

func TestAdministratorsCannotLockEverybodyOut(t *testing.T) {
	t.Parallel()
	s := administered(t)
	const off = `{"active": false, "reason": "x"}`
	own := fmt.Sprintf("/people/%d/state", s.people["platform"].id)
	s.as(t, "platform", http.MethodPut, own, off).want(t, "oneself", http.StatusConflict, "own_account")
	s.join(t, "second", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["second"].id)
	second := fmt.Sprintf("/people/%d/state", s.people["second"].id)
	statuses := atOnce(
		func() answer { return s.as(t, "platform", http.MethodPut, second, off) },
		func() answer { return s.as(t, "second", http.MethodPut, own, off) },
	)
	if statuses[0] != ok || !slices.Contains([]int{http.StatusUnauthorized, http.StatusConflict}, statuses[1]) {
		t.Errorf("two who deactivate each other: %v", statuses)
	}
	for body, field := range map[string]string{
		`{"active": false}`:                                               "reason",
		`{"active": false, "reason": " \n"}`:                              "reason",
		`{"active": true, "reason": "a\u0007"}`:                           "reason",
		`{"active": true, "reason": "` + strings.Repeat("ü", 2001) + `"}`: "reason",
		`{"reason": "x"}`:                                                 "active",
		`{"active": null}`:                                                "active",
		`{"active": true, "is_admin": true}`:                              "is_admin",
	} {
		who := "platform"
		if s.versionOf(t, s.people["platform"].id) > 1 { // deactivated by the second one
			who = "second"
		}
		a := s.as(t, who, http.MethodPut, fmt.Sprintf("/people/%d/state", s.people["owner"].id), body)
		a.want(t, body, http.StatusBadRequest, "")
		if a.fields() != field {
			t.Errorf("%.60s: names %q, want %s", body, a.fields(), field)
		}
	}
}

func TestAdministratorsListOrganizations(t *testing.T) {
	t.Parallel()
	s := administered(t)
	s.exec(t, "UPDATE organization SET city = 'Flensburg', country = 'DEU' WHERE uuid = $1", s.org)
	s.venue(t, s.org)
	s.event(t, s.org, "Konzert", "released", nil, 5, 6)
	s.event(t, s.org, "Probe", "draft", nil, 5)
	s.event(t, s.foreign, "Tanz", "released", nil, 5)
	s.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", s.foreign)
	for query, want := range map[string]string{
		"":                            "Jazzclub Kulturhaus",
		"sort=-name":                  "Kulturhaus Jazzclub",
		"search=KULTUR+flens":         "Kulturhaus",
		"search=%25":                  "",
		"approval=approved":           "Kulturhaus",
		"approval=pending":            "Jazzclub",
		"approval=refused":            "",
		"sort=name&limit=1&offset=1":  "Kulturhaus",
		"sort=created&search=u&lang=": "Kulturhaus Jazzclub",
	} {
		a := s.as(t, "platform", http.MethodGet, "/organizations?"+query, "")
		a.want(t, query, ok, "")
		a.wantKeys(t, query, "organizations total_count limit offset")
		if got := a.listed("organizations", "name"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	a := s.as(t, "platform", http.MethodGet, "/organizations?sort=name", "")
	for key, want := range map[string]string{
		"approval": "pending approved", "city": " Flensburg", "country": " DEU", "member_count": "1 5",
		"venue_count": "0 1", "event_count": "1 2", "upcoming_public_dates": "0 2",
	} {
		if got := a.listed("organizations", key); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	bad := s.as(t, "platform", http.MethodGet, "/organizations?approval=x&sort=city&offset=-1", "")
	bad.want(t, "bad parameters", http.StatusBadRequest, "")
	if got := bad.fields(); got != "offset approval sort" {
		t.Errorf("names %s", got)
	}
}

// A mail that was given up is sent again or deleted, once; the record of it names no address.
func TestAdministratorsSeeUndeliveredMails(t *testing.T) {
	t.Parallel()
	s := administered(t)
	first := s.undelivered(t)
	s.clock.Move(time.Minute)
	second := s.undelivered(t)
	s.exec(t, "INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at) VALUES ('a@example.org', 'reset', 'en', now(), '2999-01-01')")
	a := s.as(t, "platform", http.MethodGet, "/mails", "")
	a.wantKeys(t, "mails", "mails total_count limit offset")
	if got := a.listed("mails", "id"); got != second+" "+first || a.body["total_count"] != 2.0 {
		t.Errorf("mails %s", a.raw)
	}
	mail := a.first(t, "mails")
	haveKeys(t, "a mail", mail, "id template recipient locale attempts last_error created_at failed_at")
	if mail["recipient"] != "owner@example.org" || mail["attempts"] != 100.0 || !strings.HasPrefix(fmt.Sprint(mail["last_error"]), "550") {
		t.Errorf("%v", mail)
	}
	s.as(t, "platform", http.MethodPost, "/mails/"+first+"/retry", "").want(t, "retry", ok, "")
	s.as(t, "platform", http.MethodPost, "/mails/"+first+"/retry", "").want(t, "retry again", http.StatusNotFound, "mail_not_found")
	s.as(t, "platform", http.MethodDelete, "/mails/"+first, "").want(t, "delete what waits", http.StatusNotFound, "mail_not_found")
	if got := s.posted(t); !strings.HasPrefix(got, "owner@example.org: ") {
		t.Errorf("posted %q", got)
	}
	s.as(t, "platform", http.MethodDelete, "/mails/"+second, "").want(t, "delete", ok, "")
	s.as(t, "platform", http.MethodDelete, "/mails/"+second, "").want(t, "delete again", http.StatusNotFound, "mail_not_found")
	s.as(t, "platform", http.MethodDelete, "/mails/x", "").want(t, "a bad id", http.StatusBadRequest, "")
	if a = s.as(t, "platform", http.MethodGet, "/mails", ""); a.body["total_count"] != 0.0 {
		t.Errorf("left: %s", a.raw)
	}
	var recorded string
	s.one(t, &recorded, `
SELECT string_agg(action || ' ' || entity_id || coalesce(before::text, '') || after::text, '; ' ORDER BY id)
FROM audit_entry
WHERE entity_kind = 'mail'`)
	want := fmt.Sprintf(`mail.retry %s{"template": "account_exists"}; mail.drop %s{"template": "account_exists"}`, first, second)
	if recorded != want {
		t.Errorf("recorded %s, want %s", recorded, want)
	}
}
