package team_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/paging"
)

// TestDeactivatedOwnerIsNoOwner: an owner who cannot log in does not count as another owner.
func TestDeactivatedOwnerIsNoOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "second", permission.All)
	w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["second"])
	want(t, "leave", w.leave(t, "owner", "owner"), "last_owner")
	want(t, "demote themselves", w.set(t, "owner", "owner", viewer), "last_owner")
	want(t, "remove the other", w.leave(t, "owner", "second"), "")
}

const waitingForLocks = `
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`

// TestOwnerLeavesWhileTheOtherIsDeactivated: leaving waits for the deactivation that has begun, and
// is then refused.
func TestOwnerLeavesWhileTheOtherIsDeactivated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "second", permission.All)
	ctx, left := w.as(t, "owner"), make(chan error, 1)
	authtest.InTx(t, w.db, func(txCtx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(txCtx, "SELECT FROM app_user WHERE id = $1 FOR UPDATE", w.users["second"]); err != nil {
			return err
		}
		go func() { left <- w.Remove(ctx, w.org, w.members["owner"], everything, "") }()
		for waiting := 0; waiting == 0; {
			w.one(t, &waiting, waitingForLocks)
		}
		_, err := tx.Exec(txCtx, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["second"])
		return err
	})
	want(t, "leave", <-left, "last_owner")
}

// TestManagingPermissionsAlone: a member who only manages permissions cannot grant others that they
// lack.
func TestManagingPermissionsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clerk := permission.ManagePermissions | permission.AddEvent
	w.join(t, "clerk", clerk)
	w.join(t, "helper", permission.AddEvent)
	w.join(t, "viewer", viewer)
	for _, test := range []struct {
		whose string
		set   permission.Set
		code  string
	}{
		{"clerk", clerk | permission.ManageTeam, "permission_beyond_own"},
		{"clerk", permission.All, "permission_beyond_own"},
		{"helper", managers, "permission_beyond_own"},
		{"helper", clerk, ""},
		{"viewer", 0, "permission_beyond_own"},
		{"owner", permission.All &^ permission.ManagePermissions, "permission_beyond_own"},
		{"manager", managers &^ permission.AddEvent, "permission_beyond_own"},
	} {
		want(t, test.whose+" to "+test.set.String(), w.set(t, "clerk", test.whose, test.set), test.code)
	}
	want(t, "remove", w.leave(t, "clerk", "helper"), "permission_missing")
	_, err := w.List(w.as(t, "clerk"), w.org, paging.Page{Limit: 1})
	want(t, "list", err, "permission_missing")
}

// TestPlatformAdministratorDoesNotRaiseThemselves: only another member of an organization grants a
// platform administrator the permission to manage its team or permissions.
func TestPlatformAdministratorDoesNotRaiseThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "viewer", viewer)
	w.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", w.users["viewer"])
	want(t, "to the team", w.set(t, "viewer", "viewer", viewer|permission.ManageTeam), "own_permission")
	want(t, "to manager", w.set(t, "viewer", "viewer", managers), "own_permission")
	want(t, "to editor", w.set(t, "viewer", "viewer", editor), "")
}

// TestRightsChangedAtOnce: of two concurrent changes, one is applied to the result of the other.
func TestRightsChangedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "viewer", viewer)
	bits := []permission.Set{permission.AddEvent, permission.EditEvent, permission.AddVenue, permission.EditVenue}
	var changes []func() error
	for i, bit := range bits {
		ctx := w.as(t, []string{"owner", "manager"}[i%2])
		changes = append(changes, func() error {
			_, err := w.SetRights(ctx, w.org, w.members["viewer"], everything,
				func(before permission.Set) permission.Set { return before | bit })
			return err
		})
	}
	for _, err := range atOnce(changes...) {
		want(t, "change", err, "")
	}
	rights, err := w.Rights(w.as(t, "owner"), w.org, w.members["viewer"])
	all := viewer | bits[0] | bits[1] | bits[2] | bits[3]
	if err != nil || permission.Set(rights.Permissions) != all || rights.Version != 5 {
		t.Errorf("%+v, want %s, %v", rights, all, err)
	}
}

// TestAnOwnerStays: of two owners who remove or demote each other or themselves at once, one stays.
func TestAnOwnerStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "second", permission.All)
	remove := func(who, whom string) func() error {
		ctx := w.as(t, who)
		return func() error { return w.Remove(ctx, w.org, w.members[whom], everything, "") }
	}
	demote := func(who, whom string) func() error {
		ctx := w.as(t, who)
		return func() error {
			_, err := w.SetRights(ctx, w.org, w.members[whom], everything,
				func(permission.Set) permission.Set { return viewer })
			return err
		}
	}
	tests := []struct {
		name        string
		left, right func() error
		refused     []string
	}{
		{"both leave", remove("owner", "owner"), remove("second", "second"), []string{"last_owner"}},
		{"both demote themselves", demote("owner", "owner"), demote("second", "second"), []string{"last_owner"}},
		{"each removes the other", remove("owner", "second"), remove("second", "owner"),
			[]string{"organization_not_found"}},
		{"each demotes the other", demote("owner", "second"), demote("second", "owner"),
			[]string{"permission_missing"}},
		{"one leaves, the other demotes themselves", remove("owner", "owner"), demote("second", "second"),
			[]string{"last_owner"}},
		{"one removes the other, who leaves", remove("owner", "second"), remove("second", "second"),
			[]string{"organization_not_found", "member_not_found"}},
		{"one removes the other, who demotes them", remove("owner", "second"), demote("second", "owner"),
			[]string{"organization_not_found", "permission_missing"}},
	}
	for _, test := range tests {
		for range 3 {
			var codes []string
			for _, err := range atOnce(test.left, test.right) {
				codes = append(codes, code(err))
			}
			slices.Sort(codes)
			if codes[0] != "" || !slices.Contains(test.refused, codes[1]) {
				t.Errorf("%s: %q, want success and one of %q", test.name, codes, test.refused)
			}
			var owners int
			w.one(t, &owners, "SELECT count(*) FROM membership WHERE org_uuid = $1 AND role = 'owner'", w.org)
			if owners != 1 {
				t.Fatalf("%s: %d owners are left", test.name, owners)
			}
			w.restoreOwners(t)
		}
	}
}

// restoreOwners makes "owner" and "second" owners again.
func (w *world) restoreOwners(t *testing.T) {
	t.Helper()
	for _, name := range []string{"owner", "second"} {
		const restore = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions)
VALUES ($1, $2, $3, 'owner', $4)
ON CONFLICT (org_uuid, user_id) DO UPDATE
SET role = 'owner', permissions = $4`
		w.exec(t, restore, w.members[name], w.org, w.users[name], int64(permission.All))
	}
}
