package api_test

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/publish/outbox"
)

// moderated returns a stage where organizations need approval, with a platform administrator.
func moderated(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.services.Editor.Await = s.services.Moderation.Await
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true, locale = 'de' WHERE id = $1", s.people["platform"].id)
	return s
}

// found founds an organization with a venue and a released event at it.
func (s *stage) found(t *testing.T, who string) (org, venue, event string) {
	t.Helper()
	a := s.as(t, who, http.MethodPut, "/organization", `{"name": "Kühlhaus"}`)
	a.want(t, "found", http.StatusCreated, "")
	org, venue = fmt.Sprint(a.body["uuid"]), newUUID()
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Saal')", venue, org)
	event = s.event(t, org, "Konzert", "released", nil, 5)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", event, venue)
	return org, venue, event
}

// public returns the kinds of the entities that are public, checking that the snapshot and both
// queries for public entities agree.
func (s *stage) public(t *testing.T, ids map[change.Kind]string) string {
	t.Helper()
	var kinds []string
	for _, kind := range []change.Kind{change.KindOrganization, change.KindVenue, change.KindEvent, change.KindPortal, change.KindList, change.KindContributor} {
		if ids[kind] == "" {
			continue
		}
		snapshot, _, _, err := outbox.PublicState(t.Context(), s.db, outbox.Ref{Kind: kind, ID: ids[kind]})
		if err != nil {
			t.Fatal(err)
		}
		which, err := outbox.Public(t.Context(), s.db, kind, []string{ids[kind]})
		if err != nil {
			t.Fatal(err)
		}
		listed := false
		err = outbox.EachPublic(t.Context(), s.db, kind, 2, func(some []string) error {
			listed = listed || slices.Contains(some, ids[kind])
			return nil
		})
		if err != nil || which[ids[kind]] != (snapshot != nil) || listed != (snapshot != nil) {
			t.Errorf("%s: snapshot %t, public %t, listed %t, %v", kind, snapshot != nil, which[ids[kind]], listed, err)
		}
		if snapshot != nil {
			kinds = append(kinds, string(kind))
		}
	}
	return strings.Join(kinds, " ")
}

// enqueued returns which of the entities the outbox names, and empties it.
func (s *stage) enqueued(t *testing.T) string {
	t.Helper()
	var names string
	s.one(t, &names, `SELECT coalesce(string_agg(kind || ' ' || entity_id, ' ' ORDER BY kind DESC, entity_id), '') FROM outbox`)
	s.exec(t, "DELETE FROM outbox")
	return names
}

