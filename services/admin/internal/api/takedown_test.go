package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/auth/authtest"
)

const takeBack = `
UPDATE event
SET taken_back_at = $2, taken_back_reason = 'Spam'
WHERE uuid = $1`

// takenBack makes an event that could be released, and is taken back.
func (s *stage) takenBack(t *testing.T, org string) string {
	t.Helper()
	event := s.event(t, org, "Betrug", "draft", nil, 5)
	s.exec(t, sceneOnline, event)
	s.exec(t, takeBack, event, s.clock.Now())
	return event
}

// A public event that is taken back is not public in the same moment, its team learns why, and it
// stays a draft until an administrator lifts that and the team releases it.
func TestAnEventIsTakenBack(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "released", nil, 5)
	s.exec(t, sceneOnline, event)
	ids := map[change.Kind]string{change.KindOrganization: s.org, change.KindVenue: s.venue(t, s.foreign), change.KindEvent: event}
	path := "/event/" + event + "/takedown"
	a := s.as(t, "platform", http.MethodPut, path, `{"reason": " It does\r\nnot take place. "}`)
	a.want(t, "take back", ok, "")
	a.wantKeys(t, "take back", "message uuid release_status taken_back")
	haveKeys(t, "taken back", a.body["taken_back"], "reason at")
	if got := s.public(t, ids); got != "venue" {
		t.Errorf("public are %s", got)
	}
	if got := s.enqueued(t); got != "organization "+s.org+" event "+event {
		t.Errorf("enqueued %s", got)
	}
	if got := s.posted(t); got != "contributor@example.org: Konzert was taken down; editor@example.org: Konzert was taken down; "+
		"manager@example.org: Konzert was taken down; owner@example.org: Konzert was taken down" {
		t.Errorf("mailed %s", got)
	}
	if !strings.Contains(s.box.mails[0].Text, "It does not take place.") {
		t.Errorf("the mail is %s", s.box.mails[0].Text)
	}
	s.wantLinks(t, "/event/"+event)
	if m := s.as(t, "editor", http.MethodGet, "/user/messages", "").first(t, "messages"); m["message"] != "It does\nnot take place." {
		t.Errorf("the message is %v", m)
	}
	shown := s.as(t, "viewer", http.MethodGet, "/event/"+event, "")
	taken, _ := shown.body["taken_back"].(map[string]any)
	if shown.body["release_status"] != "draft" || taken["reason"] != "It does\nnot take place." || shown.header.Get("ETag") != a.header.Get("ETag") {
		t.Errorf("the event is %s", shown.raw)
	}
	s.wantHistory(t, event)

	again := s.as(t, "platform", http.MethodPut, path, `{"reason": "It does\nnot take place."}`)
	if again.want(t, "again", ok, ""); again.header.Get("ETag") != a.header.Get("ETag") || s.posted(t) != "" {
		t.Errorf("taken back again: %v", again.header)
	}
	s.wantLifted(t, event, ids)
}

// wantHistory checks that the managers of the organization read the reason in its audit.
func (s *stage) wantHistory(t *testing.T, event string) {
	t.Helper()
	if got := s.audited(t, s.org); got != "event.update event.takedown" {
		t.Errorf("audited %s", got)
	}
	entry := s.as(t, "manager", http.MethodGet, "/organization/"+s.org+"/audit?action=event.takedown", "").first(t, "entries")
	after, _ := entry["after"].(map[string]any)
	taken, _ := after["taken_back"].(map[string]any)
	if entry["entity_id"] != event || taken["reason"] != "It does\nnot take place." {
		t.Errorf("the entry is %v", entry)
	}
}

