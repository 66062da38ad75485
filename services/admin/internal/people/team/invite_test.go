package team_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/paging"
)

// TestInvitationsEndWithTheirInviter: a member who is about to lose permissions cannot keep them by
// inviting another address of theirs, not even with an invitation to no permission at all.
func TestInvitationsEndWithTheirInviter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		offer permission.Set
		lose  func(t *testing.T, w *world)
	}{
		{"removed, an offer of nothing", 0,
			func(t *testing.T, w *world) { want(t, "remove", w.leave(t, "owner", "manager"), "") }},
		{"left", viewer,
			func(t *testing.T, w *world) { want(t, "leave", w.leave(t, "manager", "manager"), "") }},
		{"demoted", editor,
			func(t *testing.T, w *world) { want(t, "demote", w.set(t, "owner", "manager", viewer), "") }},
		{"deactivated", viewer, func(t *testing.T, w *world) {
			w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["manager"])
		}},
		{"no longer a platform administrator", viewer, func(t *testing.T, w *world) {
			w.exec(t, "DELETE FROM membership WHERE user_id = $1", w.users["manager"])
			w.exec(t, "UPDATE app_user SET is_platform_admin = false WHERE id = $1", w.users["manager"])
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", w.users["manager"])
			_, token := w.invite(t, "manager", test.offer)
			if got := w.waiting(t); got != 1 {
				t.Errorf("%d invitations before", got)
			}
			test.lose(t, w)
			if got := w.waiting(t); got != 0 {
				t.Errorf("%d invitations afterwards", got)
			}
			_, err := w.Accept(w.as(t, "ulla"), token)
			want(t, "accept", err, "token_invalid")
			list, err := w.List(w.as(t, "owner"), w.org, paging.Page{Limit: 10})
			if err != nil || list.InvitationCount != 0 && !list.Invitations[0].Expired {
				t.Errorf("the team lists it as open: %+v, %v", list, err)
			}
			_, token = w.invite(t, "owner", viewer)
			_, err = w.Accept(w.as(t, "ulla"), token)
			want(t, "invited by another member", err, "")
		})
	}
}

// waiting returns how many invitations Ulla can see.
func (w *world) waiting(t *testing.T) int {
	t.Helper()
	list, err := w.Waiting(w.as(t, "ulla"), paging.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return list.TotalCount
}

// TestInvitationOfADeactivatedInviterIsNotMailed: it was still in the queue when they were
// deactivated.
func TestInvitationOfADeactivatedInviterIsNotMailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Invite(w.as(t, "manager"), w.org, team.NewInvitation{Email: ulla, Permissions: viewer})
	want(t, "invite", err, "")
	w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["manager"])
	if mails := w.receive(t); len(mails) != 0 {
		t.Errorf("mails %v", mails)
	}
}

// TestMailedInvitationExpiresCountedFromItsMail: not from when it was queued.
func TestMailedInvitationExpiresCountedFromItsMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Invite(w.as(t, "owner"), w.org, team.NewInvitation{Email: ulla, Permissions: viewer})
	want(t, "invite", err, "")
	w.clock.Move(6 * 24 * time.Hour)
	if mails := w.receive(t); len(mails) != 1 {
		t.Fatalf("mails %v", mails)
	}
	w.clock.Move(6 * 24 * time.Hour)
	if got := w.waiting(t); got != 1 {
		t.Errorf("%d invitations after 6 days", got)
	}
	w.clock.Move(25 * time.Hour)
	if got := w.waiting(t); got != 0 {
		t.Errorf("%d invitations after 7 days", got)
	}
}

// TestAcceptedAndRevokedAtOnce: one of the two succeeds, and the rows agree with the results.
func TestAcceptedAndRevokedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		id, token := w.invite(t, "owner", viewer)
		asUlla, asManager := w.as(t, "ulla"), w.as(t, "manager")
		errs := atOnce(
			func() error { _, err := w.Accept(asUlla, token); return err },
			func() error { return w.Remove(asManager, w.org, id, everything, "") },
		)
		accepted, revoked := errs[0] == nil, errs[1] == nil
		if accepted == revoked {
			t.Errorf("accepted: %v, revoked: %v", errs[0], errs[1])
		}
		if accepted {
			want(t, "revoke", errs[1], "member_not_found")
		} else {
			want(t, "accept", errs[0], "token_invalid")
		}
		var members, open int
		w.one(t, &members, "SELECT count(*) FROM membership WHERE user_id = $1", w.users["ulla"])
		w.one(t, &open, "SELECT count(*) FROM invitation WHERE accepted_at IS NULL AND revoked_at IS NULL")
		if (members == 1) != accepted || open != 0 {
			t.Errorf("accepted %t, but %d members and %d open invitations", accepted, members, open)
		}
		w.exec(t, "DELETE FROM membership WHERE user_id = $1", w.users["ulla"])
		w.exec(t, "DELETE FROM attempt")
	}
}

// TestInvitingIsLimited: founding organizations does not circumvent the limit of one user.
func TestInvitingIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const earlier = `
INSERT INTO attempt (action, account, at, pending)
SELECT 'inviting', $1, $2, false
FROM generate_series(1, 199)`
	owner := w.users["owner"]
	w.exec(t, earlier, auth.Digest(strconv.Itoa(owner)), w.clock.Now().Add(-time.Hour))
	another := authtest.Organization(t, w.db, "Buy now")
	authtest.Member(t, w.db, another, owner, permission.All)
	invite := func(who, org, email string) error {
		_, err := w.Invite(w.as(t, who), org, team.NewInvitation{Email: email, Permissions: viewer})
		return err
	}
	want(t, "beyond their permissions, which does not count",
		func() error {
			_, err := w.Invite(w.as(t, "manager"), w.org, team.NewInvitation{Email: ulla, Permissions: permission.All})
			return err
		}(), "permission_beyond_own")
	want(t, "the last one", invite("owner", w.org, "a@example.org"), "")
	want(t, "in another organization", invite("owner", another, "b@example.org"), "too_many_attempts")
	want(t, "by another member", invite("manager", w.org, "b@example.org"), "")
	for range 4 {
		want(t, "the same address", invite("manager", w.org, "b@example.org"), "")
	}
	want(t, "a sixth mail to one address", invite("manager", w.org, "b@example.org"), "too_many_attempts")
}

// TestPut: the operator's commands give users the role in the organization, replacing a role that
// they already have.
func TestPut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"ulla", "manager", "ulla"} {
		authtest.InTx(t, w.db, func(ctx context.Context, tx pgx.Tx) error {
			return team.Put(ctx, tx, w.clock.Now(), w.org, w.users[name], editor)
		})
	}
	for _, name := range []string{"ulla", "manager"} {
		var role string
		w.one(t, &role, "SELECT role FROM membership WHERE user_id = $1", w.users[name])
		if role != string(permission.Editor) {
			t.Errorf("%s is %s", name, role)
		}
	}
}
