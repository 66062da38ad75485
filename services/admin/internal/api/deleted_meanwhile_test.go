package api_test

import (
	"context"
	"fmt"
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
		rows := []string{"session WHERE user_id = $1", "membership WHERE user_id = $1", "app_user WHERE id = $1"}
		s.deleteDuring(t, s.people[who].id, rows, func() {
			a := write(who)
			if a.status >= http.StatusInternalServerError || a.status == http.StatusUnauthorized && a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		})
		write(who).want(t, name+" afterwards", http.StatusUnauthorized, "")
	}
}

// TestEntitiesAreDeletedInTheMiddle: a write about an entity that is deleted while it runs is
// refused as a later one is.
func TestEntitiesAreDeletedInTheMiddle(t *testing.T) {
	t.Parallel()
	s, _, _ := asked(t)
	event := func() string { return s.event(t, s.org, "Konzert", "draft", nil, 5) }
	venue := func() string {
		id := s.venue(t, s.foreign)
		s.exec(t, "UPDATE venue SET use = 'ask' WHERE uuid = $1", id)
		return id
	}
	other, stays := event(), venue()
	post := func(path string) func(string) answer {
		return func(id string) answer { return s.as(t, "owner", http.MethodPost, fmt.Sprintf(path, id), "") }
	}
	for name, c := range map[string]struct {
		made  string
		table string
		write func(id string) answer
	}{
		"ask for a venue":  {venue(), "venue", func(id string) answer { return s.ask(t, "owner", other, id) }},
		"ask for an event": {event(), "event", func(id string) answer { return s.ask(t, "owner", id, stays) }},
		"preview":          {event(), "event", post("/event/%s/preview-link")},
		"duplicate":        {event(), "event", post("/event/%s/duplicate")},
		"presence": {event(), "event", func(id string) answer {
			return s.as(t, "owner", http.MethodGet, "/event/"+id+"/presence?open=true", "")
		}},
		"edit": {event(), "event", func(id string) answer { return s.patch(t, "owner", id, `{"title": "Neu"}`) }},
		"a key of organization": {s.verein(t), "organization", func(id string) answer {
			return s.as(t, "owner", http.MethodPost, "/organization/"+id+"/api-keys", readers)
		}},
		"an event of organization": {s.verein(t), "organization", func(id string) answer {
			return s.as(t, "owner", http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": "Neu"}`, id))
		}},
		"an import": {s.verein(t), "organization", func(id string) answer {
			const body = `{"content": "Titel;Datum;Was\nJazz;24.12.2026;x\n", "dry_run": false, "mapping": [{"column": "Was", "field": "subtitle"}]}`
			return s.as(t, "owner", http.MethodPost, "/organization/"+id+"/import", body)
		}},
		"a message": {s.verein(t), "organization", func(id string) answer {
			return s.as(t, "stranger", http.MethodPost, "/user/send-message", fmt.Sprintf(`{"context": "organization", "context_id": %q, "subject": "x", "message": "y"}`, id))
		}},
		"an invitation": {s.verein(t), "organization", func(id string) answer {
			return s.as(t, "owner", http.MethodPost, "/organization/"+id+"/team/invite", `{"email": "x@example.org", "role": "viewer"}`)
		}},
	} {
		rows := []string{c.table + " WHERE uuid = $1"}
		if c.table == "organization" {
			rows = append([]string{"membership WHERE org_uuid = $1"}, rows...)
		}
		s.deleteDuring(t, c.made, rows, func() {
			if a := c.write(c.made); a.status >= http.StatusInternalServerError {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		})
		c.write(c.made).want(t, name+" afterwards", http.StatusNotFound, "")
	}
}

func (s *stage) verein(t *testing.T) string {
	t.Helper()
	return fmt.Sprint(s.as(t, "owner", http.MethodPut, "/organization", `{"name": "Verein"}`).body["uuid"])
}

// deleteDuring commits the deletion of rows once a write waits for it.
func (s *stage) deleteDuring(t *testing.T, id any, rows []string, write func()) {
	t.Helper()
	tx, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	for _, from := range rows {
		if _, err := tx.Exec(t.Context(), "DELETE FROM "+from, id); err != nil {
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
