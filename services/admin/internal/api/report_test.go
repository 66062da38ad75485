package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/report"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/people/auth/authtest"
)

const insertReport = `
INSERT INTO event_report (uuid, event_uuid, event_title, org_uuid, reason, created_at)
SELECT $1, uuid, coalesce(nullif(title, ''), 'x'), org_uuid, 'spam', $3
FROM event
WHERE uuid = $2`

// reported makes an open report of an event.
func (s *stage) reported(t *testing.T, event string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, insertReport, id, event, s.clock.Now())
	return id
}

// report sends a visitor's report as the query service hands it on, from an address.
func (s *stage) report(t *testing.T, event, address, reason string) (stored bool, err error) {
	t.Helper()
	return s.services.Moderation.Report(t.Context(), report.Report{
		EventUUID: event, Reason: reason, Text: "Not <b>true</b>", Email: "Guest@Example.org", Address: netip.MustParseAddr(address),
	})
}

// mustReport is report that must be stored or, when it is repeated, be there already.
func (s *stage) mustReport(t *testing.T, event, address string, stored bool) {
	t.Helper()
	if got, err := s.report(t, event, address, "wrong"); err != nil || got != stored {
		t.Errorf("a report from %s: stored %t (%v), want %t", address, got, err, stored)
	}
}

// A report reaches every platform administrator by message, the first of an event by mail, and is
// closed once.
func TestReportsAreReadAndClosed(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, strings.Repeat("Konzert ", 100), "released", nil, 5)
	s.mustReport(t, event, "203.0.113.1", true)
	if got := s.posted(t); !strings.HasPrefix(got, "platform@example.org: Konzert Konzert") || !strings.HasSuffix(got, "… wurde gemeldet") {
		t.Errorf("mailed %s", got)
	}
	if text := s.box.mails[0].Text; !strings.Contains(text, "falsche Angaben") || strings.Contains(text, "true") {
		t.Errorf("the mail is %s", text)
	}
	s.wantLinks(t, "/administration/reports")
	m := s.as(t, "platform", http.MethodGet, "/user/messages", "").first(t, "messages")
	if m["message"] != "Kulturhaus: falsche Angaben" || m["from_user_id"] != nil || m["org_uuid"] != s.org {
		t.Errorf("the message is %v", m)
	}
	s.mustReport(t, event, "203.0.113.1", false)
	s.mustReport(t, event, "203.0.113.2", true)
	if got := s.posted(t); got != "" {
		t.Errorf("mailed again: %s", got)
	}
	if a := s.as(t, "platform", http.MethodGet, "/user/messages", ""); a.body["total_count"] != 2.0 {
		t.Errorf("messages: %s", a.raw)
	}
	a := s.as(t, "platform", http.MethodGet, "/reports?state=open&event_uuid="+event+"&org_uuid="+s.org, "")
	a.wantKeys(t, "reports", "reports total_count limit offset")
	r := a.first(t, "reports")
	if a.body["total_count"] != 2.0 || r["text"] != "Not <b>true</b>" || r["email"] != "guest@example.org" || r["state"] != "open" ||
		r["event_status"] != "released" || r["org_name"] != "Kulturhaus" || r["reason"] != "wrong" || r["closed_at"] != nil {
		t.Errorf("reports: %s", a.raw)
	}
	s.close(t, fmt.Sprint(r["uuid"]))
	s.mustReport(t, event, "203.0.113.2", true) // the one before is closed
	if got := s.posted(t); got != "" {
		t.Errorf("mailed while another report is open: %s", got)
	}
}

