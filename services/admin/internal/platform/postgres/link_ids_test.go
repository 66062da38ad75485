package postgres_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"litfass/migrations"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

const oldLinks = `
INSERT INTO event_link (event_uuid, position, type, url)
SELECT '01900000-0000-7000-8000-00000000000e', n, 'website', 'https://example.org/' || n
FROM generate_series(0, 9) AS n`

const selectLinks = `
SELECT uuid::text
FROM event_link
ORDER BY position`

// TestStoredLinksGetIDs: links from before they had ids get one each, and keep it.
func TestStoredLinksGetIDs(t *testing.T) {
	t.Parallel()
	db, _ := storetest.Empty(t)
	connections := stdlib.OpenDBFromPool(db.Pool())
	t.Cleanup(func() { _ = connections.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, connections, migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 16); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{schemaRows, oldLinks} {
		if _, err := db.Pool().Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids, err := postgres.Collect[string](t.Context(), db, "links", selectLinks)
	if err != nil || len(postgres.Set(ids)) != 10 {
		t.Fatalf("links %v, %v", ids, err)
	}
	for _, id := range ids {
		if _, valid := value.UUIDv7(id); !valid {
			t.Errorf("%s is no UUIDv7", id)
		}
	}
	again, err := postgres.Collect[string](t.Context(), db, "links", selectLinks)
	if err != nil || !slices.Equal(again, ids) {
		t.Errorf("links %v, then %v, %v", ids, again, err)
	}
}
