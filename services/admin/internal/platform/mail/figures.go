package mail

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	gomail "github.com/wneessen/go-mail"
)

// figures are the metrics of mails.
type figures struct {
	outcomes *prometheus.CounterVec
	waiting  prometheus.Gauge
	givenUp  prometheus.Gauge
}

func newFigures(metrics prometheus.Registerer) *figures {
	f := &figures{
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_mail_attempts_total",
			Help: "Attempts to send a mail by outcome: sent, retried, given_up, server_down, dropped.",
		}, []string{"outcome"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_mail_waiting", Help: "Mails in the queue that are neither sent nor given up.",
		}),
		givenUp: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_mail_given_up", Help: "Mails in the queue that were given up; their last_error says why.",
		}),
	}
	metrics.MustRegister(f.outcomes, f.waiting, f.givenUp)
	for _, outcome := range []string{"sent", "retried", "given_up", "server_down", "dropped"} {
		f.outcomes.WithLabelValues(outcome) // exported from the start
	}
	return f
}

func (f *figures) outcome(name string) { f.outcomes.WithLabelValues(name).Inc() }

func (f *figures) queue(waiting, givenUp int64) {
	f.waiting.Set(float64(waiting))
	f.givenUp.Set(float64(givenUp))
}

// reason returns the loggable part of a failure: the stage and the codes. The server's own text may
// repeat the recipient's address.
func reason(err error) string {
	var failed *gomail.SendError
	if errors.As(err, &failed) {
		return fmt.Sprintf("%s (%d %s)", failed.Reason, failed.ErrorCode(), failed.EnhancedStatusCode())
	}
	var refusal *RefusedError
	if errors.As(err, &refusal) {
		return "the mail cannot be written as it should be"
	}
	return err.Error()
}
