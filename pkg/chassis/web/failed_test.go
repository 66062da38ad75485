package web_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
)

func TestFailed(t *testing.T) {
	said := web.Failure{
		Error: "wait", Code: "too_soon", RetryAfter: 7,
		Details: []fault.Violation{{Field: "name", Reason: "is taken", Code: "taken", Params: reason.Params{}}},
	}
	body, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	want := fault.New(fault.TooMany, "too_soon", "wait")
	want.Violations, want.RetryAfter = said.Details, 7*time.Second
	if got, ok := web.Failed(http.StatusTooManyRequests, body); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"the service's own":   {http.StatusInternalServerError, string(body)},
		"a proxy's":           {http.StatusServiceUnavailable, "<html>"},
		"of an unknown kind":  {http.StatusTeapot, string(body)},
		"no failure but JSON": {http.StatusNotFound, `["not", "found"]`},
	} {
		if got, ok := web.Failed(answer.status, []byte(answer.body)); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
