package moderation

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/report"
)

const (
	reportsAtOnce = 4               // of one process; others are answered that it is busy
	reportTime    = 4 * time.Second // for one; the query service waits longer
	listenAgain   = time.Second     // after a failure
)

// Stream is what the desk needs of the connection to NATS; see stream.Stream.
type Stream interface {
	Await(ctx context.Context) error
	Answer(name string, handle func(request []byte, say func(line []byte))) (stop func(), err error)
}

// Desk takes the reports that query services hand on: of several admin processes one takes each.
type Desk struct {
	service *Service
	stream  Stream
	log     *slog.Logger
	slots   chan struct{}
	results *prometheus.CounterVec
}

// NewDesk returns a desk, and adds its figures to the registry.
func NewDesk(service *Service, stream Stream, metrics prometheus.Registerer, log *slog.Logger) *Desk {
	d := &Desk{
		service: service, stream: stream, log: log, slots: make(chan struct{}, reportsAtOnce),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_reports_total",
			Help: "Visitors' reports of events by what became of them.",
		}, []string{"result"}),
	}
	for _, result := range []string{"stored", "repeated", "refused", "limited", "busy", "failed"} {
		d.results.WithLabelValues(result)
	}
	metrics.MustRegister(d.results)
	return d
}

// Run takes reports until ctx ends, and returns nil once those under way are answered.
func (d *Desk) Run(ctx context.Context) error {
	stop := d.listen(ctx)
	if stop == nil {
		return nil
	}
	<-ctx.Done()
	stop()
	for range cap(d.slots) { // of every report that is under way
		d.slots <- struct{}{}
	}
	return nil
}

// listen begins to answer. It waits for NATS as long as that takes, and returns nil when ctx ends.
func (d *Desk) listen(ctx context.Context) (stop func()) {
	for {
		err := d.stream.Await(ctx)
		if err == nil {
			stop, err = d.stream.Answer(report.Subject, func(request []byte, say func([]byte)) {
				d.answer(context.WithoutCancel(ctx), request, say)
			})
		}
		if err == nil {
			return stop
		}
		if ctx.Err() != nil {
			return nil
		}
		d.log.Warn("reports cannot be taken", "again_in", listenAgain.String(), "error", err.Error())
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

// answer takes one report and answers it.
func (d *Desk) answer(ctx context.Context, request []byte, say func(line []byte)) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		d.results.WithLabelValues("busy").Inc()
		say(report.EncodeAnswer(fault.New(fault.Unavailable, "", "too many reports arrive at once; try again later")))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	stored, err := d.take(ctx, request)
	result := resultOf(stored, err)
	d.results.WithLabelValues(result).Inc()
	if result == "failed" {
		d.log.Error("a report could not be stored", "error", err.Error())
	}
	say(report.EncodeAnswer(err))
}

func (d *Desk) take(ctx context.Context, request []byte) (stored bool, err error) {
	var r report.Report
	if err := json.Unmarshal(request, &r); err != nil {
		return false, fault.Wrap(err, fault.Invalid, "invalid_report", "the report cannot be read")
	}
	return d.service.Report(ctx, r)
}

// resultOf names for the figures what became of a report.
func resultOf(stored bool, err error) string {
	switch {
	case err == nil && stored:
		return "stored"
	case err == nil:
		return "repeated"
	case fault.Is(err, fault.TooMany):
		return "limited"
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.NotFound):
		return "refused"
	default:
		return "failed"
	}
}
