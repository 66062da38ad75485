package team_test

import (
	"context"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

const ulla = "ulla@example.org"

var (
	everything  = version.Expected{} // any version
	viewer, _   = permission.Of(permission.Viewer)
	editor, _   = permission.Of(permission.Editor)
	managers, _ = permission.Of(permission.Manager)
)

// world is a team with an owner and a manager, and "ulla", who has an account but is no member.
type world struct {
	*team.Service
	db      *postgres.DB
	clock   *authtest.Clock
	org     string
	users   map[string]int
	members map[string]string // uuids of memberships
	mails   *mail.Worker
	box     []mail.Message
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, _ := storetest.New(t)
	w := &world{db: db, clock: authtest.NewClock(), users: map[string]int{}, members: map[string]string{}}
	w.org = authtest.Organization(t, db, "Kulturhaus")
	w.Service = team.New(team.Options{
		DB: db, Now: w.clock.Now,
		Confirm: func(context.Context, string) error { return nil },
		Link:    func(page, token string) string { return "https://litfass.example/console" + page + "?token=" + token },
		Config:  team.Config{InvitationValid: 7 * 24 * time.Hour},
	})
	var err error
	w.mails, err = mail.NewWorker(mail.WorkerOptions{
		DB: db, Transport: w, Compose: w.Compose, Now: w.clock.Now, Log: slog.New(slog.DiscardHandler),
		Config: mail.Config{From: "Litfass <post@litfass.example>", Attempts: 100}, Metrics: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.join(t, "owner", permission.All)
	w.join(t, "manager", managers)
	w.users["ulla"] = authtest.User(t, db, ulla)
	return w
}

// Send is the mail.Transport of the world.
func (w *world) Send(_ context.Context, message mail.Message) error {
	w.box = append(w.box, message)
	return nil
}

// join makes a user who is a member.
func (w *world) join(t *testing.T, name string, set permission.Set) {
	t.Helper()
	w.users[name] = authtest.User(t, w.db, name+"@example.org")
	w.members[name] = authtest.Member(t, w.db, w.org, w.users[name], set)
}

// as returns the context of a request of a user with a session.
func (w *world) as(t *testing.T, name string) context.Context {
	t.Helper()
	who := auth.Principal{UserID: w.users[name], SessionID: "s", Locale: "en"}
	w.one(t, &who.PlatformAdmin, "SELECT is_platform_admin FROM app_user WHERE id = $1", who.UserID)
	return auth.WithPrincipal(t.Context(), who)
}

func (w *world) one(t *testing.T, into any, query string, args ...any) {
	t.Helper()
	if err := w.db.QueryRow(t.Context(), query, args...).Scan(into); err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.db.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// receive sends the due mails and returns them.
func (w *world) receive(t *testing.T) []mail.Message {
	t.Helper()
	w.box = nil
	if err := w.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w.box
}

// invite invites Ulla and returns the invitation's uuid and the token that is mailed to her.
func (w *world) invite(t *testing.T, who string, set permission.Set) (id, token string) {
	t.Helper()
	invited, err := w.Invite(w.as(t, who), w.org, team.NewInvitation{Email: ulla, Permissions: set})
	if err != nil {
		t.Fatal(err)
	}
	mails := w.receive(t)
	if len(mails) != 1 || mails[0].Recipient != ulla {
		t.Fatalf("mails %+v, want one to %s", mails, ulla)
	}
	link, err := url.Parse(mails[0].Link)
	if err != nil {
		t.Fatal(err)
	}
	return invited.UUID, link.Query().Get("token")
}

func (w *world) leave(t *testing.T, who, whom string) error {
	t.Helper()
	return w.Remove(w.as(t, who), w.org, w.members[whom], everything, "")
}

// set changes the permissions of a member to a set.
func (w *world) set(t *testing.T, who, whom string, set permission.Set) error {
	t.Helper()
	_, err := w.SetRights(w.as(t, who), w.org, w.members[whom], everything,
		func(permission.Set) permission.Set { return set })
	return err
}

// code returns the code of a fault, "" for nil.
func code(err error) string {
	if err == nil {
		return ""
	}
	return fault.Of(err).StableCode()
}

func want(t *testing.T, what string, err error, wanted string) {
	t.Helper()
	if got := code(err); got != wanted {
		t.Errorf("%s: %v, want %q", what, err, wanted)
	}
}

// atOnce runs functions at the same time and returns their errors in order.
func atOnce(functions ...func() error) []error {
	errs := make([]error, len(functions))
	var group sync.WaitGroup
	for i, function := range functions {
		group.Go(func() { errs[i] = function() })
	}
	group.Wait()
	return errs
}
