package api_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

// Operations that count attempts in the database answer as described beyond their limits.
// TestEveryOperationIsLimited checks that every operation has a limit.
func TestLimitsAreDescribed(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	for _, test := range []struct {
		who, method, path, body string
		most                    int
	}{
		{"", "POST", "/api/login", `{"email": "unknown@example.org", "password": "x"}`, 5},
		{"", "POST", "/api/signup", `{"email": "x@example.org", "password": "staple under the bridge"}`, 10},
		{"", "POST", "/api/forgot-password", `{"email": "editor@example.org"}`, 10},
		{"viewer", "POST", "/api/admin/user/send-message", `{"context": "organization", "context_id": "{foreign}", "subject": "x", "message": "x"}`, 30},
		{"viewer", "POST", "/api/admin/user/message/{messageId}/reply", `{"message": "x"}`, 0}, // the same limit
		{"stranger", "DELETE", "/api/admin/user", `{"password": "x"}`, 5},
		{"manager", "PUT", "/api/admin/user/password", `{"password": "x", "new_password": "staple under the bridge"}`, 5},
		{"editor", "PUT", "/api/admin/user/profile", `{"email": "x@example.org", "password": "x"}`, 5},
		{"owner", "PUT", "/api/admin/organization", `{"name": "x"}`, 50},
		{"owner", "DELETE", "/api/admin/organization/{organizationId}", `{"password": "x"}`, 5},
		{"owner", "DELETE", "/api/admin/venue/{venueId}", `{"password": "x"}`, 0}, // the same limit
		{"owner", "DELETE", "/api/admin/event/{eventId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/space/{spaceId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/contributor/{contributorId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/list/{listId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/series/{seriesId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/portal/{portalId}", `{"password": "x"}`, 0},
		{"owner", "DELETE", "/api/admin/event/{eventId}/date/{dateId}", `{"password": "x"}`, 0},
		{"owner", "POST", "/api/admin/organization/{organizationId}/team/invite", `{"email": "flood@example.org"}`, 5},
		{"owner", "DELETE", "/api/admin/organization/{organizationId}/team/member/{memberId}", `{"password": "x"}`, 0}, // the same limit
	} {
		operation := test.method + " " + test.path
		for range test.most {
			c.asked = 0 // from the same address
			c.send(t, test.method, c.ids.Replace(test.path), strings.NewReader(c.ids.Replace(test.body)), c.headersOf(example{who: test.who, body: "x"})...)
		}
		c.asked = 0
		c.ask(t, example{operation: operation, who: test.who, body: test.body, status: http.StatusTooManyRequests})
	}
}

// Without the database, every operation says so as described.
func TestAnEngineThatIsDownIsDescribed(t *testing.T) {
	t.Parallel()
	_, address := storetest.New(t)
	server, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	wire := newWire(t, server.Host)
	server.Host = wire.Addr().String()
	db, err := postgres.Open(t.Context(), server.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	c := examplesOn(t, stageOn(t, db))
	right := c.allOperations(t)
	wire.cut()
	const constant = "GET /api/webhooks/event-types" // needs no engine
	for _, e := range right {
		if e.operation == constant {
			continue
		}
		e.status = http.StatusServiceUnavailable
		c.ask(t, e)
	}
	for _, operation := range c.description.Described() {
		if !c.seen[operation+" 503"] && operation != constant {
			t.Errorf("%s was not asked", operation)
		}
	}
}

// allOperations are a request of every operation, as it is right but for tokens.
func (c *examples) allOperations(t *testing.T) []example {
	t.Helper()
	return append(c.rightOnes(t), example{operation: "POST /api/activate", body: `{"token": "x"}`},
		example{operation: "POST /api/invitation", body: `{"token": "x"}`},
		example{operation: "POST /api/invitation/join", body: `{"token": "x", "password": "staple under the bridge"}`},
		example{operation: "POST /api/reset-password", body: `{"token": "x", "new_password": "staple under the bridge"}`},
		example{operation: "POST /api/admin/refresh", headers: []string{"Authorization", "Bearer " + c.people["owner"].refresh}},
		example{operation: "POST /api/admin/organization/team/invite/accept", who: "owner", body: `{"token": "x"}`},
		example{operation: "DELETE /api/admin/organization/{organizationId}", who: "owner", body: `{"password": "{secret}"}`})
}

// wire carries bytes between the service and its database until it is cut.
type wire struct {
	net.Listener
	mutex sync.Mutex
	ends  []net.Conn
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: listener}
	t.Cleanup(w.cut)
	go func() {
		for {
			near, err := w.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			w.mutex.Lock()
			w.ends = append(w.ends, near, far)
			w.mutex.Unlock()
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
			go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		}
	}()
	return w
}

func (w *wire) cut() {
	_ = w.Close()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, end := range w.ends {
		_ = end.Close()
	}
}
