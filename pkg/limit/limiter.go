// Package limit limits how many requests a client may send to each operation (interface.md,
// Limits): as many at once as the table says, which come back evenly over the row's time. 60 in a
// minute means 60 at once, then one a second.
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
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
)

const (
	// mostCounts is how many counts are held in memory, about 300 bytes each. The one that was
	// used least recently goes first, so that endless addresses forget each other.
	mostCounts = 50_000
	longName   = 160 // has room for the name of nearly every count
	// attempts is how often a count is written that other requests of the client keep changing.
	attempts = 64
)

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
	local   throttled.GCRAStoreCtx
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
	store, err := memstore.New(mostCounts)
	if err != nil {
		return nil, fmt.Errorf("make the store of counts: %w", err)
	}
	store.SetTimeNow(options.Now)
	l.local = throttled.WrapStoreWithContext(store)
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
	return l.shared.client.Close()
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
	most   int
	name   string // the beginning of the names of its counts
	policy string // the header RateLimit-Policy
	local  *throttled.GCRARateLimiterCtx
	shared *throttled.GCRARateLimiterCtx // nil without shared counts
}

func (l *Limiter) newGuard(method, route string, row Row) (*guard, error) {
	g := &guard{limiter: l, operation: method + " " + route, row: row, quotas: map[string]*quota{}}
	g.results = l.metrics.of(row.Operation)
	for tier, times := range l.tiers {
		var err error
		if g.quotas[tier], err = l.newQuota(g.operation, row.Most*times, row.Window); err != nil {
			return nil, err
		}
	}
	var err error
	g.quotas[""], err = l.newQuota(g.operation, row.Most, row.Window)
	return g, err
}

// newQuota names counts by the limit, too: one that was counted by another limit, before a change
// of the configuration, means nothing under this one.
func (l *Limiter) newQuota(operation string, most int, window time.Duration) (*quota, error) {
	q := &quota{most: most, policy: policy(operation, most, window)}
	q.name = strconv.Itoa(most) + "/" + window.String() + " " + operation + " "
	rate := throttled.RateQuota{MaxRate: throttled.PerDuration(most, window), MaxBurst: most - 1}
	var err error
	if q.local, err = newRate(l.local, rate); err != nil || l.shared == nil {
		return q, err
	}
	q.shared, err = newRate(l.shared, rate)
	return q, err
}

func newRate(store throttled.GCRAStoreCtx, rate throttled.RateQuota) (*throttled.GCRARateLimiterCtx, error) {
	limiter, err := throttled.NewGCRARateLimiterCtx(store, rate)
	if err != nil {
		return nil, fmt.Errorf("make a limit: %w", err)
	}
	limiter.SetMaxCASAttemptsLimit(attempts)
	return limiter, nil
}

// count is what is known of a client's requests to an operation, this one included.
type count struct {
	quota   *quota
	refused bool
	left    int
	seconds int // until the next request is let through if this one was refused, else until all are
}

// take counts a request of a client.
func (g *guard) take(ctx context.Context, client Client) count {
	q, known := g.quotas[client.tier]
	if !known {
		q = g.quotas[TierStandard]
	}
	name := append(make([]byte, 0, longName), q.name...)
	refused, result := g.limiter.take(ctx, q, string(client.appendTo(name)))
	g.results.add(refused)
	wait := result.ResetAfter
	if refused {
		wait = result.RetryAfter
	}
	return count{quota: q, refused: refused, left: result.Remaining, seconds: wholeSeconds(wait)}
}

// take counts in the shared counts, or in memory where these do not answer. A count that cannot be
// written, because very many requests of one client arrive at once, lets them through.
func (l *Limiter) take(ctx context.Context, q *quota, key string) (refused bool, result throttled.RateLimitResult) {
	if l.shared != nil {
		refused, result, err := l.shared.take(ctx, q.shared, key)
		if err == nil {
			return refused, result
		}
	}
	refused, result, err := q.local.RateLimitCtx(ctx, key, 1)
	return refused && err == nil, result
}

// wholeSeconds rounds up, so that waiting so long is enough.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
