package editing

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// auditor counts the entries of the audit.
type auditor struct{ database *pgx.Conn }

func newAuditor(t *testing.T, database string) *auditor {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return &auditor{conn}
}

func (a *auditor) count(t *testing.T) (entries int) {
	t.Helper()
	if err := a.database.QueryRow(t.Context(), `SELECT count(*) FROM audit_entry`).Scan(&entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// check returns an error unless a request that has changed something is audited, and no other one.
func (a *auditor) check(t *testing.T, before int, changed bool) error {
	t.Helper()
	after := a.count(t)
	if changed == (after > before) {
		return nil
	}
	return fmt.Errorf("it is %t that something changed, and there are %d audit entries, before it were %d", changed, after, before)
}
