package moderation_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/report"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

const event = "01920000-0000-7000-8000-0000000000c1"

const insertEvent = `
INSERT INTO event (
    uuid, org_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion, release_status
)
VALUES ($1, $2, 'Konzert', '{}', '{}', '{}', 'free', '{}', 0, 'released')`

// newService returns the use cases over a database with one public event.
func newService(t *testing.T) (*moderation.Service, *postgres.DB) {
	t.Helper()
	db, _ := storetest.New(t)
	if _, err := db.Exec(t.Context(), insertEvent, event, authtest.Organization(t, db, "Kulturhaus")); err != nil {
		t.Fatal(err)
	}
	return moderation.New(moderation.Options{
		DB: db, Limiter: auth.NewLimiter(db, time.Now), Now: time.Now,
		Config: moderation.Config{ReportAttempts: 2, ReportWindow: time.Hour},
	}), db
}

// runReceiver runs a receiver until the returned function is called, which waits for its end.
func runReceiver(t *testing.T, service *moderation.Service, config stream.Config) (metrics *prometheus.Registry, stop func()) {
	t.Helper()
	metrics = prometheus.NewRegistry()
	receiver := moderation.NewReportReceiver(service, streamtest.Open(t, config), metrics, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- receiver.Run(ctx) }()
	return metrics, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// ask sends a report, waits until a receiver answers, and returns the answer.
func ask(t *testing.T, from *stream.Stream, request []byte) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), streamtest.Patience)
	defer cancel()
	for {
		var answered error
		err := from.Ask(ctx, report.Subject, request, func(line []byte) (bool, error) {
			answered = report.DecodeAnswer(line)
			return true, nil
		})
		if err == nil {
			return answered
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

func encoded(t *testing.T, r report.Report) []byte {
	t.Helper()
	request, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// Of two receivers one receives each report; the limit holds for both; a refusal has its reason.
func TestReceiversShareReports(t *testing.T) {
	t.Parallel()
	service, db := newService(t)
	config := streamtest.Config(t)
	first, stopFirst := runReceiver(t, service, config)
	second, stopSecond := runReceiver(t, service, config)
	query := streamtest.Open(t, config)
	given := report.Report{EventUUID: event, Reason: "spam", Address: netip.MustParseAddr("203.0.113.9")}
	for range 2 {
		if err := ask(t, query, encoded(t, given)); err != nil {
			t.Errorf("a report: %v", err)
		}
	}
	if err := ask(t, query, encoded(t, given)); !fault.Is(err, fault.TooMany) || fault.Of(err).RetryAfter == 0 {
		t.Errorf("over the limit: %v", err)
	}
	given.Reason = "boring"
	for name, request := range map[string][]byte{"no JSON": []byte("{"), "an unknown reason": encoded(t, given)} {
		if err := ask(t, query, request); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	given = report.Report{EventUUID: "01920000-0000-7000-8000-00000000dead", Reason: "spam", Address: netip.MustParseAddr("203.0.113.8")}
	if err := ask(t, query, encoded(t, given)); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown event: %v", err)
	}
	given = report.Report{EventUUID: event, Reason: "spam"}
	if err := ask(t, query, encoded(t, given)); !fault.Is(err, fault.Internal) {
		t.Errorf("without an address: %v", err)
	}
	stopFirst()
	stopSecond()
	var stored int
	if err := db.QueryRow(t.Context(), "SELECT count(*) FROM event_report").Scan(&stored); err != nil || stored != 1 {
		t.Errorf("%d reports are stored, %v", stored, err)
	}
	for result, want := range map[string]float64{"stored": 1, "repeated": 1, "limited": 1, "refused": 3, "failed": 1, "busy": 0} {
		if got := figure(t, first, result) + figure(t, second, result); got != want {
			t.Errorf("%v reports are %s, want %v", got, result, want)
		}
	}
}

// figure returns how many reports had a result.
func figure(t *testing.T, metrics *prometheus.Registry, result string) (count float64) {
	t.Helper()
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if metric.GetLabel()[0].GetValue() == result {
				count += metric.GetCounter().GetValue()
			}
		}
	}
	return count
}
