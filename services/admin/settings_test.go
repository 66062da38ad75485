package main

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

// broken are settings with which the service does not start, by variable.
var broken = map[string]string{
	"LOG_LEVEL": "loud", "STOP_TIMEOUT": "soon", "NATS_URL": "nats://127.0.0.1:port", "NATS_USER": "a.b", "STREAM_REPLICAS": "many",
	"PUBLIC_URL": "nonsense", "APP_URL": "nonsense", "TIME_ZONE": "Mars/Olympus", "TRUSTED_PROXIES": "nonsense",
	"MAIL_URL": "nonsense", "MAIL_ATTEMPTS": "many", "BLOB_URL": "nonsense", "PASSWORD_HASHES": "-1",
	"SIGNING_KEY_SECRETS": "short", "SIGNING_KEY_AGE": "0s", "REFRESH_TOKEN_LIFETIME": "soon", "LOGIN_ATTEMPTS": "0",
	"INVITATION_VALID": "1s", "PREVIEW_VALID": "0s", "ORGANIZATION_APPROVAL": "maybe", "AUDIT_AGE": "0s",
	"AUDIT_ADDRESS_AGE": "0s", "MESSAGE_AGE": "0s",
}

func TestBrokenSettingsStopTheService(t *testing.T) {
	for name, value := range broken {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DATABASE_URL", "postgres://127.0.0.1:1/none")
			t.Setenv("NATS_URL", "nats://127.0.0.1:1")
			t.Setenv(name, value)
			if err := start(t); err == nil {
				t.Errorf("the service starts with %s=%s", name, value)
			}
		})
	}
}

// start makes the service of the environment and closes it again.
func start(t *testing.T) error {
	t.Helper()
	config, err := app.Load()
	if err != nil {
		return err
	}
	service, err := app.New(t.Context(), config, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return service.Close()
}

// personalKey makes an API key of a new user and returns its uuid.
func personalKey(t *testing.T, db *postgres.DB) string {
	t.Helper()
	user := authtest.User(t, db, "with-key@example.org")
	ctx := auth.WithPrincipal(t.Context(), auth.Principal{UserID: user, SessionID: "s"})
	key, _, err := apikey.New(db, time.Now).Create(ctx, "", apikey.NewKey{Name: "Website"})
	if err != nil {
		t.Fatal(err)
	}
	return key.UUID
}

// TestCommandsOpenOnlyWhatTheyNeed runs every command with a bad value in each variable that it
// does not need.
func TestCommandsOpenOnlyWhatTheyNeed(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.environment = append(p.environment, "BLOB_URL=file://"+t.TempDir())
	stop := p.serve() // publishes for verify and republish
	defer stop()
	backup := "file://" + t.TempDir()
	stream := []string{"LOG_LEVEL", "STOP_TIMEOUT", "NATS_URL", "NATS_USER", "STREAM_REPLICAS"}
	tried := map[string]bool{"serve": true}
	for _, test := range []struct{ args, needs []string }{
		{[]string{"migrate"}, nil},
		{[]string{"import", "-"}, nil},
		{[]string{"demo", "--day", "2026-11-20"}, []string{"BLOB_URL"}},
		{[]string{"demo"}, []string{"BLOB_URL", "TIME_ZONE"}},
		{[]string{"export"}, nil},
		{[]string{"user", "demo"}, []string{"PUBLIC_URL"}},
		{[]string{"user", "create", "anna@example.org"}, nil},
		{[]string{"user", "promote", "anna@example.org"}, nil},
		{[]string{"user", "deactivate", "anna@example.org"}, nil},
		{[]string{"keys", "rotate"}, []string{"SIGNING_KEY_SECRETS", "REFRESH_TOKEN_LIFETIME"}},
		{[]string{"republish"}, stream},
		{[]string{"restored"}, stream},
		{[]string{"verify"}, stream},
		{[]string{"api-key", "tier", personalKey(t, p.db), "partner"}, nil},
		{[]string{"pictures", "backup", backup}, []string{"BLOB_URL"}},
		{[]string{"pictures", "restore", backup}, []string{"BLOB_URL"}},
	} {
		command := &program{t: t, db: p.db, environment: slices.Clone(p.environment)}
		for _, name := range slices.Sorted(maps.Keys(broken)) {
			if !slices.Contains(test.needs, name) {
				command.environment = append(command.environment, name+"="+broken[name])
			}
		}
		if _, stderr, exit := command.run(nil, test.args...); exit != 0 {
			t.Errorf("admin %v: exit %d: %s", test.args, exit, stderr)
		}
		tried[strings.Join(test.args[:min(len(test.args), 2)], " ")], tried[test.args[0]] = true, true
	}
	parser, err := kong.New(&commands{}, options()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Leaves(false) {
		if !tried[command.Path()] {
			t.Errorf("the command %s is not tried", command.Path())
		}
	}
}