// posted sends the due mails and returns their subjects and addresses.
func (s *stage) posted(t *testing.T) string {
	t.Helper()
	s.box.mails = nil
	if err := s.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range s.box.mails {
		all = append(all, m.Recipient+": "+m.Subject)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// wantLinks checks that every mail that posted has received leads to a page of the console.
func (s *stage) wantLinks(t *testing.T, page string) {
	t.Helper()
	for _, m := range s.box.mails {
		if m.Link != "https://litfass.example/console"+page {
			t.Errorf("the mail %q leads to %s, want %s", m.Subject, m.Link, page)
		}
	}
}

// Nothing of an organization is public until it is approved, everything afterwards, and nothing
// once it is refused; those concerned learn of each step.
func TestOrganizationsWaitForApproval(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, venue, event := s.found(t, "stranger")
	portal, _ := s.portal(t, org)
	list, _ := s.list(t, org, event)
	contributor := s.named(t, org, event)
	ids := map[change.Kind]string{
		change.KindOrganization: org, change.KindVenue: venue, change.KindEvent: event, change.KindPortal: portal,
		change.KindList: list, change.KindContributor: contributor,
	}
	if got := s.public(t, ids); got != "" {
		t.Errorf("waiting, these are public: %s", got)
	}
	if got := s.posted(t); got != "platform@example.org: Kühlhaus wartet auf Freigabe" {
		t.Errorf("mailed %s", got)
	}
	s.wantLinks(t, "/administration/approvals")
	a := s.as(t, "platform", http.MethodGet, "/user/messages", "")
	if m := a.first(t, "messages"); m["subject"] != "Kühlhaus wartet auf Freigabe" || m["org_uuid"] != org {
		t.Errorf("the message is %v", m)
	}
	a = s.as(t, "platform", http.MethodGet, "/organizations/pending", "")
	a.wantKeys(t, "pending", "organizations total_count limit offset")
	if w := a.first(t, "organizations"); w["uuid"] != org || w["name"] != "Kühlhaus" || a.body["total_count"] != float64(1) {
		t.Errorf("pending: %s", a.raw)
	}

	s.enqueued(t)
	waiting := s.approval(t, org, "pending", "")
	path := "/organization/" + org + "/approval"
	s.as(t, "stranger", http.MethodPut, path, `{"approved": true}`).want(t, "an owner approves", http.StatusForbidden, "platform_administrator_required")
	s.as(t, "platform", http.MethodPut, path, `{"approved": true}`).want(t, "approve", ok, "")
	s.approval(t, org, "approved", "", "If-None-Match", waiting)
	all := "venue " + venue + " portal " + portal + " organization " + org + " list " + list + " event " + event + " contributor " + contributor
	if got := s.enqueued(t); got != all {
		t.Errorf("enqueued %s, want %s", got, all)
	}
	if got := s.public(t, ids); got != "organization venue event portal list contributor" {
		t.Errorf("approved, these are public: %s", got)
	}
	if got := s.posted(t); got != "stranger@example.org: Kühlhaus is approved" {
		t.Errorf("mailed %s", got)
	}
	s.wantLinks(t, "/organization/"+org)
	if a = s.as(t, "platform", http.MethodGet, "/organizations/pending", ""); a.body["total_count"] != float64(0) {
		t.Errorf("still pending: %s", a.raw)
	}
	s.as(t, "platform", http.MethodPut, path, `{"approved": true}`).want(t, "approve again", ok, "")
	if enqueued, mailed := s.enqueued(t), s.posted(t); enqueued+mailed != "" {
		t.Errorf("approved again: enqueued %s, mailed %s", enqueued, mailed)
	}

	a = s.as(t, "platform", http.MethodPut, path, `{"approved": false, "reason": " <b>Spam</b>\nand more "}`)
	a.want(t, "refuse", ok, "")
	a.wantKeys(t, "refuse", "message org_uuid state reason decided_at")
	s.approval(t, org, "refused", "<b>Spam</b>\nand more")
	if a.body["state"] != "refused" || a.body["reason"] != "<b>Spam</b>\nand more" {
		t.Errorf("refused: %s", a.raw)
	}
	if got := s.enqueued(t); got != all {
		t.Errorf("enqueued %s, want %s", got, all)
	}
	if got := s.public(t, ids); got != "" {
		t.Errorf("refused, these are public: %s", got)
	}
	if got := s.posted(t); got != "stranger@example.org: Kühlhaus is not approved" || !strings.Contains(s.box.mails[0].Text, "Spam") {
		t.Errorf("mailed %s: %+v", got, s.box.mails)
	}
	s.wantLinks(t, "/organization/"+org)
	m := s.as(t, "stranger", http.MethodGet, "/user/messages", "").first(t, "messages")
	if m["subject"] != "Kühlhaus is not approved" || m["message"] != "<b>Spam</b>\nand more" {
		t.Errorf("the message is %v", m)
	}
	if got := s.audited(t, org); got != "organization.create member.join organization.approval organization.approval" {
		t.Errorf("audited %s", got)
	}
}

// approval checks the founder's view of an organization's approval, which updates accept but do not
// change. It returns the version of the organization.
func (s *stage) approval(t *testing.T, org, state, reason string, headers ...string) (version string) {
	t.Helper()
	path := "/organization/" + org
	a := s.as(t, "stranger", http.MethodGet, path, "", headers...)
	a.want(t, "read the organization", ok, "")
	approval, _ := a.body["approval"].(map[string]any)
	if approval["state"] != state || approval["reason"] != reason || (approval["decided_at"] == nil) != (state == "pending") {
		t.Errorf("the approval is %v, want %s %q", approval, state, reason)
	}
	s.as(t, "stranger", http.MethodPut, path, `{"approval": {"state": "approved", "reason": 5}}`).want(t, "write an approval", ok, "")
	back := s.as(t, "stranger", http.MethodPut, path, string(a.raw), "If-Match", a.header.Get("ETag"))
	back.want(t, "write back what was read", ok, "")
	if !reflect.DeepEqual(back.body["approval"], a.body["approval"]) || back.header.Get("ETag") != a.header.Get("ETag") {
		t.Errorf("%s becomes %s", a.raw, back.raw)
	}
	return a.header.Get("ETag")
}

// Organizations of platform administrators, and those from before, need no approval; bad decisions
// are named.
func TestApprovalIsAskedOfTheOthersAlone(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, venue, event := s.found(t, "platform")
	a := s.as(t, "owner", http.MethodGet, "/organization/"+s.org, "")
	if got, want := fmt.Sprint(a.body["approval"]), "map[decided_at:<nil> reason: state:approved]"; got != want {
		t.Errorf("the approval of an organization that was there before is %s, want %s", got, want)
	}
	ids := map[change.Kind]string{change.KindOrganization: org, change.KindVenue: venue, change.KindEvent: event}
	if got := s.public(t, ids); got != "organization venue event" {
		t.Errorf("these are public: %s", got)
	}
	if got := s.posted(t); got != "" {
		t.Errorf("mailed %s", got)
	}
	for body, field := range map[string]string{
		`{"approved": false}`:                                               "reason",
		`{"approved": false, "reason": " \n"}`:                              "reason",
		`{"approved": true, "reason": "a\u0007"}`:                           "reason",
		`{"approved": true, "reason": "` + strings.Repeat("ü", 2001) + `"}`: "reason",
		`{"reason": "x"}`:                                                   "approved",
		`{"approved": "yes"}`:                                               "approved",
		`{"approved": true, "state": "x"}`:                                  "state",
	} {
		a := s.as(t, "platform", http.MethodPut, "/organization/"+s.org+"/approval", body)
		a.want(t, body, http.StatusBadRequest, "")
		if a.fields() != field {
			t.Errorf("%.60s: names %q, want %s", body, a.fields(), field)
		}
	}
	if got := s.audited(t, s.org); got != "" {
		t.Errorf("audited %s", got)
	}
}

// An organization that is public only through another organization's events at its venue is
// published again when the other one is approved.
func TestApprovalConcernsTheOwnersOfUsedVenues(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, _, event := s.found(t, "stranger")
	venue := newUUID()
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Halle')", venue, s.foreign)
	s.exec(t, "UPDATE event_date SET venue_uuid = $2 WHERE event_uuid = $1", event, venue)
	host := map[change.Kind]string{change.KindOrganization: s.foreign, change.KindVenue: venue, change.KindEvent: event}
	if got := s.public(t, host); got != "venue" {
		t.Errorf("waiting, these are public: %s", got)
	}
	s.enqueued(t)
	s.as(t, "platform", http.MethodPut, "/organization/"+org+"/approval", `{"approved": true}`).want(t, "approve", ok, "")
	if got := s.enqueued(t); !strings.Contains(got, "organization "+s.foreign) {
		t.Errorf("enqueued %s, not %s", got, s.foreign)
	}
	if got := s.public(t, host); got != "organization venue event" {
		t.Errorf("approved, these are public: %s", got)
	}
}

// An event that is written while its organization is approved is enqueued by one of the two: the
// approval waits for the write.
func TestApprovalWaitsForAWriteUnderWay(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, _, _ := s.found(t, "stranger")
	s.enqueued(t)
	tx, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if err := store.LockRow(t.Context(), tx, rules.KindOrganization, store.ForReference, org); err != nil {
		t.Fatal(err)
	}
	id := newUUID()
	if _, err := tx.Exec(t.Context(), insertDraft, id, org, "Late", "released", nil); err != nil {
		t.Fatal(err)
	}
	answered := make(chan answer, 1)
	go func() {
		answered <- s.as(t, "platform", http.MethodPut, "/organization/"+org+"/approval", `{"approved": true}`)
	}()
	s.awaitLock(t)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	(<-answered).want(t, "approve", ok, "")
	if got := s.enqueued(t); !strings.Contains(got, "event "+id) {
		t.Errorf("enqueued %s, not %s", got, id)
	}
}
