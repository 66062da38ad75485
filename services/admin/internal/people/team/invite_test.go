package team_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
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

// TestMailedInvitationsNameTheRole: in the language of the mail; single permissions have no name.
func TestMailedInvitationsNameTheRole(t *testing.T) {
	t.Parallel()
	for offered, named := range map[permission.Set]bool{viewer: true, viewer | permission.AddEvent: false} {
		w := newWorld(t)
		_, err := w.Invite(w.as(t, "owner"), w.org, team.NewInvitation{Email: "newcomer@example.org", Permissions: offered, Locale: "de"})
		want(t, "invite", err, "")
		mails := w.receive(t)
		if len(mails) != 1 || strings.Contains(mails[0].Text, "Ihre Rolle: Betrachter.") != named ||
			strings.Contains(mails[0].HTML, "Ihre Rolle: Betrachter.") != named {
			t.Errorf("an invitation with %s is mailed as %v", offered, mails)
		}
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

// TestInvitingIsLimited: by sender and by organization, so that neither founding organizations nor
// further members nor new accounts circumvent the limits.
func TestInvitingIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := *w
	other.Service = team.New(w.Options) // of another process
	sent := 0
	invite := func(w *world, who, org string) error {
		sent++
		_, err := w.Invite(w.as(t, who), org, team.NewInvitation{Email: fmt.Sprintf("guest%d@example.org", sent), Permissions: viewer})
		return err
	}
	invites := func(what string, count int, who, org string) {
		t.Helper()
		for range count {
			want(t, what, invite(w, who, org), "")
		}
	}
	_, err := w.Invite(w.as(t, "manager"), w.org, team.NewInvitation{Email: ulla, Permissions: permission.All})
	want(t, "beyond their permissions, which does not count", err, "permission_beyond_own")
	invites("the first", 5, "owner", w.org)
	err = invite(&other, "owner", w.org)
	want(t, "before one was accepted", err, "first_invitations")
	if got := fault.Of(err).RetryAfter; got != 24*time.Hour {
		t.Errorf("retry after %s", got)
	}
	w.users["again"] = authtest.User(t, w.db, "owner+again@example.org")
	authtest.Member(t, w.db, w.org, w.users["again"], permission.All)
	want(t, "with another account of the same mailbox", invite(w, "again", w.org), "first_invitations")
	const accept = `UPDATE invitation SET accepted_at = created_at, accepted_by = $1 WHERE accepted_at IS NULL`
	w.exec(t, accept, w.users["ulla"])

	another := authtest.Organization(t, w.db, "Buy now")
	authtest.Member(t, w.db, another, w.users["owner"], permission.All)
	invites("once one is accepted", 10, "owner", w.org)
	invites("in another organization", 5, "owner", another)
	want(t, "the sender's 21st in an hour", invite(&other, "owner", another), "too_many_invitations")
	invites("by another member", 5, "manager", w.org)
	w.exec(t, accept, w.users["ulla"])
	want(t, "the organization's 21st in an hour", invite(w, "manager", w.org), "too_many_invitations")
	for range 4 {
		w.clock.Move(time.Hour)
		invites("an hour later", 20, "owner", w.org)
	}
	w.clock.Move(time.Hour)
	err = invite(&other, "owner", another)
	want(t, "the sender's 101st in a day", err, "too_many_invitations")
	if got := fault.Of(err).RetryAfter; got != 19*time.Hour {
		t.Errorf("retry after %s", got)
	}
	want(t, "the organization's 101st in a day", invite(w, "manager", w.org), "too_many_invitations")
	w.clock.Move(19 * time.Hour)
	invites("a day later", 1, "owner", another)
}

// TestMailsToOneAddressAreLimited: a refused mail does not count.
func TestMailsToOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	invite := func(who string) error {
		_, err := w.Invite(w.as(t, who), w.org, team.NewInvitation{Email: ulla, Permissions: viewer})
		return err
	}
	for _, who := range []string{"owner", "manager", "owner", "manager", "owner"} {
		want(t, who, invite(who), "")
	}
	for range 3 {
		want(t, "a sixth mail to one address", invite("manager"), "too_many_attempts")
	}
	var counted int
	w.one(t, &counted, "SELECT count(*) FROM attempt WHERE action = 'invite_person'")
	if counted != 10 { // five, each by account and by mailbox
		t.Errorf("%d invitations are counted", counted)
	}
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
