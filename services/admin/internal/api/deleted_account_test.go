package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
)

// TestAccountsAreDeletedInTheMiddle: a write of an account that is deleted while it runs is refused
// as a later one is, and is no failure of the server.
func TestAccountsAreDeletedInTheMiddle(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	writes := map[string]func(who string) answer{
		"ask": func(who string) answer { return s.ask(t, who, event, venue) },
		"preview": func(who string) answer {
			return s.as(t, who, http.MethodPost, "/event/"+event+"/preview-link", "")
		},
		"found": func(who string) answer {
			return s.as(t, who, http.MethodPut, "/organization", `{"name": "Nachlass"}`)
		},
		"edit": func(who string) answer {
			return s.as(t, who, http.MethodPatch, "/event/"+event, `{"title": "Neu"}`)
		},
	}
	for name, write := range writes {
		who := "leaver-" + name
		s.join(t, who, s.org, permission.EditEvent|permission.ReleaseEvent)
		s.deleteDuring(t, s.people[who].id, func() {
			a := write(who)
			if a.status >= http.StatusInternalServerError || a.status == http.StatusUnauthorized && a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		})
		write(who).want(t, name+" afterwards", http.StatusUnauthorized, "")
	}
}

// deleteDuring commits the deletion of an account once a write waits for it.
func (s *stage) deleteDuring(t *testing.T, id int, write func()) {
	t.Helper()
	tx, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	for _, rows := range []string{"session WHERE user_id = $1", "membership WHERE user_id = $1", "app_user WHERE id = $1"} {
		if _, err := tx.Exec(t.Context(), "DELETE FROM "+rows, id); err != nil {
			t.Error(err)
			return
		}
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		write()
	}()
	for waits := false; !waits; {
		select {
		case <-answered: // it needs no row of the account
			waits = true
		case <-time.After(10 * time.Millisecond):
			waits = s.waits(t)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Error(err)
	}
	<-answered
}

// waits reports whether a transaction of the stage's database waits for a lock.
func (s *stage) waits(t *testing.T) (waits bool) {
	t.Helper()
	const query = `
SELECT EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
)`
	if err := s.db.Pool().QueryRow(t.Context(), query).Scan(&waits); err != nil {
		t.Fatal(err)
	}
	return waits
}
