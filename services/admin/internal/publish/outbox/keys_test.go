package outbox_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

// TestKeys: the stream holds a key exactly as long as it is of use, for each reason that ends it,
// with its tier and its end; and neither its text nor whose it is.
func TestKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	owner, staff := authtest.User(t, w.db, "owner@example.org"), authtest.User(t, w.db, "staff@example.org")
	authtest.Member(t, w.db, w.org, owner, permission.All)
	authtest.Member(t, w.db, w.org, staff, permission.All)
	keys := apikey.New(w.db, time.Now)
	as := func(user int) context.Context {
		return auth.WithPrincipal(t.Context(), auth.Principal{UserID: user, SessionID: "s"})
	}
	makeKey := func(user int, org string, ends *time.Time) (id, hash string) {
		made, text, err := keys.Create(as(user), org, apikey.NewKey{Name: "secret name", ExpiresAt: ends})
		if err != nil {
			t.Fatal(err)
		}
		return made.UUID, hex.EncodeToString(auth.Digest(text))
	}
	before, beforeHash := makeKey(owner, "", nil) // before there is a relay
	w.start(w.stream, time.Now)
	tier := func(hash string) string {
		held, _, err := w.stream.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return held[hash].Tier
	}
	becomes := func(what, hash, want string) {
		t.Helper()
		w.until(what, func() bool { return tier(hash) == want })
	}
	becomes("a key from before the relay is known", beforeHash, "standard")

	end := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	shared, sharedHash := makeKey(staff, w.org, &end)
	becomes("a new key is known", sharedHash, "standard")
	held, _, err := w.stream.Keys(t.Context())
	if err != nil || !held[sharedHash].ExpiresAt.Equal(end) || held[sharedHash].Owner != change.KeyOwner(staff) ||
		held[beforeHash].Owner != change.KeyOwner(owner) {
		t.Errorf("the stream holds %+v, %v", held[sharedHash], err)
	}
	tiers := map[string]int{"standard": 10, "partner": 100}
	if err := keys.SetTier(t.Context(), shared, "partner", tiers); err != nil {
		t.Fatal(err)
	}
	becomes("the tier is another one", sharedHash, "partner")
	for _, step := range []struct{ what, statement, hash, want string }{
		{"its creator left", "DELETE FROM membership WHERE user_id = $1", sharedHash, ""},
		{"its creator is back", `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions)
SELECT '` + newID() + `', '` + w.org + `', $1, 'custom', 1`, sharedHash, "partner"},
		{"its creator is deactivated", "UPDATE app_user SET deactivated_at = now() WHERE id = $1", sharedHash, ""},
		{"its creator is active again", "UPDATE app_user SET deactivated_at = NULL WHERE id = $1", sharedHash, "partner"},
		{"its creator was never activated", "UPDATE app_user SET activated_at = NULL WHERE id = $1", sharedHash, ""},
		{"its creator is activated", "UPDATE app_user SET activated_at = now() WHERE id = $1", sharedHash, "partner"},
	} {
		w.exec(step.statement, staff)
		becomes(step.what, step.hash, step.want)
	}
	if err := w.db.InTx(t.Context(), func(tx pgx.Tx) error { return apikey.Forget(t.Context(), tx, staff, time.Now()) }); err != nil {
		t.Fatal(err)
	}
	becomes("its creator's account is deleted", sharedHash, "")
	if err := keys.Revoke(as(owner), "", before); err != nil {
		t.Fatal(err)
	}
	becomes("it is revoked", beforeHash, "")
	w.untilEmpty()
	if _, known := w.held(change.KindKey, beforeHash); known {
		t.Error("the catalogue's stream holds a key")
	}
}

// TestKeysAreRenewed: a new leader publishes the keys that a process without keys has left out.
func TestKeysAreRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	user := authtest.User(t, w.db, "owner@example.org")
	made, text, err := apikey.New(w.db, time.Now).Create(
		auth.WithPrincipal(t.Context(), auth.Principal{UserID: user, SessionID: "s"}), "", apikey.NewKey{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	w.exec("DELETE FROM outbox")
	holds := func(want string) func() bool {
		return func() bool {
			held, _, err := w.stream.Keys(t.Context())
			return err == nil && held[hex.EncodeToString(auth.Digest(text))].Tier == want
		}
	}
	_, stop := w.start(w.stream, time.Now)
	w.until("the key is published", holds("standard"))
	stop()
	w.exec("UPDATE api_key SET revoked_at = now() WHERE uuid = $1", made.UUID)
	w.exec("DELETE FROM outbox")
	w.start(w.stream, time.Now)
	w.until("its end is published", holds(""))
}
