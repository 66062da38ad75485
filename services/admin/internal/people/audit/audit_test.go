package audit_test

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

type person struct {
	Name         string  `json:"name"`
	City         *string `json:"city"`
	PasswordHash string  `json:"password_hash"`
	APIToken     string  `json:"api_token"`
}

func TestRecord(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	flensburg := "Flensburg"
	ctx := auth.WithOrigin(t.Context(), auth.Origin{Address: netip.MustParseAddr("203.0.113.9"), RequestID: "request-1"})
	ctx = auth.WithPrincipal(ctx, auth.Principal{UserID: 7, SessionID: "s"})
	org := authtest.Organization(t, db, "Kulturhaus")
	at := time.Date(2026, 11, 20, 19, 30, 0, 0, time.UTC)
	err := db.InTx(ctx, func(tx pgx.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: at, Action: "user.update", EntityKind: "user", EntityID: "7", OrgUUID: org,
			Before: person{"Anna", nil, "old", "old"}, After: person{"Anna", &flensburg, "new", "new"},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	var actor int
	var address netip.Addr
	var request, before, after, in string
	const read = `
SELECT actor_user_id, address, request_id, before::text, after::text, org_uuid::text
FROM audit_entry
WHERE action = 'user.update' AND at = $1`
	if err := db.Pool().QueryRow(ctx, read, at).Scan(&actor, &address, &request, &before, &after, &in); err != nil {
		t.Fatal(err)
	}
	if actor != 7 || address.String() != "203.0.113.9" || request != "request-1" || in != org {
		t.Errorf("who and from where: %d, %s, %s, %s", actor, address, request, in)
	}
	if before != `{"city": null}` || after != `{"city": "Flensburg"}` {
		t.Errorf("what changed: %s to %s", before, after)
	}
	for _, change := range []string{"UPDATE audit_entry SET action = 'a.b'", "UPDATE audit_entry SET at = now() WHERE false"} {
		if _, err := db.Pool().Exec(ctx, change); err == nil {
			t.Errorf("%s was accepted", change)
		}
	}
}

func TestRecordWithoutChangesOrActor(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{At: time.Now(), Action: "user.create", EntityKind: "user", EntityID: "1"})
	})
	var nulls int
	const read = "SELECT num_nulls(actor_user_id, actor_api_key, org_uuid, address, request_id, before, after) FROM audit_entry"
	if err := db.Pool().QueryRow(t.Context(), read).Scan(&nulls); err != nil || nulls != 7 {
		t.Errorf("%d of 7 are NULL, %v", nulls, err)
	}
}

func TestRecordGoesWithItsWrite(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	err := db.InTx(t.Context(), func(tx pgx.Tx) error {
		return audit.Record(t.Context(), tx, audit.Entry{At: time.Now(), Action: "no verb", EntityKind: "user", EntityID: "1"})
	})
	if err == nil {
		t.Error("an action that is no entity.verb was recorded")
	}
}

// TestEntriesOnlyForget: the address and values can become null, and nothing else can change.
func TestEntriesOnlyForget(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	ctx := auth.WithOrigin(t.Context(), auth.Origin{Address: netip.MustParseAddr("203.0.113.9")})
	authtest.InTx(t, db, func(_ context.Context, tx pgx.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			At: time.Now(), Action: "user.update", EntityKind: "user", EntityID: "1",
			After: map[string]string{"city": "Flensburg", "name": "Anna"},
		})
	})
	for change, allowed := range map[string]bool{
		`address = '203.0.113.8'`:                              false,
		`before = '{"city": null}'`:                            false,
		`after = NULL`:                                         false,
		`after = '{"city": null}'`:                             false,
		`after = '{"city": "Kiel", "name": "Anna"}'`:           false,
		`after = '{"city": null, "name": null, "more": null}'`: false,
		`request_id = 'r'`:                                     false,
		`actor_user_id = 1`:                                    false,
		`after = '{"city": "Flensburg", "name": null}'`:        true,
		`address = NULL, after = '{"city": null, "name": null}', before = before`: true,
	} {
		tx, err := db.Pool().Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = tx.Exec(t.Context(), "UPDATE audit_entry SET "+change)
		if (err == nil) != allowed {
			t.Errorf("%s: %v", change, err)
		}
		_ = tx.Rollback(t.Context())
	}
}