// wantLifted lifts a takedown and releases the event.
func (s *stage) wantLifted(t *testing.T, event string, ids map[change.Kind]string) {
	t.Helper()
	const release = `{"release_status": "released"}`
	path := "/event/" + event + "/release-status"
	a := s.as(t, "owner", http.MethodPut, path, release)
	a.want(t, "release", http.StatusConflict, "event_taken_back")
	if a.fields() != "release_status" {
		t.Errorf("names %q", a.fields())
	}
	for range 2 {
		a = s.as(t, "platform", http.MethodDelete, "/event/"+event+"/takedown", "")
		a.want(t, "lift", ok, "")
		if a.body["taken_back"] != nil || a.body["release_status"] != "draft" {
			t.Errorf("lifted: %s", a.raw)
		}
	}
	if got := s.posted(t); strings.Count(got, "Konzert may be published again") != 4 {
		t.Errorf("mailed %s", got)
	}
	s.wantLinks(t, "/event/"+event)
	if got := s.audited(t, s.org); got != "event.update event.takedown event.takedown_lift" {
		t.Errorf("audited %s", got)
	}
	s.as(t, "editor", http.MethodPut, path, release).want(t, "release after that", ok, "")
	if got := s.public(t, ids); got != "organization venue event" {
		t.Errorf("public are %s", got)
	}
}

