package reports_test

import (
	"context"
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/report"
	"litfass/services/query/internal/reports"
)

const event = "01920000-0000-7000-8000-0000000000c1"

// events knows one public event.
type events struct{}

func (events) Event(_ context.Context, uuid string) (view json.RawMessage, err error) {
	if uuid != event {
		err = fault.New(fault.NotFound, "", "there is no such event")
	}
	return view, err
}

// A report crosses NATS unchanged, and so does the admin service's answer.
func TestReportsCrossTheStream(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	admin := streamtest.Open(t, config)
	desk := reports.New(events{}, streamtest.Open(t, config))
	given := report.Report{
		EventUUID: event, Reason: "spam", Text: "ä\n<b>", Email: "anna@example.org", Address: netip.MustParseAddr("2001:db8::1"),
	}
	wantUnavailable(t, "without an admin service", desk.Send(t.Context(), given))
	got := make(chan report.Report, 1)
	_, err := admin.Answer(report.Subject, func(request []byte, say func([]byte)) {
		var r report.Report
		err := json.Unmarshal(request, &r)
		got <- r
		switch r.Reason {
		case "other":
			err = fault.New(fault.TooMany, "too_many_attempts", "too many")
		case "illegal":
			return
		}
		say(report.EncodeAnswer(err))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.Send(t.Context(), given); err != nil {
		t.Errorf("a report: %v", err)
	}
	if arrived := <-got; arrived != given {
		t.Errorf("sent %+v, arrived %+v", given, arrived)
	}
	given.Reason = "other"
	if err := desk.Send(t.Context(), given); !fault.Is(err, fault.TooMany) {
		t.Errorf("over the limit: %v", err)
	}
	<-got
	given.Reason = "illegal"
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	wantUnavailable(t, "an admin service that does not answer", desk.Send(ctx, given))
}

func TestReportsThatAreNotHandedOn(t *testing.T) {
	t.Parallel()
	desk := reports.New(events{}, nil)
	if err := desk.Send(t.Context(), report.Report{EventUUID: event}); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	unknown := report.Report{EventUUID: "01920000-0000-7000-8000-00000000dead", Reason: "spam"}
	if err := desk.Send(t.Context(), unknown); !fault.Is(err, fault.NotFound) {
		t.Errorf("not public: %v", err)
	}
	wantUnavailable(t, "without NATS", desk.Send(t.Context(), report.Report{EventUUID: event, Reason: "spam"}))
}

func wantUnavailable(t *testing.T, what string, err error) {
	t.Helper()
	if !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0 {
		t.Errorf("%s: %v", what, err)
	}
}
