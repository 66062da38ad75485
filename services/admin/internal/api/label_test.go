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

// labels returns the labels of an event as its members see them, and as it is published.
func (s *stage) labels(t *testing.T, event string) string {
	t.Helper()
	shown := fmt.Sprint(s.as(t, "viewer", http.MethodGet, "/event/"+event, "").body["labels"])
	state, _, _, err := outbox.PublicState(t.Context(), s.db, outbox.Ref{Kind: change.KindEvent, ID: event})
	if err != nil {
		t.Fatal(err)
	}
	if published, public := state.(*change.Event); public && fmt.Sprint(published.Labels) != shown {
		t.Errorf("published are %v, the members see %s", published.Labels, shown)
	}
	return shown
}

// refuses checks that an answer refuses fields.
func (a answer) refuses(t *testing.T, fields string) {
	t.Helper()
	a.want(t, fields, http.StatusBadRequest, "")
	var named []string
	details, _ := a.body["details"].([]any)
	for _, detail := range details {
		named = append(named, fmt.Sprint(detail.(map[string]any)["field"]))
	}
	if got := strings.Join(named, " "); got != fields {
		t.Errorf("refused are the fields %q, want %q", got, fields)
	}
}

func TestOperatorsLabelEvents(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	for _, key := range []string{"tip", "kids"} {
		a := s.as(t, "platform", http.MethodPut, "/label/"+key, `{"names": {"en": " The tip ", "de": "Tipp", "da": " "}}`)
		a.want(t, "add", http.StatusCreated, "")
		if got := fmt.Sprint(a.body["names"]); got != "map[de:Tipp en:The tip]" {
			t.Errorf("the names are %s", got)
		}
	}
	if got := s.enqueued(t); got != "lookup labels lookup labels" {
		t.Errorf("enqueued %s", got)
	}
	again := s.as(t, "platform", http.MethodPut, "/label/tip", `{"names": {"en": "The tip", "de": "Tipp"}}`)
	if again.want(t, "again", ok, ""); s.enqueued(t) != "" || again.header.Get("ETag") != `"1"` {
		t.Errorf("the same label again: %v", again.header)
	}
	s.as(t, "platform", http.MethodPut, "/label/tip", `{"names": {"de": "Tipp", "fr": "x"}}`).refuses(t, "names.en names")
	s.as(t, "platform", http.MethodPut, "/label/Tip of", `{"names": {"en": "x"}}`).refuses(t, "key")
	s.as(t, "platform", http.MethodPut, "/label/tip", `{"names": {"en": "x"}}`, "If-Match", `"7"`).want(t, "stale", http.StatusPreconditionFailed, "stale_label")

	event := s.event(t, s.org, "Konzert", "released", nil, 5)
	s.exec(t, sceneOnline, event)
	path := "/event/" + event + "/labels"
	a := s.as(t, "platform", http.MethodPut, path, `{"labels": ["tip", "Kids", "tip"]}`)
	a.want(t, "label", ok, "")
	if got := s.labels(t, event); got != "[kids tip]" || fmt.Sprint(a.body["labels"]) != got {
		t.Errorf("the event has %s, the answer is %s", got, a.raw)
	}
	if got := s.enqueued(t); !strings.Contains(got, "event "+event) {
		t.Errorf("enqueued %s", got)
	}
	if got := s.audited(t, s.org); got != "event.update" {
		t.Errorf("audited %s", got)
	}
	again = s.as(t, "platform", http.MethodPut, path, `{"labels": ["tip", "kids"]}`)
	if s.enqueued(t) != "" || again.header.Get("ETag") != a.header.Get("ETag") || s.audited(t, s.org) != "event.update" {
		t.Errorf("the same labels again: %v", again.header)
	}
	s.as(t, "platform", http.MethodPut, path, `{"labels": ["kids", "unknown"]}`).refuses(t, "labels[1]")
	s.as(t, "platform", http.MethodPut, path, `{}`).refuses(t, "labels")
	listed := s.as(t, "platform", http.MethodGet, "/labels", "").first(t, "labels")
	if listed["key"] != "kids" || listed["events"] != float64(1) {
		t.Errorf("listed %v", listed)
	}
	s.wantDeletedLabel(t, event)
}

