// Package limit limits how many requests a client may send to each operation (RULES.md, Limits): 60
// in a minute means that no minute, whenever it begins, has more than 60. They may come at once;
// each comes back a minute after it was sent. So the 61st request is refused, however long the 60
// took, which the leaky buckets of GCRA do not ensure: from these one would have come back each
// second.
//
// The counts are in memory, or with LIMITS_URL in a Valkey or Redis that several processes share.
// While that does not answer, each process counts for itself: limits never cause an outage.
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

// longName has room for the name of nearly every count.
const longName = 160

// Options are what a limiter is made of.
type Options struct {
	Config Config
	// Counted are the rows with SetBy as they are configured, by operation.
	Counted map[string]Row
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Now     func() time.Time
}

// Limiter counts the requests of clients. A nil Limiter lets every request through. It is safe for
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
// Close it when done. The error names every setting that is not right.
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
	name   string // the beginning of the names of its counts
	policy string // the header RateLimit-Policy
}

func (l *Limiter) newGuard(method, route string, row Row) *guard {
	g := &guard{limiter: l, operation: method + " " + route, row: row, quotas: map[string]*quota{}}
	g.results = l.metrics.of(row.Operation)
	for tier, times := range l.tiers {
		g.quotas[tier] = newQuota(g.operation, row.Most*times, row.Window)
	}
	g.quotas[""] = newQuota(g.operation, row.Most, row.Window)
	return g
}

// newQuota names counts by the limit, too: one that was counted by another limit, before a change
// of the configuration, means nothing under this one.
func newQuota(operation string, most int, window time.Duration) *quota {
	return &quota{
		rule:   newRule(most, window),
		name:   strconv.Itoa(most) + "/" + window.String() + " " + operation + " ",
		policy: policy(operation, most, window),
	}
}

// count is what is known of a client's requests to an operation, this one included.
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

// take counts in the shared counts, or in memory where these do not answer.
func (l *Limiter) take(ctx context.Context, r rule, key string) verdict {
	if l.shared != nil {
		if v, err := l.shared.take(ctx, r, key); err == nil {
			return v
		}
	}
	return l.local.take(key, r)
}

// wholeSeconds rounds up, so that waiting so long is enough.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
