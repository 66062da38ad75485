package kept

import "github.com/prometheus/client_golang/prometheus"

// figures count how pages were answered.
type figures struct {
	answers    *prometheus.CounterVec
	kept, made prometheus.Counter
	bytes      prometheus.Gauge
}

func newFigures() figures {
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "litfass_site_pages_total",
		Help: "Pages by how they were answered: kept, or made anew.",
	}, []string{"result"})
	return figures{
		answers: answers, kept: answers.WithLabelValues("kept"), made: answers.WithLabelValues("made"),
		bytes: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_site_pages_bytes", Help: "Bytes of kept pages.",
		}),
	}
}

// Register adds the figures to a registry.
func (p *Pages) Register(metrics prometheus.Registerer) {
	metrics.MustRegister(p.figures.answers, p.figures.bytes)
}
