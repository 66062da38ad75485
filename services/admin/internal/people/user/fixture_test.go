package user_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	anna    = "anna@example.org"
	bert    = "bert@example.org"
	unknown = "unknown@example.org"

	password    = authtest.Password
	newPassword = "staple under the bridge"
)

// node is one admin process.
type node struct {
	*user.Service
	authtest.Stack
	hasher *auth.Hasher
	mails  *mail.Worker
}

// reset is ResetPassword for tests that need only the error.
func (n node) reset(ctx context.Context, token, password string) error {
	_, err := n.ResetPassword(ctx, token, password)
	return err
}

// change is ChangePassword for tests that need only the error.
func (n node) change(ctx context.Context, password, newPassword string) error {
	_, err := n.ChangePassword(ctx, password, newPassword)
	return err
}

// world is a database with two admin processes, a clock, and a mailbox that receives everything.
type world struct {
	db    *postgres.DB
	clock *authtest.Clock
	node
	other node
	box   *mailbox
}

type mailbox struct {
	down  bool
	mails []mail.Message
}

func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	if m.down {
		return errors.New("try again later")
	}
	m.mails = append(m.mails, message)
	return nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, address := storetest.New(t)
	second, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	w := &world{db: db, clock: authtest.NewClock(), box: &mailbox{}}
	w.node, w.other = w.start(t, db, authtest.Params), w.start(t, second, authtest.Params)
	return w
}

func (w *world) start(t *testing.T, db *postgres.DB, params auth.Params) node {
	t.Helper()
	n := node{Stack: authtest.NewStack(t, db, w.clock), hasher: auth.NewHasher(params, 4, 10*time.Second)}
	n.Service = serviceOf(n.Stack, n.hasher, db, w.clock)
	var err error
	n.mails, err = mail.NewWorker(mail.WorkerOptions{
		DB: db, Transport: w.box, Compose: n.Compose, Now: w.clock.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Config: mail.Config{From: "Litfass <post@litfass.example>", Attempts: 100}, Metrics: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// service returns the use cases over other parts than a node has.
func (w *world) service(hasher *auth.Hasher, db *postgres.DB) *user.Service {
	stack := w.Stack
	stack.Limiter = auth.NewLimiter(db, w.clock.Now)
	return serviceOf(stack, hasher, db, w.clock)
}

func serviceOf(stack authtest.Stack, hasher *auth.Hasher, db *postgres.DB, clock *authtest.Clock) *user.Service {
	return user.New(user.Options{
		DB: db, Hasher: hasher, Sessions: stack.Sessions, Limiter: stack.Limiter, Now: clock.Now,
		Config: user.Config{
			AppURL: "https://litfass.example/console", LoginAttempts: 5, LoginWindow: 5 * time.Minute,
			SignupAttempts: 10, SignupWindow: 10 * time.Minute, ActivationValid: 24 * time.Hour, ResetValid: time.Hour,
		},
		Reports: user.PersonalData{Exports: moderation.Exports, Forget: moderation.Forget},
	})
}

func newUser(email, first, last string) user.NewUser {
	return user.NewUser{Email: email, Password: password, FirstName: first, LastName: last, Locale: "da"}
}

// from returns the context of a request from an address.
func from(t *testing.T, address string) context.Context {
	t.Helper()
	return auth.WithOrigin(t.Context(), auth.Origin{
		Address: netip.MustParseAddr(address), UserAgent: "a test", RequestID: "request-1",
	})
}

// as returns the context of a request with an access token.
func (w *world) as(t *testing.T, access string) context.Context {
	t.Helper()
	ctx := from(t, "203.0.113.9")
	who, err := w.Authenticator.Authenticate(ctx, "Bearer "+access)
	if err != nil {
		t.Fatal(err)
	}
	return auth.WithPrincipal(ctx, who)
}

// receive sends the due mails and returns them.
func (w *world) receive(t *testing.T) []mail.Message {
	t.Helper()
	w.box.mails = nil
	if err := w.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w.box.mails
}

// token returns the token of the only mail that arrives, which must lead to the page.
func (w *world) token(t *testing.T, page string) string {
	t.Helper()
	mails := w.receive(t)
	if len(mails) != 1 {
		t.Fatalf("%d mails arrived, want 1", len(mails))
	}
	return tokenOf(t, mails[0], page)
}

func tokenOf(t *testing.T, message mail.Message, page string) string {
	t.Helper()
	if !strings.HasPrefix(message.Link, "https://litfass.example"+page+"?token=") {
		t.Fatalf("the mail leads to %s", message.Link)
	}
	link, err := url.Parse(message.Link)
	if err != nil {
		t.Fatal(err)
	}
	return link.Query().Get("token")
}

// want checks that an error is a fault of the kind and code.
func want(t *testing.T, what string, err error, kind fault.Kind, code string) {
	t.Helper()
	if !fault.Is(err, kind) || fault.Of(err).StableCode() != code {
		t.Errorf("%s: %v, want %s with code %s", what, err, kind, code)
	}
}

func wantOK(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// audited returns the actions that were recorded, in order.
func (w *world) audited(t *testing.T) string {
	t.Helper()
	var actions string
	const read = "SELECT coalesce(string_agg(action, ' ' ORDER BY id), '') FROM audit_entry"
	if err := w.db.Pool().QueryRow(t.Context(), read).Scan(&actions); err != nil {
		t.Fatal(err)
	}
	return actions
}

func (w *world) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	if err := w.db.Pool().QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
