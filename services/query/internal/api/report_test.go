package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/report"
)

// adminDesk is a fake admin service: it records reports and answers by the reporter.
type adminDesk struct {
	mu   sync.Mutex
	kept []report.Report
}

// The addresses whose reports are not accepted.
const (
	limited = "limited@example.org"
	nowhere = "nowhere@example.org"
	invalid = "invalid@example.org"
)

func (d *adminDesk) Ask(_ context.Context, name string, request []byte, hear func([]byte) (bool, error)) error {
	var r report.Report
	if err := json.Unmarshal(request, &r); err != nil || name != report.Subject {
		return fault.New(fault.Internal, "", "%s: %v", name, err)
	}
	d.mu.Lock()
	d.kept = append(d.kept, r)
	d.mu.Unlock()
	var answered error
	switch r.Email {
	case nowhere:
		return stream.ErrNoResponder
	case limited:
		tooMany := fault.New(fault.TooMany, "too_many_attempts", "too many attempts; try again later")
		tooMany.RetryAfter = 90 * time.Second
		answered = tooMany
	case invalid:
		answered = fault.Violations{fault.Violate("text", reason.ControlCharacters)}.Err("invalid_report", "the report is not valid")
	}
	_, err := hear(report.EncodeAnswer(answered))
	return err
}

// about returns the reports with a text, and forgets none.
func (d *adminDesk) about(text string) []report.Report {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(d.kept), func(r report.Report) bool { return r.Text != text })
}

const jsonType = "application/json"

func testReports(t *testing.T, s site) {
	t.Run("handed on", func(t *testing.T) { testReportIsHandedOn(t, s) })
	t.Run("answers of admin", func(t *testing.T) { testReportAnswers(t, s) })
	t.Run("hostile", func(t *testing.T) { testHostileReports(t, s) })
	t.Run("other origins", func(t *testing.T) { testReportsOfOtherOrigins(t, s) })
}

func testReportIsHandedOn(t *testing.T, s site) {
	for path, forwarded := range map[string]string{
		"/api/event/" + eventJazz + "/report":                   "203.0.113.9",
		"/api/event/" + strings.ToUpper(eventJazz) + "/report/": "198.51.100.1, 203.0.113.9",
	} {
		response, body := s.do(t, "POST", path, `{"reason":" spam","text":" handed\r\non ","email":"Anna@Example.org"}`,
			"Content-Type", jsonType, "X-Forwarded-For", forwarded)
		if response.StatusCode != http.StatusAccepted || response.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", path, response.StatusCode, response.Header, body)
		}
	}
	want := report.Report{
		EventUUID: eventJazz, Reason: "spam", Text: "handed\non", Email: "anna@example.org", Address: netip.MustParseAddr("203.0.113.9"),
	}
	if got := s.desk.about("handed\non"); !slices.Equal(got, []report.Report{want, want}) {
		t.Errorf("handed on: %+v", got)
	}
}

func testReportAnswers(t *testing.T, s site) {
	for email, want := range map[string]struct {
		status     int
		code       string
		retryAfter string
	}{
		limited: {http.StatusTooManyRequests, "too_many_attempts", "90"},
		nowhere: {http.StatusServiceUnavailable, "unavailable", "30"},
		invalid: {http.StatusBadRequest, "invalid_report", ""},
	} {
		response, body := s.do(t, "POST", "/api/event/"+eventJazz+"/report", `{"reason":"spam","email":"`+email+`"}`, "Content-Type", jsonType)
		var got enveloped[any]
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != want.status || got.Code != want.code || got.ResponseType != "post-event-report" ||
			response.Header.Get("Retry-After") != want.retryAfter {
			t.Errorf("%s: %d %v %s", email, response.StatusCode, response.Header, body)
		}
		if err := describe(t).Check("POST", "/api/event/{uuid}/report", want.status, body); err != nil {
			t.Errorf("%s: %v", email, err)
		}
	}
}

