package api_test

import (
	"context"
	"net/http"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
)

// TestLockedEventIsBusy: an edit that waits for another in vain says so, and can be repeated.
func TestLockedEventIsBusy(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.eventOf(t, rules.StatusDraft)
	other, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec(t.Context(), "SELECT FROM event WHERE uuid = $1 FOR UPDATE", event); err != nil {
		t.Fatal(err)
	}
	a := s.as(t, "owner", http.MethodPut, "/event/"+event+"/header", `{"title": "Jazz"}`)
	a.want(t, "meanwhile", http.StatusServiceUnavailable, "busy")
	if a.header.Get("Retry-After") != "1" || a.body["retry_after"] != 1.0 {
		t.Errorf("no time to wait: %v, %s", a.header, a.raw)
	}
	if err := other.Rollback(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/header", `{"title": "Jazz"}`).want(t, "again", ok, "")
}
