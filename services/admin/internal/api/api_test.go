package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
)

// engines are engines in a state of the test's choice.
type engines struct {
	database, schema, outbox error
	connected                bool
}

func (e engines) Ping(context.Context) error        { return e.database }
func (e engines) CheckSchema(context.Context) error { return e.schema }
func (e engines) Connected() bool                   { return e.connected }
func (e engines) Ready(context.Context) error       { return e.outbox }

// TestPagesOfOtherOrigins: preflight requests carry no token and need none.
func TestPagesOfOtherOrigins(t *testing.T) {
	t.Parallel()
	const origin = "https://app.example.org"
	for name, origins := range map[string][]string{"allowed": {origin}, "not allowed": nil} {
		app := New(Deps{
			Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Database: engines{}, Stream: engines{}, Relay: engines{},
			Origins: origins,
		})
		request := httptest.NewRequest(http.MethodOptions, Prefix+"/user/profile", nil)
		request.Header.Set("Origin", origin)
		request.Header.Set("Access-Control-Request-Method", http.MethodPut)
		request.Header.Set("Access-Control-Request-Headers", "authorization,content-type,if-match")
		response, err := app.Test(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		allowed := response.Header.Get("Access-Control-Allow-Origin") == origin
		if allowed != (origins != nil) || allowed && !strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), "If-Match") {
			t.Errorf("%s: %d %v", name, response.StatusCode, response.Header)
		}
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	waiting := fault.New(fault.Unavailable, "", "7 rows wait")
	for name, test := range map[string]struct {
		engines engines
		status  int
		checks  map[string]string
	}{
		"all well": {engines{connected: true}, http.StatusOK,
			map[string]string{"database": "ok", "schema": "ok", "stream": "ok", "outbox": "ok"}},
		"nothing there": {engines{database: errors.New("secret address"), schema: errors.New("x"), outbox: waiting},
			http.StatusServiceUnavailable,
			map[string]string{"database": "not available", "schema": "not available", "stream": "not connected", "outbox": "7 rows wait"}},
	} {
		app := New(Deps{
			Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(),
			Database: test.engines, Stream: test.engines, Relay: test.engines,
		})
		response, err := app.Test(httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Checks map[string]string }
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != test.status || !reflect.DeepEqual(answer.Checks, test.checks) {
			t.Errorf("%s: %d %v", name, response.StatusCode, answer.Checks)
		}
	}
}