// Invalid reports never leave the service, and each bad field is named.
func testHostileReports(t *testing.T, s site) {
	const path = "/api/event/" + eventJazz + "/report"
	long := strings.Repeat("ü", 2001)
	for _, test := range []struct {
		name, path, body string
		status           int
		fields           string
		header           []string
	}{
		{name: "nothing", body: `{}`, status: 400, fields: "reason"},
		{name: "null", body: `{"reason":null}`, status: 400, fields: "reason"},
		{name: "all wrong", body: `{"reason":1,"text":[],"email":{},"x":1}`, status: 400, fields: "reason text email x"},
		{name: "values", body: `{"reason":"hostile","text":"` + long + `","email":"hostile"}`, status: 400, fields: "reason text email"},
		{name: "control", body: `{"reason":"spam","text":"hostile\u0007"}`, status: 400, fields: "text"},
		{name: "NUL", body: `{"reason":"spam","text":"hostile\u0000"}`, status: 400, fields: "text"},
		{name: "half a surrogate", body: `{"reason":"spam","text":"hostile\ud800"}`, status: 400, fields: "text"},
		{name: "twice", body: `{"reason":"spam","reason":"wrong"}`, status: 400, fields: "reason"},
		{name: "another case", body: `{"reason":"spam","Text":"hostile"}`, status: 400, fields: "Text"},
		{name: "of others", body: `{"reason":"spam","address":"203.0.113.1","event_uuid":"` + eventFair + `"}`, status: 400, fields: "address event_uuid"},
		{name: "a list", body: `[]`, status: 400, fields: ""},
		{name: "empty", body: ``, status: 400, fields: ""},
		{name: "cut off", body: `{"reason":"spam"`, status: 400, fields: ""},
		{name: "two", body: `{"reason":"spam"}{}`, status: 400, fields: ""},
		{name: "deep", body: `{"reason":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, status: 400, fields: ""},
		{name: "32 KB", body: `{"reason":"spam"}` + strings.Repeat(" ", 32<<10), status: 413},
		{name: "10 MB", body: strings.Repeat(" ", 10<<20), status: 413},
		{name: "plain", body: `{"reason":"spam"}`, status: 415, header: []string{"Content-Type", "text/plain"}},
		{name: "compressed", body: "x", status: 415, header: []string{"Content-Encoding", "gzip"}},
		{name: "parameters", path: path + "?lang=de", body: `{"reason":"spam"}`, status: 400, fields: "url"},
		{name: "both", path: "/api/event/x/report", body: `{"x":1}`, status: 400, fields: "uuid x"},
		{name: "another version", path: "/api/event/" + version4 + "/report", body: `{"reason":"spam"}`, status: 400, fields: "uuid"},
		{name: "not public", path: "/api/event/" + unknown + "/report", body: `{"reason":"spam","text":"hostile"}`, status: 404},
		{name: "gone", path: "/api/event/" + eventGone + "/report", body: `{"reason":"spam","text":"hostile"}`, status: 404},
	} {
		address := path
		if test.path != "" {
			address = test.path
		}
		response, body := s.do(t, "POST", address, test.body, append([]string{"Content-Type", jsonType}, test.header...)...)
		var got enveloped[any]
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%s: %v in %s", test.name, err, body)
		}
		var fields []string
		for _, detail := range got.Details {
			if detail.Field != "" {
				fields = append(fields, detail.Field)
			}
		}
		if response.StatusCode != test.status || strings.Join(fields, " ") != test.fields || got.ResponseType != "post-event-report" {
			t.Errorf("%s: %d %.300s, want %d for %q", test.name, response.StatusCode, body, test.status, test.fields)
		}
	}
	for _, text := range []string{"hostile", "hostile\x07", long} {
		if got := s.desk.about(text); len(got) > 0 {
			t.Errorf("handed on: %.300v", got)
		}
	}
}

// A page of any origin may send a report, after its browser's preflight request.
func testReportsOfOtherOrigins(t *testing.T, s site) {
	const path, origin = "/api/event/" + eventJazz + "/report", "https://blog.example"
	response, _ := s.do(t, "OPTIONS", path, "", "Origin", origin,
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
	if h := response.Header; response.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("preflight: %d %v", response.StatusCode, h)
	}
	response, body := s.do(t, "POST", path, `{"reason":"spam"}`, "Origin", origin, "Content-Type", jsonType)
	if response.StatusCode != http.StatusAccepted || response.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a report: %d %v %s", response.StatusCode, response.Header, body)
	}
}
