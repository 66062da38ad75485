package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/people/auth"
)

// previewed makes a link to an event and returns its token and the link.
func (s *stage) previewed(t *testing.T, who, event string) (token, link string) {
	t.Helper()
	a := s.as(t, who, http.MethodPost, "/event/"+event+"/preview-link", "")
	a.want(t, "make a link", http.StatusCreated, "")
	a.wantKeys(t, "make a link", "message uuid url expires_at")
	link, _ = a.body["url"].(string)
	return link[strings.LastIndexByte(link, '/')+1:], link
}

// oftenPreviewed returns an event that has as many links as it may have.
func (s *stage) oftenPreviewed(t *testing.T) string {
	t.Helper()
	event := s.event(t, s.org, "Konzert", "draft", nil)
	s.exec(t, `
INSERT INTO preview_link (hash, event_uuid, created_at, expires_at)
SELECT sha256(n::text::bytea), $1, $2::timestamptz, $2::timestamptz + interval '1 day'
FROM generate_series(1, 20) n`, event, s.clock.Now())
	return event
}

// preview requests the event of a token.
func (s *stage) preview(t *testing.T, token, query string) answer {
	t.Helper()
	return s.send(t, http.MethodGet, "/api/preview/"+token+query, nil)
}

// A link shows a draft as the public detail would, as it is stored now, until it is revoked or
// expires. Only the hash of its token is stored, and no audit entry contains the token.
func TestPreviewShowsADraft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, other := s.event(t, s.org, "Geheimes Konzert", "draft", nil, 5, 3), s.event(t, s.org, "Other", "review", nil)
	s.exec(t, `INSERT INTO event_type (event_uuid, position, type_id, genre_id)
		SELECT $1, 0, type_id, genre_id FROM event_genre WHERE genre_id > 0 ORDER BY type_id, genre_id LIMIT 1`, event)
	token, link := s.previewed(t, "contributor", event)
	if link != "https://litfass.example/preview/"+token || len(token) != 43 {
		t.Errorf("the link is %s", link)
	}
	a := s.preview(t, token, "?lang=de-DE")
	a.want(t, "preview", ok, "")
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer", "Etag": "",
	} {
		if got := a.header.Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	a.wantKeys(t, "preview", "service api_version response_type status timestamp metadata data")
	data, _ := a.body["data"].(map[string]any)
	dates, _ := data["dates"].([]any)
	if a.body["response_type"] != "get-event" || data["title"] != "Geheimes Konzert" || data["release_status"] != "draft" || len(dates) != 2 {
		t.Errorf("the preview is %s", a.raw)
	}
	var name string
	s.one(t, &name, `SELECT names ->> 'de' FROM lookup_item JOIN event_type ON id = type_id::text WHERE lookup = $1`, change.LookupEventTypes)
	types, _ := data["event_types"].([]any)
	if len(types) != 1 || types[0].(map[string]any)["type_name"] != name || types[0].(map[string]any)["genre_name"] == "" {
		t.Errorf("the types are %v, want %s", types, name)
	}
	s.exec(t, "UPDATE event SET title = 'Now another' WHERE uuid = $1", event)
	if a = s.preview(t, token+"/", ""); !strings.Contains(string(a.raw), "Now another") {
		t.Errorf("after an edit: %s", a.raw)
	}
	var stored string
	s.one(t, &stored, `SELECT string_agg(l::text, '') || (SELECT string_agg(a::text, '') FROM audit_entry a) FROM preview_link l`)
	if strings.Contains(stored, token) || strings.Contains(stored, fmt.Sprintf("%x", token)) {
		t.Error("the token is stored")
	}

	second, _ := s.previewed(t, "owner", event)
	otherToken, _ := s.previewed(t, "owner", other)
	a = s.as(t, "editor", http.MethodDelete, "/event/"+event+"/preview-link", "")
	a.want(t, "revoke", ok, "")
	if a.body["revoked"] != float64(2) {
		t.Errorf("revoked %s", a.raw)
	}
	for _, gone := range []string{token, second, "x", auth.NewSecret(), "%00", strings.Repeat("a", 3000), event} {
		a = s.preview(t, gone, "")
		if a.status != http.StatusNotFound || a.body["code"] != "preview_not_found" || a.body["data"] != nil {
			t.Errorf("%.50s shows %d %s", gone, a.status, a.raw)
		}
		if a.header.Get("X-Robots-Tag") != "noindex" || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("headers %v", a.header)
		}
	}
	s.preview(t, otherToken, "").want(t, "another event's link", ok, "")
	s.clock.Move(7*24*time.Hour - time.Second)
	s.preview(t, otherToken, "").want(t, "a link's last second", ok, "")
	s.clock.Move(time.Second)
	if a = s.preview(t, otherToken, ""); a.status != http.StatusNotFound {
		t.Errorf("an expired link shows %s", a.raw)
	}
	if got := s.audited(t, s.org); got != "event.preview event.preview event.preview event.preview_revoke" {
		t.Errorf("audited %s", got)
	}
}

// An event has a limited number of valid links, also when several are made at once; expired ones
// do not count.
func TestPreviewLinksAreLimited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	var requests []func() answer
	for range 25 {
		requests = append(requests, func() answer { return s.as(t, "owner", http.MethodPost, "/event/"+event+"/preview-link", "") })
	}
	statuses := atOnce(requests...)
	if made := slices.Index(statuses, http.StatusConflict); made != 20 {
		t.Errorf("%v", statuses)
	}
	full := s.oftenPreviewed(t)
	s.clock.Move(24 * time.Hour)
	s.people["owner"].access = s.stack.LogIn(t, s.db, s.people["owner"].id).Access
	s.previewed(t, "owner", full)
}

// A link to an event that is deleted meanwhile is not found.
func TestPreviewOfAnEventThatIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	tx, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context()) // committed below
	if _, err := tx.Exec(t.Context(), "DELETE FROM event WHERE uuid = $1", event); err != nil {
		t.Fatal(err)
	}
	answered := make(chan answer, 1)
	go func() { answered <- s.as(t, "owner", http.MethodPost, "/event/"+event+"/preview-link", "") }()
	s.awaitLock(t)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	(<-answered).want(t, "make a link", http.StatusNotFound, "event_not_found")
}