// wantDeletedLabel deletes a label of the event.
func (s *stage) wantDeletedLabel(t *testing.T, event string) {
	t.Helper()
	s.as(t, "platform", http.MethodDelete, "/label/tip", `{"password": "wrong"}`).want(t, "a wrong password", http.StatusForbidden, "wrong_password")
	a := s.as(t, "platform", http.MethodDelete, "/label/tip", `{"password": "`+authtest.Password+`"}`)
	a.want(t, "delete", ok, "")
	if got := s.labels(t, event); got != "[kids]" || a.body["events"] != float64(1) {
		t.Errorf("the event has %s, the answer is %s", got, a.raw)
	}
	if got := s.enqueued(t); got != "lookup labels event "+event {
		t.Errorf("enqueued %s", got)
	}
	var audited string
	s.one(t, &audited, "SELECT string_agg(action || ' ' || entity_id, ', ' ORDER BY id) FROM audit_entry WHERE entity_kind = 'label'")
	if audited != "label.create tip, label.create kids, label.delete tip" {
		t.Errorf("audited %s", audited)
	}
}

// An organizer's edits keep the labels of an event, and can neither give nor take any.
func TestOrganizersKeepLabels(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	s.as(t, "platform", http.MethodPut, "/label/tip", `{"names": {"en": "Tip"}}`).want(t, "add", http.StatusCreated, "")
	content := "Titel;Datum;labels\\n%s;24.12.2026;other\\n"
	imported := func(title string) string {
		body := fmt.Sprintf(`{"content": "`+content+`", "dry_run": false, "mapping": [{"column": "Titel", "field": "title"}, {"column": "Datum", "field": "start_date"}]}`, title)
		s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/import", body).want(t, "import", ok, "")
		var event string
		s.one(t, &event, "SELECT uuid::text FROM event WHERE title = $1", title)
		return event
	}
	event := imported("Konzert")
	if got := s.labels(t, event); got != "[]" {
		t.Errorf("an import gives %s", got)
	}
	s.as(t, "platform", http.MethodPut, "/event/"+event+"/labels", `{"labels": ["tip"]}`).want(t, "label", ok, "")
	for _, edit := range []struct{ method, path, body string }{
		{http.MethodPatch, "", `{"title": "Konzert", "tags": ["x"]}`},
		{http.MethodPut, "/tags", `{"tags": ["y"]}`},
		{http.MethodPut, "/release-status", `{"release_status": "review"}`},
	} {
		s.as(t, "owner", edit.method, "/event/"+event+edit.path, edit.body).want(t, edit.path, ok, "")
	}
	if imported("Konzert") != event || s.labels(t, event) != "[tip]" {
		t.Errorf("edits leave %s", s.labels(t, event))
	}
	for _, body := range []string{`{"labels": []}`, `{"labels": null}`, `{"labels": ["tip"]}`} {
		s.as(t, "owner", http.MethodPatch, "/event/"+event, body).refuses(t, "labels")
		s.as(t, "owner", http.MethodPut, "/event/"+event+"/tags", body).refuses(t, "labels")
		s.as(t, "owner", http.MethodPost, "/event/create", `{"org_uuid": "`+s.org+`", "title": "x", `+body[1:]).refuses(t, "labels")
	}
	for _, who := range []string{"owner", "platform"} {
		copied := s.as(t, who, http.MethodPost, "/event/"+event+"/duplicate", "")
		if copied.want(t, "duplicate", http.StatusCreated, ""); fmt.Sprint(copied.body["labels"]) != "[]" {
			t.Errorf("a duplicate by the %s has %v", who, copied.body["labels"])
		}
	}
}

// An edit of an event and the deletion of its label at once leave no event with a label that is
// gone.
func TestALabelIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	for turn := range 5 {
		key := fmt.Sprintf("tip-%d", turn)
		s.as(t, "platform", http.MethodPut, "/label/"+key, `{"names": {"en": "Tip"}}`).want(t, "add", http.StatusCreated, "")
		event := s.event(t, s.org, "Konzert", "draft", nil, 5)
		atOnce(
			func() answer {
				return s.as(t, "platform", http.MethodPut, "/event/"+event+"/labels", `{"labels": ["`+key+`"]}`)
			},
			func() answer {
				return s.as(t, "platform", http.MethodDelete, "/label/"+key, `{"password": "`+authtest.Password+`"}`)
			},
		)
		if got := s.labels(t, event); got != "[]" {
			t.Errorf("the event has %s", got)
		}
	}
}
