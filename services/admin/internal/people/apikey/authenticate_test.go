package apikey_test

import (
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	limit := permission.EditEvent | permission.AddEvent
	anna := w.member(t, "anna@example.org", limit|permission.ManagePermissions)
	hour := w.clock.Now().Add(time.Hour)
	_, personal := w.create(t, anna, "", apikey.NewKey{Name: "personal", Permissions: limit})
	_, organizations := w.create(t, anna, w.org, apikey.NewKey{Name: "organization's", Permissions: limit})
	_, expired := w.create(t, anna, "", apikey.NewKey{Name: "expired", Permissions: limit, ExpiresAt: &hour})

	authenticate := func(key string) (auth.Principal, error) {
		return w.stack.Authenticator.Authenticate(t.Context(), "Bearer "+key)
	}
	if _, err := authenticate(expired); err != nil {
		t.Errorf("before it expires: %v", err)
	}
	w.clock.Move(time.Hour)
	who, err := authenticate(personal)
	if err != nil || who.UserID != anna || who.KeyLimit != limit || who.LoggedIn() || who.PlatformAdmin || who.KeyOrg != "" {
		t.Errorf("personal key: %+v, %v", who, err)
	}
	who, err = authenticate(organizations)
	if err != nil || who.UserID != 0 || who.KeyOrg != w.org || who.KeyLimit != limit {
		t.Errorf("organization's key: %+v, %v", who, err)
	}
	for name, key := range map[string]string{"expired": expired, "unknown": auth.KeyMark + auth.NewSecret()} {
		if _, err := authenticate(key); fault.Of(err).Code != "api_key_invalid" {
			t.Errorf("%s key: %v", name, err)
		}
	}
	var used, open int
	const count = `
SELECT count(last_used_at), count(*) FILTER (WHERE position($1::bytea IN hash) > 0)
FROM api_key`
	err = w.db.QueryRow(t.Context(), count, []byte(personal)).Scan(&used, &open)
	if err != nil || used != 3 || open != 0 {
		t.Errorf("%d keys have a last use, %d are stored unhashed, %v", used, open, err)
	}
	w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", anna)
	for name, key := range map[string]string{"personal": personal, "organization's": organizations} {
		if _, err := authenticate(key); fault.Of(err).Code != "api_key_invalid" {
			t.Errorf("%s key of a deactivated user: %v", name, err)
		}
	}
	w.exec(t, "UPDATE app_user SET deactivated_at = NULL")
	w.exec(t, "UPDATE api_key SET revoked_at = now()")
	if _, err := authenticate(organizations); fault.Of(err).Code != "api_key_invalid" {
		t.Errorf("revoked key: %v", err)
	}
}

// TestKeyHasAtMostItsCreatorsPermissions: each time it is used, by the rights that they have then.
func TestKeyHasAtMostItsCreatorsPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	manager, _ := permission.Of(permission.Manager)
	anna := w.member(t, "anna@example.org", manager)
	_, key := w.create(t, anna, w.org, apikey.NewKey{Name: "x", Permissions: manager})
	limit := func() permission.Set {
		who, err := w.stack.APIKeys.Authenticate(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return who.KeyLimit
	}
	if got := limit(); got != manager {
		t.Errorf("at first: %s", got)
	}
	w.exec(t, "UPDATE membership SET role = 'custom', permissions = $2 WHERE user_id = $1", anna, int64(permission.AddEvent))
	if got := limit(); got != permission.AddEvent {
		t.Errorf("after its creator was demoted: %s", got)
	}
	w.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", anna)
	if got := limit(); got != manager {
		t.Errorf("of a platform administrator: %s", got)
	}
	w.exec(t, "UPDATE app_user SET is_platform_admin = false WHERE id = $1", anna)
	w.exec(t, "DELETE FROM membership WHERE user_id = $1", anna)
	if _, err := w.stack.APIKeys.Authenticate(t.Context(), key); fault.Of(err).Code != "api_key_invalid" {
		t.Errorf("after its creator left: %v", err)
	}
	personal := authtest.Key(t, w.db, anna, "", permission.All)
	if who, err := w.stack.APIKeys.Authenticate(t.Context(), personal); err != nil || who.UserID != anna {
		t.Errorf("a personal key of a user who left: %+v, %v", who, err)
	}
}
