package limit

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	countsPrefix = "litfass requests "
	// sharedPause is how long the shared counts are not asked after a failure.
	sharedPause = time.Second
	dialTimeout = 2 * time.Second
	turns       = 256
	// attempts is how often a count is written that other processes keep changing.
	attempts = 64
)

// sharedTimeout is how long a request waits for the shared counts. Tests set it.
var sharedTimeout = 250 * time.Millisecond

// shared are counts in a Valkey or Redis.
type shared struct {
	client  *redis.Client
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics
	paused  atomic.Int64 // not asked before this time; 0 while it answers

	// Requests of one client take turns: a count is read and then replaced if it is still the same,
	// so that those of one process would only disturb each other.
	seed  maphash.Seed
	turns [turns]chan struct{} // by the hash of the count; full while one has its turn
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
	s := &shared{client: redis.NewClient(options), now: now, log: log, metrics: metrics, seed: maphash.MakeSeed()}
	for i := range s.turns {
		s.turns[i] = make(chan struct{}, 1)
	}
	return s, nil
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
func (s *shared) take(ctx context.Context, r rule, key string) (verdict, error) {
	turn := s.turns[maphash.String(s.seed, key)%turns]
	if !enter(turn) {
		return verdict{}, errBusy
	}
	defer func() { <-turn }()
	if !s.ready() {
		return verdict{}, errPaused
	}
	ctx, cancel := context.WithTimeout(ctx, sharedTimeout)
	defer cancel()
	v, err := s.count(ctx, r, countsPrefix+key)
	switch {
	case err == nil:
		s.worked()
	case !errors.Is(err, errBusy):
		s.failed(err)
	}
	return v, err
}

// enter waits for a turn, and not for long: where the store is slow, a client that sends very much
// must not keep others waiting.
func enter(turn chan<- struct{}) bool {
	select {
	case turn <- struct{}{}:
		return true
	default:
	}
	patience := time.NewTimer(sharedTimeout)
	defer patience.Stop()
	select {
	case turn <- struct{}{}:
		return true
	case <-patience.C:
		return false
	}
}

var (
	// errPaused is returned for requests after a failure.
	errPaused = errors.New("the shared counts did not answer a moment ago")
	errBusy   = errors.New("too many requests of a client change a count")
)

// count counts a request by the server's clock.
func (s *shared) count(ctx context.Context, r rule, key string) (verdict, error) {
	for range attempts {
		held, now, err := s.read(ctx, key)
		if err != nil {
			return verdict{}, err
		}
		requests := r.decode(held)
		v := requests.take(r, now.UnixNano())
		if v.refused {
			return v, nil
		}
		replaced, err := replace.Run(ctx, s.client, []string{key}, held, requests.encode(), r.window.Milliseconds()).Bool()
		if err != nil || replaced {
			return v, err
		}
	}
	return verdict{}, errBusy
}

// read returns a count, empty where there is none, and the server's time.
func (s *shared) read(ctx context.Context, key string) (held []byte, now time.Time, err error) {
	pipe := s.client.Pipeline()
	at, value := pipe.Time(ctx), pipe.Get(ctx, key)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, now, err
	}
	held, err = value.Bytes()
	if errors.Is(err, redis.Nil) {
		held, err = []byte{}, nil
	}
	return held, at.Val(), err
}

// replace stores a count for a time in milliseconds, unless it is another one than was read.
var replace = redis.NewScript(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
	return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`)

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
