package auth_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/seal"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

const month = 30 * 24 * time.Hour

func TestRotatedKeysKeepLogins(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	one, two := authtest.NewStack(t, db, clock), authtest.NewStack(t, db, clock) // two nodes
	user := authtest.User(t, db, "anna@example.org")
	before := one.LogIn(t, db, user)

	first, _, err := one.Keys.Signer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kid, err := one.Keys.Rotate(t.Context())
	if err != nil || kid == first {
		t.Fatalf("rotated from %s to %s, %v", first, kid, err)
	}
	after := one.LogIn(t, db, user)
	for name, node := range map[string]authtest.Stack{"the node that rotated": one, "another node": two} {
		for when, grant := range map[string]auth.Grant{"before": before, "after": after} {
			if _, err := node.Authenticator.Authenticate(t.Context(), "Bearer "+grant.Access); err != nil {
				t.Errorf("%s refuses a token of %s: %v", name, when, err)
			}
		}
	}
	stillOld := two.LogIn(t, db, user) // it has not noticed yet
	if _, err := one.Authenticator.Authenticate(t.Context(), "Bearer "+stillOld.Access); err != nil {
		t.Errorf("a token that another node signed with the old key: %v", err)
	}
	clock.Move(2 * time.Minute)
	if now, _, err := two.Keys.Signer(t.Context()); err != nil || now != kid {
		t.Errorf("two minutes later the other node signs with %s, want %s; %v", now, kid, err)
	}
}

func TestManyRotationsAtOnce(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	grant := stack.LogIn(t, db, authtest.User(t, db, "anna@example.org"))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			node := auth.NewKeyring(auth.KeyringOptions{DB: db, Now: clock.Now, Rotation: month, MaxLifetime: month})
			if _, err := node.Rotate(t.Context()); err != nil {
				t.Error(err)
			}
			if _, rotated, err := node.Maintain(t.Context()); err != nil || rotated {
				t.Errorf("a new key was rotated by age: %t, %v", rotated, err)
			}
		})
	}
	wait.Wait()
	clock.Move(time.Minute)
	if _, err := stack.Authenticator.Authenticate(t.Context(), "Bearer "+grant.Access); err != nil {
		t.Errorf("the first key no longer verifies: %v", err)
	}
}

func TestKeysRotateByAgeAndGoWhenTheLastTokenIsOver(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	user := authtest.User(t, db, "anna@example.org")
	clock.Move(month - time.Second)
	if _, rotated, err := stack.Keys.Maintain(t.Context()); err != nil || rotated {
		t.Fatalf("rotated too early: %t, %v", rotated, err)
	}
	last := stack.LogIn(t, db, user)
	first, _, _ := stack.Keys.Signer(t.Context())
	clock.Move(time.Second)
	if _, rotated, err := stack.Keys.Maintain(t.Context()); err != nil || !rotated {
		t.Fatalf("not rotated by age: %t, %v", rotated, err)
	}
	clock.Move(month - 2*time.Second)
	if _, err := stack.Tokens.Parse(t.Context(), auth.RefreshToken, last.Refresh); err != nil {
		t.Fatalf("the last token of the old key, just before it expires: %v", err)
	}
	clock.Move(20 * time.Minute)
	if _, _, err := stack.Keys.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := stack.Keys.Verifier(t.Context(), first); err == nil {
		t.Error("the old key is still there after its last token expired")
	}
}

func TestSealedKeys(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	old, current := seal.Secret(bytes.Repeat([]byte{1}, 32)), seal.Secret(bytes.Repeat([]byte{2}, 32))
	ring := func(secrets ...seal.Secret) *auth.Keyring {
		return auth.NewKeyring(auth.KeyringOptions{
			DB: db, Sealer: seal.New(secrets...), Now: clock.Now, Rotation: month, MaxLifetime: month,
		})
	}
	if _, _, err := ring(old).Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	kid, want, err := ring(old).Signer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var stored int
	const findSeed = `SELECT count(*) FROM signing_key WHERE kid = $1 AND position($2::bytea IN private_key) > 0 OR NOT sealed`
	if err := db.Pool().QueryRow(t.Context(), findSeed, kid, want.Seed()).Scan(&stored); err != nil || stored != 0 {
		t.Errorf("%d keys lie open in the database, %v", stored, err)
	}
	if _, got, err := ring(current, old).Signer(t.Context()); err != nil || !got.Equal(want) {
		t.Errorf("a key sealed with the former secret: %v", err)
	}
	if _, _, err := ring(current).Signer(t.Context()); err == nil || !strings.Contains(err.Error(), "secrets") {
		t.Errorf("without the secret: %v", err)
	}
	if _, _, err := ring().Signer(t.Context()); err == nil {
		t.Error("without any secret the key was opened")
	}
}

func TestSecretIsReadAndNeverShown(t *testing.T) {
	t.Parallel()
	var secret seal.Secret
	good := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	if err := secret.UnmarshalText([]byte(good)); err != nil || len(secret) != 32 {
		t.Fatalf("%d bytes, %v", len(secret), err)
	}
	for _, bad := range []string{"", "short", "c2hvcnQ=", strings.Repeat("hunter2!", 5)} {
		err := new(seal.Secret).UnmarshalText([]byte(bad))
		if err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if secret.String() != "(secret)" {
		t.Error("a secret shows itself")
	}
}
