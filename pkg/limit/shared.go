package limit

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/goredisstore.v9"
)

const (
	countsPrefix = "litfass limit "
	// sharedPause is how long the shared counts are not asked after a failure.
	sharedPause = time.Second
	dialTimeout = 2 * time.Second
	turns       = 256
)

// sharedTimeout is how long a request waits for the shared counts. Tests set it.
var sharedTimeout = 250 * time.Millisecond

// shared are counts in a Valkey or Redis.
type shared struct {
	throttled.GCRAStoreCtx

	client  *redis.Client
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics
	paused  atomic.Int64 // not asked before this time; 0 while it answers

	// Requests of one client take turns: a count is read and then replaced if it is still the same,
	// so that those of one process would only disturb each other.
	seed  maphash.Seed
	turns [turns]sync.Mutex // by the hash of the count
}

// openShared returns the shared counts without waiting for them. The error does not contain the
// address, which may have a password.
func openShared(address string, now func() time.Time, log *slog.Logger, metrics *metrics) (*shared, error) {
	options, err := redis.ParseURL(schemes.Replace(address))
	if err != nil {
		return nil, errors.New("LIMITS_URL is not an address such as redis://host:6379/0 or rediss://user:password@host:6379")
	}
	options.ClientName = "litfass"
	options.DialTimeout, options.PoolTimeout = dialTimeout, sharedTimeout
	options.ReadTimeout, options.WriteTimeout = sharedTimeout, sharedTimeout
	options.ContextTimeoutEnabled = true
	options.MaxRetries = -1 // none: the request would wait
	options.DialerRetries = 1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	silence()
	client := redis.NewClient(options)
	store, err := goredisstore.NewCtx(client, countsPrefix)
	if err != nil {
		return nil, fmt.Errorf("open the shared counts: %w", err)
	}
	return &shared{
		GCRAStoreCtx: store, client: client, now: now, log: log, metrics: metrics, seed: maphash.MakeSeed(),
	}, nil
}

// schemes are Valkey's names for those of Redis.
var schemes = strings.NewReplacer("valkey://", "redis://", "valkeys://", "rediss://")

// silence discards the client's own log lines: what fails is logged here, once.
var silence = sync.OnceFunc(func() { redis.SetLogger(quiet{}) })

type quiet struct{}

// Printf implements the logger of the client.
func (quiet) Printf(context.Context, string, ...any) {}

// ready reports whether the shared counts are to be asked: after a failure by one request a second.
func (s *shared) ready() bool {
	paused := s.paused.Load()
	if paused == 0 {
		return true
	}
	now := s.now()
	return now.UnixNano() >= paused && s.paused.CompareAndSwap(paused, now.Add(sharedPause).UnixNano())
}

// take counts a request. The error is one of the store, or that too many requests of the client
// arrive at once.
func (s *shared) take(
	ctx context.Context, rate *throttled.GCRARateLimiterCtx, key string,
) (refused bool, result throttled.RateLimitResult, err error) {
	turn := &s.turns[maphash.String(s.seed, key)%turns]
	turn.Lock()
	defer turn.Unlock()
	if !s.ready() {
		return false, result, errPaused
	}
	ctx, cancel := context.WithTimeout(ctx, sharedTimeout)
	defer cancel()
	refused, result, err = rate.RateLimitCtx(ctx, key, 1)
	var failure storeError
	switch {
	case err == nil:
		s.worked()
	case errors.As(err, &failure):
		s.failed(err)
	}
	return refused, result, err
}

// errPaused is returned for requests after a failure.
var errPaused = errors.New("the shared counts did not answer a moment ago")

// failed pauses the shared counts, and logs the first of several failures.
func (s *shared) failed(err error) {
	s.metrics.failures.Inc()
	if s.paused.Swap(s.now().Add(sharedPause).UnixNano()) == 0 {
		s.metrics.shared.Set(0)
		s.log.Warn("the shared counts of limits do not answer: this process counts for itself", "error", err)
	}
}

func (s *shared) worked() {
	if s.paused.Load() != 0 && s.paused.Swap(0) != 0 {
		s.log.Info("the shared counts of limits answer again")
	}
	s.metrics.shared.Set(1)
}

// storeError is a failure of the server or of the connection to it.
type storeError struct{ error }

// Unwrap returns the failure.
func (e storeError) Unwrap() error { return e.error }

func ofStore(err error) error {
	if err == nil {
		return nil
	}
	return storeError{err}
}

// GetWithTime returns a count and the server's time.
func (s *shared) GetWithTime(ctx context.Context, key string) (int64, time.Time, error) {
	value, now, err := s.GCRAStoreCtx.GetWithTime(ctx, key)
	return value, now, ofStore(err)
}

// SetIfNotExistsWithTTL stores a count unless there is one.
func (s *shared) SetIfNotExistsWithTTL(
	ctx context.Context, key string, value int64, ttl time.Duration,
) (bool, error) {
	done, err := s.GCRAStoreCtx.SetIfNotExistsWithTTL(ctx, key, value, ttl)
	return done, ofStore(err)
}

// CompareAndSwapWithTTL replaces a count that has not changed.
func (s *shared) CompareAndSwapWithTTL(
	ctx context.Context, key string, before, after int64, ttl time.Duration,
) (bool, error) {
	done, err := s.GCRAStoreCtx.CompareAndSwapWithTTL(ctx, key, before, after, ttl)
	return done, ofStore(err)
}
