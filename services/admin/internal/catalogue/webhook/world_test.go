package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/santhosh-tekuri/jsonschema/v6"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/catalogue/webhook"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
	"litfass/services/admin/internal/platform/version"
	"litfass/services/admin/internal/publish/outbox"
	"litfass/services/admin/internal/publish/verify"
)

// world is a process that relays and notifies, with an organization, its venue and its manager.
type world struct {
	*testing.T
	db         *postgres.DB
	config     stream.Config
	stream     *stream.Stream
	hooks      *webhook.Service
	org, venue string
	manager    int
	ahead      atomic.Int64 // nanoseconds by which the clock of the webhooks is ahead
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, _ := storetest.New(t)
	w := &world{T: t, db: db, config: streamtest.Config(t), org: newID(), venue: newID()}
	w.stream = streamtest.Open(t, w.config)
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.hooks = webhook.New(webhook.Options{
		DB: db, Now: w.now, Log: streamtest.Log(t), PublicURL: "https://litfass.example", Zone: "Europe/Berlin",
		Poster:  remote.NewPoster([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, 5*time.Second),
		Limiter: auth.NewLimiter(db, w.now),
		Sealer:  seal.New(seal.Secret(strings.Repeat("s", 32))),
	})
	w.write(
		&rules.Organization{UUID: w.org, Name: "Kulturverein"},
		&rules.Venue{UUID: w.venue, OrgUUID: w.org, Name: "Alte Schmiede", Use: adminapi.VenueOpen, City: "Kiel", Country: "DEU"},
	)
	w.manager = authtest.User(t, db, "manager@example.org")
	authtest.Member(t, db, w.org, w.manager, permission.All)
	return w
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// later moves the clock of the webhooks.
func (w *world) later(by time.Duration) { w.ahead.Add(int64(by)) }

// start runs a relay and a notifier until the test ends.
func (w *world) start() {
	w.Helper()
	relay := outbox.NewRelay(outbox.RelayOptions{
		DB: w.db, Stream: w.stream, Release: editing.ReleaseDue, Log: streamtest.Log(w.T), Now: time.Now,
		Refill:   func(context.Context) error { return nil },
		Withdraw: verify.Republisher{DB: w.db, Stream: w.stream}.Withdraw,
	})
	w.run(relay.Run)
	w.notify(w.stream)
}

// notify runs a notifier with a connection until the test ends.
func (w *world) notify(over *stream.Stream) {
	w.Helper()
	w.run(webhook.NewNotifier(w.hooks, over, prometheus.NewRegistry()).Run)
}

func (w *world) run(process func(ctx context.Context) error) {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = process(ctx) })
	w.Cleanup(func() { cancel(); running.Wait() })
}

// as returns the context of a request of a user with a session.
func (w *world) as(user int) context.Context {
	return auth.WithPrincipal(w.Context(), auth.Principal{UserID: user, SessionID: "s"})
}

func (w *world) write(entities ...rules.Entity) {
	w.Helper()
	results, err := editing.NewOperator(w.db).Save(w.Context(), entities)
	if err != nil {
		w.Fatal(err)
	}
	for _, result := range results {
		if result.Err != nil {
			w.Fatal(result.Err)
		}
	}
}

// event returns a released event with one date in the venue.
func (w *world) event(title string) *rules.Event {
	return &rules.Event{
		UUID: newID(), OrgUUID: w.org, VenueUUID: value.Text(w.venue), Title: title, ReleaseStatus: rules.StatusReleased,
		Dates: []rules.Date{{UUID: newID(), StartDate: "2027-11-20", StartTime: "19:30"}},
	}
}

// made is a webhook with the secret it was made with.
type made struct {
	adminapi.Webhook
	secret string
}

// subscribe makes a webhook of the organization.
func (w *world) subscribe(r *receiver, edit func(*adminapi.WebhookEdit)) made {
	w.Helper()
	hook, secret, err := w.hooks.Create(w.as(w.manager), w.org, false, func(e *adminapi.WebhookEdit) {
		e.Name, e.URL = "Copy", r.server.URL
		if edit != nil {
			edit(e)
		}
	})
	if err != nil {
		w.Fatal(err)
	}
	return made{hook, secret}
}

