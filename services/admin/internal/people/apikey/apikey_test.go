package apikey_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// world is a database with an organization.
type world struct {
	db    *postgres.DB
	clock *authtest.Clock
	stack authtest.Stack
	org   string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	w := &world{db: db, clock: clock, stack: authtest.NewStack(t, db, clock)}
	w.org = authtest.Organization(t, db, "Kulturhaus")
	return w
}

// member makes a user who is a member of the organization.
func (w *world) member(t *testing.T, email string, set permission.Set) int {
	t.Helper()
	id := authtest.User(t, w.db, email)
	authtest.Member(t, w.db, w.org, id, set)
	return id
}

// as returns the context of a request of a user with a session.
func as(t *testing.T, userID int) context.Context {
	t.Helper()
	return auth.WithPrincipal(t.Context(), auth.Principal{UserID: userID, SessionID: "s"})
}

func (w *world) create(t *testing.T, userID int, org string, asked apikey.NewKey) (key adminapi.APIKey, text string) {
	t.Helper()
	key, text, err := w.stack.APIKeys.Create(as(t, userID), org, asked)
	if err != nil {
		t.Fatal(err)
	}
	return key, text
}

func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.db.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func TestCreateForOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := map[string]permission.Set{}
	for _, preset := range permission.Presets {
		all[string(preset.Role)] = preset.Set
	}
	manager := w.member(t, "manager@example.org", all["manager"])
	editor := w.member(t, "editor@example.org", all["editor"])
	clerk := w.member(t, "clerk@example.org", permission.ManagePermissions|permission.AddEvent)
	stranger := authtest.User(t, w.db, "stranger@example.org")
	for _, test := range []struct {
		name string
		who  int
		set  permission.Set
		code string
	}{
		{"within", manager, all["manager"], ""},
		{"beyond", manager, all["owner"], "permission_beyond_own"},
		{"beyond, managing permissions alone", clerk, all["manager"], "permission_beyond_own"},
		{"without the right", editor, 0, "permission_missing"},
		{"a stranger", stranger, 0, "organization_not_found"},
	} {
		_, _, err := w.stack.APIKeys.Create(as(t, test.who), w.org, apikey.NewKey{Name: "x", Permissions: test.set})
		if got := code(err); got != test.code {
			t.Errorf("%s: %v, want %q", test.name, err, test.code)
		}
	}
	key := auth.WithPrincipal(t.Context(), auth.Principal{UserID: manager, APIKey: "k", KeyLimit: permission.All})
	for _, org := range []string{w.org, ""} {
		if _, _, err := w.stack.APIKeys.Create(key, org, apikey.NewKey{Name: "x"}); code(err) != "login_required" {
			t.Errorf("with a key, organization %q: %v", org, err)
		}
	}
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return fault.Of(err).StableCode()
}

// TestAtMostFiftyKeys: also when they are made at once. Revoked keys do not count.
func TestAtMostFiftyKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, bert := w.member(t, "anna@example.org", permission.All), w.member(t, "bert@example.org", permission.All)
	for _, org := range []string{"", w.org} {
		for n := range 48 {
			w.create(t, anna, org, apikey.NewKey{Name: fmt.Sprint(n)})
		}
		var group sync.WaitGroup
		errs := make([]error, 5)
		for i := range errs {
			group.Go(func() {
				_, _, errs[i] = w.stack.APIKeys.Create(as(t, anna), org, apikey.NewKey{Name: "x"})
			})
		}
		group.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
			} else if code(err) != "too_many_api_keys" {
				t.Error(err)
			}
		}
		list, err := w.stack.APIKeys.List(as(t, anna), org, paging.Page{Limit: 1})
		if err != nil || made != 2 || list.TotalCount != 50 {
			t.Fatalf("organization %q: %d made, %d listed, %v", org, made, list.TotalCount, err)
		}
		if err := w.stack.APIKeys.Revoke(as(t, anna), org, list.APIKeys[0].UUID); err != nil {
			t.Fatal(err)
		}
		w.create(t, anna, org, apikey.NewKey{Name: "in place of the revoked one"})
	}
	w.create(t, bert, "", apikey.NewKey{Name: "of another user"})
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, bert := w.member(t, "anna@example.org", permission.All), w.member(t, "bert@example.org", permission.ManagePermissions)
	other := authtest.Organization(t, w.db, "Jazzclub")
	authtest.Member(t, w.db, other, bert, permission.All)
	personal, _ := w.create(t, anna, "", apikey.NewKey{Name: "personal"})
	shared, text := w.create(t, anna, w.org, apikey.NewKey{Name: "shared", Permissions: permission.All})
	for name, err := range map[string]error{
		"another user's":                 w.stack.APIKeys.Revoke(as(t, bert), "", personal.UUID),
		"another organization's":         w.stack.APIKeys.Revoke(as(t, bert), other, shared.UUID),
		"personal as the organization's": w.stack.APIKeys.Revoke(as(t, anna), w.org, personal.UUID),
	} {
		if code(err) != "api_key_not_found" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.stack.APIKeys.Revoke(as(t, bert), w.org, shared.UUID); err != nil {
		t.Errorf("with more permissions than the caller's: %v", err)
	}
	if _, err := w.stack.APIKeys.Authenticate(t.Context(), text); code(err) != "api_key_invalid" {
		t.Errorf("authenticate with a revoked key: %v", err)
	}
	if err := w.stack.APIKeys.Revoke(as(t, anna), w.org, shared.UUID); code(err) != "api_key_not_found" {
		t.Errorf("again: %v", err)
	}
}

func TestRevokePersonal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, bert := w.member(t, "anna@example.org", permission.All), w.member(t, "bert@example.org", permission.All)
	for range 2 {
		w.create(t, anna, "", apikey.NewKey{Name: "personal"})
	}
	_, kept := w.create(t, bert, "", apikey.NewKey{Name: "another user's"})
	_, shared := w.create(t, anna, w.org, apikey.NewKey{Name: "the organization's"})
	for _, want := range []int64{2, 0} {
		authtest.InTx(t, w.db, func(ctx context.Context, tx pgx.Tx) error {
			count, err := apikey.RevokePersonal(ctx, tx, anna, w.clock.Now())
			if count != want {
				t.Errorf("%d revoked, want %d", count, want)
			}
			return err
		})
	}
	for _, text := range []string{kept, shared} {
		if _, err := w.stack.APIKeys.Authenticate(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	if list, err := w.stack.APIKeys.List(as(t, anna), "", paging.Page{Limit: 10}); err != nil || list.TotalCount != 0 {
		t.Errorf("listed %d, %v", list.TotalCount, err)
	}
}
