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
	reportsAtOnce = 4               // of one process; further ones are refused as busy
	reportTime    = 4 * time.Second // for one report; the query service waits longer
	listenAgain   = time.Second     // after a failure
)

// Stream is the part of stream.Stream that the receiver uses.
type Stream interface {
	Await(ctx context.Context) error
	Answer(name string, handle func(request []byte, say func(line []byte))) (stop func(), err error)
}

// ReportReceiver receives the reports that query services forward: of several admin processes one
// receives each.
type ReportReceiver struct {
	service *Service
	stream  Stream
	log     *slog.Logger
	slots   chan struct{}
	results *prometheus.CounterVec
}

// NewReportReceiver returns a receiver, and adds its metrics to the registry.
func NewReportReceiver(
	service *Service, stream Stream, metrics prometheus.Registerer, log *slog.Logger,
) *ReportReceiver {
	r := &ReportReceiver{
		service: service, stream: stream, log: log, slots: make(chan struct{}, reportsAtOnce),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_reports_total",
			Help: "Visitors' reports of events by what became of them.",
		}, []string{"result"}),
	}
	for _, result := range []string{"stored", "repeated", "refused", "limited", "busy", "failed"} {
		r.results.WithLabelValues(result)
	}
	metrics.MustRegister(r.results)
	return r
}

// Run receives reports until ctx ends, and returns nil once all received ones are answered.
func (r *ReportReceiver) Run(ctx context.Context) error {
	stop := r.listen(ctx)
	if stop == nil {
		return nil
	}
	<-ctx.Done()
	stop()
	for range cap(r.slots) { // of every report that is being answered
		r.slots <- struct{}{}
	}
	return nil
}

// listen subscribes to the reports. It waits for NATS without a limit, and returns nil when ctx
// ends.
func (r *ReportReceiver) listen(ctx context.Context) (stop func()) {
	for {
		err := r.stream.Await(ctx)
		if err == nil {
			stop, err = r.stream.Answer(report.Subject, func(request []byte, say func([]byte)) {
				r.answer(context.WithoutCancel(ctx), request, say)
			})
		}
		if err == nil {
			return stop
		}
		if ctx.Err() != nil {
			return nil
		}
		r.log.Warn("reports cannot be taken", "again_in", listenAgain.String(), "error", err.Error())
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

// answer stores one report and answers it.
func (r *ReportReceiver) answer(ctx context.Context, request []byte, say func(line []byte)) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	default:
		r.results.WithLabelValues("busy").Inc()
		say(report.EncodeAnswer(fault.New(fault.Unavailable, "", "too many reports arrive at once; try again later")))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	var sent report.Report
	stored, err := false, json.Unmarshal(request, &sent)
	if err != nil {
		err = fault.Wrap(err, fault.Invalid, "invalid_report", "the report cannot be read")
	} else {
		stored, err = r.service.Report(ctx, sent)
	}
	result := resultOf(stored, err)
	r.results.WithLabelValues(result).Inc()
	if result == "failed" {
		r.log.Error("a report could not be stored", "error", err.Error())
	}
	say(report.EncodeAnswer(err))
}

// resultOf names the result of a report in the metrics.
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
