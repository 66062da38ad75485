package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/video"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/preview"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
	"litfass/services/admin/internal/publish/readnode"
)

// server is the service over a real database, listening on a port. The engines that readiness asks
// are always ready.
type server struct {
	db       *postgres.DB
	clock    *authtest.Clock
	services *app.Services
	pictures string         // folder of the blob store
	stack    authtest.Stack // of the services, to log users in
	app      *fiber.App
	url      string
}

// engines are engines that are always ready.
type engines struct{}

func (engines) Ping(context.Context) error        { return nil }
func (engines) CheckSchema(context.Context) error { return nil }
func (engines) Connected() bool                   { return true }
func (engines) Ready(context.Context) error       { return nil }

// nodes is a stream with one read node; package readnode has its tests with a real one.
type nodes struct{ readnode.Stream }

func (nodes) Connected() bool { return true }

func (nodes) OnServing(fn func(stream.Serving)) (func(), error) {
	fn(stream.Serving{Node: "north", Position: 7, Ready: true})
	return func() {}, nil
}

func (nodes) OnComplete(fn func(stream.Completion)) (func(), error) {
	fn(stream.Completion{Sequence: 7, Position: 7})
	return func() {}, nil
}

func (nodes) LastSequence(context.Context) (uint64, error) { return 7, nil }

func (nodes) ReadNodes(context.Context) ([]stream.ReadNode, error) {
	return []stream.ReadNode{{Name: "north", Applied: 7, Leased: true}}, nil
}

// monitor returns a monitor that has heard each announcement once.
func (s *server) monitor() *readnode.Monitor {
	monitor := readnode.New(nodes{}, s.clock.Now)
	ended, end := context.WithCancel(context.Background())
	end()
	_ = monitor.Run(ended) // the stream always listens
	return monitor
}

// settings are the configuration of a server, with the limits of RULES.md, Limits.
var settings = app.Config{
	VideoHosts: video.Hosts{"youtu.be"},
	Accounts: user.Config{
		AppURL: "https://litfass.example/console", LoginAttempts: 5, LoginWindow: 5 * time.Minute,
		SignupAttempts: 10, SignupWindow: 10 * time.Minute, ActivationValid: 24 * time.Hour, ResetValid: time.Hour,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	},
	Public:     app.Public{URL: "https://litfass.example"},
	Tokens:     authtest.TokenConfig,
	Team:       team.Config{InvitationValid: 7 * 24 * time.Hour},
	Preview:    preview.Config{Valid: 7 * 24 * time.Hour},
	Moderation: moderation.Config{ReportAttempts: 5, ReportWindow: 10 * time.Minute},
	Mail:       mail.Config{From: "Litfass <post@litfass.example>", Attempts: 100},
	Import:     remote.Config{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, // of the tests' own files

	SigningKeyAge: 30 * 24 * time.Hour,
}

func newServer(t *testing.T) *server {
	t.Helper()
	db, _ := storetest.New(t)
	return serverOver(t, db, authtest.NewClock())
}

// twoServers returns two processes over one database: each has a pool, keys and limiters of its
// own.
func twoServers(t *testing.T) [2]*server {
	t.Helper()
	db, address := storetest.New(t)
	second, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	clock := authtest.NewClock()
	return [2]*server{serverOver(t, db, clock), serverOver(t, second, clock)}
}

func serverOver(t *testing.T, db *postgres.DB, clock *authtest.Clock) *server {
	t.Helper()
	folder := t.TempDir()
	pictures, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(folder))
	if err != nil {
		t.Fatal(err)
	}
	services, err := app.NewServices(settings, app.Base{
		DB: db, Hasher: authtest.Hasher(), Images: pictures, Now: clock.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := services.Keys.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &server{
		db: db, clock: clock, services: services, pictures: folder, stack: authtest.Stack{Keys: services.Keys, Sessions: services.Sessions},
	}
	s.app = api.New(s.deps())
	s.serve(t, s.app)
	return s
}

func (s *server) deps() api.Deps {
	deps := s.services.Deps(prometheus.NewRegistry())
	deps.Database, deps.Stream, deps.Relay = engines{}, engines{}, engines{}
	deps.Platform.Nodes = s.monitor()
	return deps
}

func (s *server) serve(t *testing.T, app *fiber.App) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- web.ServeOn(ctx, app, listener, 20*time.Second, slog.New(slog.DiscardHandler))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// answer is the response that a client gets.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

func (s *server) send(t *testing.T, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header}
	if a.raw, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && method != http.MethodHead {
		if err := json.Unmarshal(a.raw, &a.body); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, a.raw)
		}
	}
	return a
}

// post sends a JSON body.
func (s *server) post(t *testing.T, path, body string, headers ...string) answer {
	t.Helper()
	return s.send(t, http.MethodPost, path, strings.NewReader(body), append(headers, "Content-Type", "application/json")...)
}

// want checks the status and, for an error, its code and shape.
func (a answer) want(t *testing.T, what string, status int, code string) {
	t.Helper()
	if a.status != status || code != "" && a.body["code"] != code {
		t.Errorf("%s: %d %.300s, want %d %s", what, a.status, a.raw, status, code)
		return
	}
	if status < 400 {
		return
	}
	optional := []string{"retry_after", "service", "api_version", "response_type", "status", "timestamp", "metadata", "data"}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(a.body)), func(key string) bool { return slices.Contains(optional, key) })
	if !slices.Equal(keys, []string{"code", "details", "error", "request_id"}) {
		t.Errorf("%s: an error with the keys %v", what, keys)
	}
	if enveloped := a.body["service"] != nil; enveloped != (len(keys)+7 <= len(a.body)) {
		t.Errorf("%s: a part of an envelope: %s", what, a.raw)
	}
	if status == http.StatusUnauthorized && strings.Contains(what, "admin") && a.header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s: a 401 without WWW-Authenticate", what)
	}
}

func login(email, password string) string {
	return fmt.Sprintf(`{"email": %q, "password": %q}`, email, password)
}

// activation is the body that activates an account.
func activation(token, password string) string {
	return fmt.Sprintf(`{"token": %q, "password": %q}`, token, password)
}
