package limit

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
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
	pool    *redis.Pool
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics
	paused  atomic.Int64 // not asked before this time; 0 while it answers
	broken  atomic.Int64 // connections last used before this time may be dead

	// Requests of one client take turns: a count is read and then replaced if it is still the same,
	// so that those of one process would only disturb each other.
	seed  maphash.Seed
	turns [turns]chan struct{} // by the hash of the count; full while one has its turn
}

// openShared returns the shared counts without waiting for them. The error does not contain the
// address, which may have a password.
func openShared(address string, now func() time.Time, log *slog.Logger, metrics *metrics) (*shared, error) {
	address = schemes.Replace(address)
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "redis" && parsed.Scheme != "rediss" || parsed.RawQuery != "" || !database.MatchString(parsed.Path) {
		return nil, errors.New("LIMITS_URL is not an address such as redis://host:6379/0 or rediss://user:password@host:6379")
	}
	s := &shared{now: now, log: log, metrics: metrics, seed: maphash.MakeSeed()}
	connections := 10 * runtime.GOMAXPROCS(0)
	s.pool = &redis.Pool{
		MaxIdle: connections, MaxActive: connections, Wait: true, IdleTimeout: 5 * time.Minute,
		DialContext: func(ctx context.Context) (redis.Conn, error) {
			return redis.DialURLContext(ctx, address, redis.DialClientName("litfass"), redis.DialConnectTimeout(dialTimeout),
				redis.DialReadTimeout(sharedTimeout), redis.DialWriteTimeout(sharedTimeout))
		},
		TestOnBorrow: func(_ redis.Conn, used time.Time) error {
			if used.UnixNano() < s.broken.Load() {
				return errPaused
			}
			return nil
		},
	}
	for i := range s.turns {
		s.turns[i] = make(chan struct{}, 1)
	}
	return s, nil
}

var (
	// schemes are Valkey's names for those of Redis.
	schemes = strings.NewReplacer("valkey://", "redis://", "valkeys://", "rediss://")
	// database matches the path of an address.
	database = regexp.MustCompile(`^(/\d*)?$`)
)

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
	conn, err := s.pool.GetContext(ctx)
	if err != nil {
		return verdict{}, err
	}
	defer func() { _ = conn.Close() }()
	for range attempts {
		held, now, err := read(ctx, conn, key)
		if err != nil {
			return verdict{}, err
		}
		requests := r.decode(held)
		v := requests.take(r, now.UnixNano())
		if v.refused {
			return v, nil
		}
		replaced, err := redis.Bool(replace.DoContext(ctx, conn, key, held, requests.encode(), r.window.Milliseconds()))
		if err != nil || replaced {
			return v, err
		}
	}
	return verdict{}, errBusy
}

// read returns a count, empty where there is none, and the server's time.
func read(ctx context.Context, conn redis.Conn, key string) (held []byte, now time.Time, err error) {
	if err := errors.Join(conn.Send("TIME"), conn.Send("GET", key)); err != nil {
		return nil, now, err
	}
	var clock []int64                                            // seconds and microseconds
	replies, err := redis.Values(redis.DoContext(conn, ctx, "")) // of both
	if err == nil {
		clock, err = redis.Int64s(replies[0], nil)
	}
	if err != nil {
		return nil, now, err
	}
	held, err = redis.Bytes(replies[1], nil)
	if errors.Is(err, redis.ErrNil) {
		held, err = []byte{}, nil
	}
	return held, time.Unix(clock[0], clock[1]*1000), err
}

// replace stores a count for a time in milliseconds, unless it is another one than was read.
var replace = redis.NewScript(1, `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
	return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`)

// failed pauses the shared counts, and logs the first of several failures.
func (s *shared) failed(err error) {
	s.metrics.failures.Inc()
	s.broken.Store(time.Now().UnixNano())
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