// close closes a report, twice in the same way and then otherwise.
func (s *stage) close(t *testing.T, id string) {
	t.Helper()
	const body = `{"outcome": "resolved", "note": " It is\r\ncorrected "}`
	for range 2 {
		a := s.as(t, "platform", http.MethodPut, "/report/"+id, body)
		a.want(t, "close", ok, "")
		if a.body["state"] != "closed" || a.body["outcome"] != "resolved" || a.body["note"] != "It is\ncorrected" || a.body["uuid"] != id {
			t.Errorf("closed: %s", a.raw)
		}
	}
	s.as(t, "platform", http.MethodPut, "/report/"+id, `{"outcome": "dismissed", "note": "x"}`).want(t, "close otherwise", http.StatusConflict, "report_closed")
	var entries, reporters int
	s.one(t, &entries, "SELECT count(*) FROM audit_entry WHERE action = 'report.close' AND entity_id = $1 AND org_uuid IS NULL", id)
	s.one(t, &reporters, "SELECT count(*) FROM event_report WHERE uuid = $1 AND reporter IS NOT NULL", id)
	if entries != 1 || reporters != 0 {
		t.Errorf("closed twice: %d audit entries; %d reporters kept", entries, reporters)
	}
	for state, want := range map[string]float64{"closed": 1, "open": 1, "": 2} {
		if a := s.as(t, "platform", http.MethodGet, "/reports?state="+state, ""); a.body["total_count"] != want {
			t.Errorf("%q: %s", state, a.raw)
		}
	}
}

// A mail comes again once no report of the event is open.
func TestAnEventIsMailedAboutAnew(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "released", nil, 5)
	for range 2 {
		s.mustReport(t, event, "203.0.113.1", true)
		if got := s.posted(t); got != "platform@example.org: Konzert wurde gemeldet" {
			t.Errorf("mailed %s", got)
		}
		r := s.as(t, "platform", http.MethodGet, "/reports?state=open", "").first(t, "reports")
		s.as(t, "platform", http.MethodPut, "/report/"+fmt.Sprint(r["uuid"]), `{"outcome": "dismissed", "note": "x"}`).want(t, "close", ok, "")
	}
}

// Simultaneous reports are mailed once, and several by the same visitor count as one.
func TestReportsAtOnce(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "released", nil, 5)
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			if _, err := s.report(t, event, fmt.Sprintf("203.0.113.%d", i/2), "spam"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := s.posted(t); got != "platform@example.org: Konzert wurde gemeldet" {
		t.Errorf("mailed %s", got)
	}
	if a := s.as(t, "platform", http.MethodGet, "/reports", ""); a.body["total_count"] != 6.0 {
		t.Errorf("stored: %s", a.raw)
	}
}

// A report that is refused leaves only a count of the limit, which applies to a network.
func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	public, draft := s.event(t, s.org, "Konzert", "released", nil, 5), s.event(t, s.org, "Draft", "draft", nil, 5)
	soon := s.clock.Now().Add(time.Hour)
	scheduled := s.event(t, s.org, "Soon", "released", &soon, 5)
	s.exec(t, "UPDATE event SET release_scheduled = true WHERE uuid = $1", scheduled)
	for _, event := range []string{draft, scheduled, newUUID()} {
		if _, err := s.report(t, event, "203.0.113.1", "spam"); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", event, err)
		}
	}
	if _, err := s.report(t, public, "203.0.113.1", "boring"); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown reason: %v", err)
	}
	for i := range 5 {
		s.mustReport(t, public, fmt.Sprintf("2001:db8::%d", i), i == 0) // one network
	}
	_, err := s.report(t, public, "2001:db8::9", "spam")
	if !fault.Is(err, fault.TooMany) || fault.Of(err).RetryAfter != 10*time.Minute {
		t.Errorf("one more: %v", err)
	}
	s.clock.Move(10 * time.Minute)
	s.mustReport(t, public, "2001:db8::9", false)
	if a := s.as(t, "platform", http.MethodGet, "/reports", ""); a.body["total_count"] != 1.0 {
		t.Errorf("stored: %s", a.raw)
	}
}

