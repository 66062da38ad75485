package store_test

import (
	"strings"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

// statuses are the statuses that the schema admits for an event.
const statuses = `
SELECT (regexp_matches(pg_get_constraintdef(oid), '''([a-z]+)''::text', 'g'))[1]
FROM pg_constraint
WHERE conname = 'event_release_status_check'`

// TestPublicIsTheSameInSQL compares the public statuses of the schema and of the program.
func TestPublicIsTheSameInSQL(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	all, err := postgres.Collect[string](t.Context(), db, "statuses", statuses)
	if err != nil {
		t.Fatal(err)
	}
	if want := "draft review released cancelled deferred rescheduled"; strings.Join(all, " ") != want {
		t.Fatalf("the schema admits %v, want %s", all, want)
	}
	const public = "SELECT event_status_is_public($1), event_is_public($1, false), event_is_public($1, true)"
	for _, status := range all {
		var byStatus, now, scheduled bool
		if err := db.QueryRow(t.Context(), public, status).Scan(&byStatus, &now, &scheduled); err != nil {
			t.Fatal(err)
		}
		want := rules.PublicStatus(status)
		if byStatus != want || now != want || scheduled {
			t.Errorf("%s: public is %v, now %v, before its release date %v; in Go %v", status, byStatus, now, scheduled, want)
		}
	}
}