func (w *world) deliveries(hook made) []adminapi.WebhookDelivery {
	w.Helper()
	shown, err := w.hooks.Deliveries(w.as(w.manager), hook.UUID, paging.Page{Limit: 200})
	if err != nil {
		w.Fatal(err)
	}
	return shown.Deliveries
}

func (w *world) until(what string, holds func() bool) {
	w.Helper()
	for deadline := time.Now().Add(streamtest.Patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("waited in vain until %s", what)
		}
	}
}

// settled waits until the outbox is empty and what it held is announced.
func (w *world) settled() {
	w.Helper()
	w.until("everything is announced", func() bool {
		var waiting int
		if err := w.db.QueryRow(w.Context(), "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM webhook_draft)").Scan(&waiting); err != nil {
			w.Fatal(err)
		}
		progress, found, err := w.stream.Progress(w.Context(), "webhooks")
		return waiting == 0 && err == nil && found && progress.Pending == 0
	})
}

// notification is a request that a receiver got.
type notification struct {
	id     string
	header http.Header
	body   []byte
	Type   string `json:"type"`
	Data   struct {
		UUID  string `json:"uuid"`
		Title string `json:"title"`
	} `json:"data"`
}

// receiver is a server that keeps the notifications it gets.
type receiver struct {
	t      *testing.T
	server *httptest.Server
	mu     sync.Mutex
	got    []notification
	status func(n notification, again int) int // of the answer; again counts earlier ones of the id
	wait   string                              // the Retry-After of failures; "" for none
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t, status: func(notification, int) int { return http.StatusNoContent }}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	n := notification{id: request.Header.Get("webhook-id"), header: request.Header}
	n.body, _ = io.ReadAll(request.Body)
	_ = json.Unmarshal(n.body, &n)
	if err := described(n); err != nil {
		r.t.Errorf("%s: %v", n.Type, err)
	}
	r.mu.Lock()
	again := 0
	for _, before := range r.got {
		if before.id == n.id {
			again++
		}
	}
	status := r.status(n, again)
	r.got = append(r.got, n)
	r.mu.Unlock()
	if r.wait != "" && status >= 300 {
		w.Header().Set("Retry-After", r.wait)
	}
	w.WriteHeader(status)
	if status >= 300 {
		_, _ = io.WriteString(w, "no \x00thanks")
	}
}

func (r *receiver) all() []notification {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// types returns the types of the notifications, in order. One that came again counts once.
func (r *receiver) types() string {
	var types []string
	known := map[string]bool{}
	for _, n := range r.all() {
		if !known[n.id] {
			types, known[n.id] = append(types, n.Type), true
		}
	}
	return strings.Join(types, " ")
}

func (w *world) awaitTypes(r *receiver, want string) {
	w.Helper()
	w.until("the notifications are "+want, func() bool {
		got := r.types()
		if len(got) > len(want) {
			w.Fatalf("got %s, want %s", got, want)
		}
		return got == want
	})
}

var anyVersion version.Expected

// bodySchemas are the schemas of the bodies by type.
var bodySchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	types, err := webhook.Types()
	schemas := map[string]*jsonschema.Schema{}
	for _, kind := range types.Types {
		var document any
		if document, err = jsonschema.UnmarshalJSON(bytes.NewReader(kind.Schema)); err != nil {
			return nil, err
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("body.json", document); err != nil {
			return nil, err
		}
		if schemas[kind.Type], err = compiler.Compile("body.json"); err != nil {
			return nil, err
		}
	}
	return schemas, err
})

// described returns an error for a body that is not as the schema of its type describes it.
func described(n notification) error {
	schemas, err := bodySchemas()
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(n.body))
	if err != nil {
		return err
	}
	if schemas[n.Type] == nil {
		return fmt.Errorf("%q is not described", n.Type)
	}
	return schemas[n.Type].Validate(document)
}

// verifySignature checks the signature of a notification.
func verifySignature(n notification, secret string) error {
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return err
	}
	return verifier.VerifyIgnoringTimestamp(n.body, n.header)
}