func TestReportsAreAskedForRight(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	id := s.reported(t, event)
	for query, fields := range map[string]string{
		"?state=new": "state", "?event_uuid=x&org_uuid=" + newUUID(): "event_uuid", "?org_uuid=1&limit=0&state=x": "limit state org_uuid",
		"?status=open": "status",
	} {
		a := s.as(t, "platform", http.MethodGet, "/reports"+query, "")
		a.want(t, query, http.StatusBadRequest, "invalid_parameters")
		if a.fields() != fields {
			t.Errorf("%s: names %q, want %q", query, a.fields(), fields)
		}
	}
	for body, fields := range map[string]string{
		`{}`: "outcome note", `{"outcome": "x", "note": "x"}`: "outcome", `{"outcome": "dismissed", "note": " \n"}`: "note",
		`{"outcome": "dismissed", "note": "a\u0007"}`: "note", `{"outcome": 1, "note": [], "x": 1}`: "outcome note x",
		`{"outcome": "dismissed", "note": "` + strings.Repeat("ü", 2001) + `"}`: "note",
	} {
		a := s.as(t, "platform", http.MethodPut, "/report/"+id, body)
		a.want(t, body, http.StatusBadRequest, "")
		if a.fields() != fields {
			t.Errorf("%.60s: names %q, want %q", body, a.fields(), fields)
		}
	}
	const back = `{"outcome": "taken_back", "note": "x"}`
	s.as(t, "platform", http.MethodPut, "/report/"+id, back).want(t, "no takedown", http.StatusConflict, "event_not_taken_back")
	s.as(t, "platform", http.MethodPut, "/event/"+event+"/takedown", `{"reason": "It never was."}`).want(t, "take back", ok, "")
	a := s.as(t, "platform", http.MethodPut, "/report/"+id, back)
	a.want(t, "a takedown", ok, "")
	if taken, _ := a.body["taken_back"].(map[string]any); taken["reason"] != "It never was." || a.body["outcome"] != "taken_back" {
		t.Errorf("closed: %s", a.raw)
	}
	s.exec(t, "DELETE FROM event WHERE uuid = $1", event)
	if r := s.as(t, "platform", http.MethodGet, "/reports", "").first(t, "reports"); r["event_status"] != nil || r["event_title"] != "Konzert" {
		t.Errorf("after the event is deleted: %v", r)
	}
}

// The data about a reporter is deleted on time, and later the report.
func TestReportersAreForgotten(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	event := s.event(t, s.org, "Konzert", "released", nil, 5)
	s.mustReport(t, event, "203.0.113.1", true)
	s.mustReport(t, event, "203.0.113.2", true)
	r := s.as(t, "platform", http.MethodGet, "/reports", "").first(t, "reports")
	s.as(t, "platform", http.MethodPut, "/report/"+fmt.Sprint(r["uuid"]), `{"outcome": "dismissed", "note": "x"}`).want(t, "close", ok, "")
	begin := s.clock.Now()
	for _, step := range []struct {
		days                       int
		reporters, emails, reports int
	}{
		{0, 1, 2, 2}, {29, 1, 2, 2}, {31, 0, 1, 2}, {179, 0, 1, 2}, {181, 0, 0, 2}, {364, 0, 0, 2}, {366, 0, 0, 1}, {3000, 0, 0, 1},
	} {
		now := begin.AddDate(0, 0, step.days)
		authtest.InTx(t, s.db, func(ctx context.Context, tx pgx.Tx) error { return moderation.Prune(ctx, tx, now) })
		var reporters, emails, reports int
		s.one(t, &reporters, "SELECT count(reporter) FROM event_report")
		s.one(t, &emails, "SELECT count(email) FROM event_report")
		s.one(t, &reports, "SELECT count(*) FROM event_report")
		if reporters != step.reporters || emails != step.emails || reports != step.reports {
			t.Errorf("after %d days there are %d reporters, %d addresses, %d reports: want %+v", step.days, reporters, emails, reports, step)
		}
	}
}
