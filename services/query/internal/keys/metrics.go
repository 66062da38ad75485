package keys

import "github.com/prometheus/client_golang/prometheus"

// Register adds the figures of the keys to a registry.
func (k *Known) Register(registry prometheus.Registerer) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "litfass_query_api_keys",
		Help: "API keys that this process has heard of from the stream.",
	}, func() float64 { return float64(k.Count()) }))
}
