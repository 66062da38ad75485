// Package limit limits the requests of a client to each operation (RULES.md, Limits). It is a
// sliding window log: 60 in a minute means that no minute, whenever it begins, has more than 60.
// They may come at once, and each is available again a minute later. The leaky bucket of GCRA would
// allow more than 60 in a minute, since it frees one each second.
//
// The counts are in memory, or with LIMITS_URL in a Valkey or Redis that several processes share.
// While that does not answer, each process counts separately: limits never cause an outage.
package limit

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// longName is the length of nearly every name of a count.
const longName = 160

// Options are the dependencies of a limiter.
type Options struct {
	Config Config
	// Counted are the rows with SetBy as configured, by operation.
	Counted map[string]Row
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Now     func() time.Time
}

// Limiter counts the requests of clients. A nil Limiter allows every request. It is safe for
// concurrent use.
type Limiter struct {
	table   []Row
	tiers   map[string]int
	counted map[string]Row
	local   *memory
	shared  *shared // nil without LIMITS_URL
	metrics *metrics
}

// New returns the limiter, nil when RATE_LIMITS is off. It does not wait for the shared counts.
// Close it when done. The error names every invalid setting.
func New(options Options) (*Limiter, error) {
	off, err := options.Config.off()
	if err != nil {
		return nil, err
	}
	l := &Limiter{counted: options.Counted, metrics: newMetrics(options.Metrics)}
	if l.table, err = options.Config.table(); err != nil {
		return nil, err
	}
	if l.tiers, err = options.Config.ReadTiers(); err != nil {
		return nil, err
	}
	if off {
		options.Log.Warn("RATE_LIMITS is off: requests are not limited")
		return nil, nil
	}
	if l.local, err = newMemory(options.Now); err != nil {
		return nil, fmt.Errorf("make the store of counts: %w", err)
	}
	if options.Config.URL != "" {
		l.shared, err = openShared(options.Config.URL, options.Now, options.Log, l.metrics)
	}
	return l, err
}

// Close closes the connections to the shared counts.
func (l *Limiter) Close() error {
	if l == nil || l.shared == nil {
		return nil
	}
	return l.shared.pool.Close()
}

// guard limits one operation.
type guard struct {
	limiter   *Limiter
	operation string
	row       Row
	quotas    map[string]*quota // by tier; "" for clients without a key
	results   results
}

// quota is the limit of an operation for the clients of one tier.
type quota struct {
	rule
	name   string // prefix of the names of its counts
	policy string // the header RateLimit-Policy
}

func (l *Limiter) newGuard(method, route string, row Row) *guard {
	g := &guard{limiter: l, operation: method + " " + route, row: row, quotas: map[string]*quota{}}
	g.results = l.metrics.of(row.Operation)
	for tier, times := range l.tiers {
		g.quotas[tier] = newQuota(g.operation, row.Max*times, row.Window)
	}
	g.quotas[""] = newQuota(g.operation, row.Max, row.Window)
	return g
}

// newQuota includes the limit in the names of counts: a count of another limit, before a change of
// the configuration, means nothing for this one.
func newQuota(operation string, limit int, window time.Duration) *quota {
	return &quota{
		rule:   newRule(limit, window),
		name:   strconv.Itoa(limit) + "/" + window.String() + " " + operation + " ",
		policy: policy(operation, limit, window),
	}
}

// count is the state of a client's requests to an operation, including this one.
type count struct {
	quota   *quota
	refused bool
	left    int
	seconds int // until there are more
}

// take counts a request of a client.
func (g *guard) take(ctx context.Context, client Client) count {
	q, known := g.quotas[client.tier]
	if !known {
		q = g.quotas[TierStandard]
	}
	name := append(make([]byte, 0, longName), q.name...)
	v := g.limiter.take(ctx, q.rule, string(client.appendTo(name)))
	g.results.add(v.refused)
	return count{quota: q, refused: v.refused, left: v.left, seconds: wholeSeconds(v.wait)}
}

// take counts in the shared counts, or in memory if these do not answer.
func (l *Limiter) take(ctx context.Context, r rule, key string) verdict {
	if l.shared != nil {
		if v, err := l.shared.take(ctx, r, key); err == nil {
			return v
		}
	}
	return l.local.take(key, r)
}

// wholeSeconds rounds up, so that waiting that long is enough.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