// No way leads an event back to the public: not by a date of release, in a bulk, by a duplicate, a
// preview, an import, or past the operations.
func TestNoWayRoundATakedown(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event, free := s.takenBack(t, s.org), s.event(t, s.org, "Other", "draft", nil, 5)
	s.exec(t, sceneOnline, free)
	const code = "event_taken_back"
	for body, status := range map[string]int{
		`{"release_status": "released", "release_date": "2999-01-01T00:00:00Z"}`: http.StatusConflict,
		`{"release_status": "released"}`:                                         http.StatusConflict,
		`{"release_status": "review"}`:                                           ok,
	} {
		a := s.as(t, "owner", http.MethodPut, "/event/"+event+"/release-status", body)
		if a.status != status || status != ok && a.body["code"] != code {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	a := s.as(t, "owner", http.MethodPut, "/events/bulk",
		`{"events": [{"uuid": "`+free+`", "release_status": "released"}, {"uuid": "`+event+`", "release_status": "released"}]}`)
	if a.want(t, "bulk", http.StatusConflict, code); a.fields() != event+".release_status" {
		t.Errorf("bulk names %q", a.fields())
	}
	var status string
	if s.one(t, &status, "SELECT release_status FROM event WHERE uuid = $1", free); status != "draft" {
		t.Errorf("the other event of the bulk is %s", status)
	}
	s.as(t, "owner", http.MethodPost, "/event/"+event+"/duplicate", "").want(t, "duplicate", http.StatusConflict, code)
	s.as(t, "owner", http.MethodPost, "/event/"+event+"/preview-link", "").want(t, "preview", http.StatusConflict, code)
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/header", `{"title": "Corrected"}`).want(t, "correct", ok, "")
	s.wantImportRefused(t, event)
	if _, err := s.db.Pool().Exec(t.Context(), "UPDATE event SET release_status = 'released' WHERE uuid = $1", event); err == nil {
		t.Error("the schema lets a taken back event be public")
	}
}

// wantImportRefused imports an event as released, and as the draft that it is.
func (s *stage) wantImportRefused(t *testing.T, event string) {
	t.Helper()
	stored := s.stored(t, event)
	for status, refused := range map[string]bool{"released": true, "cancelled": true, "draft": false} {
		stored.ReleaseStatus = status
		results, err := editing.NewOperator(s.db).Save(t.Context(), []rules.Entity{stored})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Err; refused != (got != nil) || refused && fault.Of(got).Code != "event_taken_back" {
			t.Errorf("import as %s: %v", status, got)
		}
	}
	if a := s.as(t, "owner", http.MethodGet, "/event/"+event, ""); a.body["taken_back"] == nil {
		t.Errorf("imported as a draft: %s", a.raw)
	}
}

// stored reads an event as it is stored.
func (s *stage) stored(t *testing.T, event string) *rules.Event {
	t.Helper()
	var found *rules.Event
	authtest.InTx(t, s.db, func(ctx context.Context, tx pgx.Tx) error {
		events, err := store.Events.Read(ctx, tx, []string{event})
		found = events[event].Entity
		return err
	})
	return found
}

// A scheduled event that is taken back is not released on its release date, and its preview link
// stops working.
func TestATakedownEndsScheduleAndPreview(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event, _ := s.newEvent(t)
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/release-status",
		`{"release_status": "released", "release_date": "2998-01-01T00:00:00Z"}`).want(t, "schedule", ok, "")
	token, _ := s.previewed(t, "owner", event)
	s.preview(t, token, "").want(t, "preview", ok, "")
	s.as(t, "platform", http.MethodPut, "/event/"+event+"/takedown", `{"reason": "x"}`).want(t, "take back", ok, "")
	var due []string
	authtest.InTx(t, s.db, func(ctx context.Context, tx pgx.Tx) (err error) {
		due, err = store.Release(ctx, tx, []string{event}, time.Date(2999, time.January, 1, 0, 0, 0, 0, time.UTC))
		return err
	})
	var public bool
	s.one(t, &public, "SELECT event_is_public(release_status, release_scheduled) FROM event WHERE uuid = $1", event)
	if len(due) > 0 || public {
		t.Errorf("due %v, public %t", due, public)
	}
	if a := s.preview(t, token, ""); a.status != http.StatusNotFound {
		t.Errorf("the preview shows %s", a.raw)
	}
	s.as(t, "platform", http.MethodDelete, "/event/"+event+"/takedown", "").want(t, "lift", ok, "")
	s.preview(t, token, "").want(t, "preview after that", ok, "")
}

func TestTakedownsAreAskedForRight(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	path := "/event/" + event + "/takedown"
	for body, field := range map[string]string{
		`{}`: "reason", `{"reason": " \n"}`: "reason", `{"reason": "a\u0007"}`: "reason", `{"reason": 1}`: "reason",
		`{"reason": "` + strings.Repeat("ü", 2001) + `"}`: "reason", `{"reason": "x", "until": "x"}`: "until",
	} {
		a := s.as(t, "platform", http.MethodPut, path, body)
		a.want(t, body, http.StatusBadRequest, "")
		if a.fields() != field {
			t.Errorf("%.60s: names %q, want %s", body, a.fields(), field)
		}
	}
	s.as(t, "platform", http.MethodPut, path, `{"reason": "x"}`, "If-Match", `"0"`).want(t, "another version", http.StatusPreconditionFailed, "")
	s.as(t, "platform", http.MethodPut, "/event/"+newUUID()+"/takedown", `{"reason": "x"}`).want(t, "unknown", http.StatusNotFound, "event_not_found")
	for i, reason := range []string{"x", "y"} {
		a := s.as(t, "platform", http.MethodPut, path, fmt.Sprintf(`{"reason": %q}`, reason))
		if taken, _ := a.body["taken_back"].(map[string]any); taken["reason"] != reason || a.header.Get("ETag") != fmt.Sprintf(`"%d"`, i+2) {
			t.Errorf("%s: %s %s", reason, a.header.Get("ETag"), a.raw)
		}
	}
	if a := s.as(t, "owner", http.MethodDelete, path, ""); a.status != http.StatusForbidden {
		t.Errorf("an owner lifts it: %s", a.raw)
	}
}

// A takedown and releases at the same time end with an event that is not public.
func TestATakedownMeetsReleases(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	s.exec(t, sceneOnline, event)
	requests := []func() answer{func() answer {
		return s.as(t, "platform", http.MethodPut, "/event/"+event+"/takedown", `{"reason": "x"}`)
	}}
	for _, who := range []string{"owner", "manager", "editor", "owner", "manager", "editor"} {
		requests = append(requests, func() answer {
			return s.as(t, who, http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`)
		})
	}
	for _, status := range atOnce(requests...) {
		if status != ok && status != http.StatusConflict {
			t.Errorf("answered %d", status)
		}
	}
	if a := s.as(t, "viewer", http.MethodGet, "/event/"+event, ""); a.body["release_status"] != "draft" || a.body["taken_back"] == nil {
		t.Errorf("the event is %s", a.raw)
	}
}
