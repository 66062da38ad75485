package limit

import (
	"context"
	"errors"
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
}

// openShared returns the shared counts without waiting for them. The error does not contain the
// address, which may have a password.
func openShared(address string, now func() time.Time, log *slog.Logger, metrics *metrics) (*shared, error) {
	address = schemes.Replace(address)
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "redis" && parsed.Scheme != "rediss" || parsed.RawQuery != "" || !database.MatchString(parsed.Path) {
		return nil, errors.New("LIMITS_URL is not an address such as redis://host:6379/0 or rediss://user:password@host:6379")
	}
	s := &shared{now: now, log: log, metrics: metrics}
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
	return s, nil
}

var (
	// schemes replaces Valkey's URL schemes with the equivalent ones of Redis.
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

// errPaused is returned for requests after a failure.
var errPaused = errors.New("the shared counts did not answer a moment ago")

// take counts a request by the server's clock. The error is one of the store.
func (s *shared) take(ctx context.Context, r rule, key string) (verdict, error) {
	if !s.ready() {
		return verdict{}, errPaused
	}
	ctx, cancel := context.WithTimeout(ctx, sharedTimeout)
	defer cancel()
	reply, err := s.run(ctx, countsPrefix+key, r.max, r.window.Microseconds(), r.block)
	if err != nil {
		s.failed(err)
		return verdict{}, err
	}
	s.worked()
	return verdict{refused: reply[0] == 1, left: int(reply[1]), wait: time.Duration(reply[2]) * time.Microsecond}, nil
}

// run calls the script takeShared.
func (s *shared) run(ctx context.Context, arguments ...any) (reply [3]int64, err error) {
	conn, err := s.pool.GetContext(ctx)
	if err != nil {
		return reply, err
	}
	defer func() { _ = conn.Close() }()
	values, err := redis.Int64s(takeShared.DoContext(ctx, conn, arguments...))
	if err == nil && copy(reply[:], values) < len(reply) {
		err = errors.New("the shared counts returned something else")
	}
	return reply, err
}

// takeShared is usage.take in the store, where no other request comes between. A count is a text of
// numbers: the requests of the last block, then the times of the blocks in microseconds, which a
// Lua number holds exactly. Anything else counts as no requests.
var takeShared = redis.NewScript(1, `
local max, window, block = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local last, times = nil, {}
for number in string.gmatch(redis.call('GET', KEYS[1]) or '', '%d+') do
	number = tonumber(number)
	if not last then
		last = number
	elseif number > now - window then
		times[#times + 1] = math.min(number, now)
	end
end
if last and (last < 1 or last > block) then
	times = {}
end
local used = 0
if #times > 0 then
	used = (#times - 1) * block + last
end
local refused = used >= max
if not refused then
	used = used + 1
	if #times == 0 or last == block then
		times[#times + 1] = now
		last = 0
	end
	last = last + 1
	times[#times] = now
	local text = {last}
	for i, at in ipairs(times) do
		text[i + 1] = string.format('%.0f', at)
	end
	redis.call('SET', KEYS[1], table.concat(text, ' '), 'PX', math.ceil(window / 1000))
end
return {refused and 1 or 0, max - used, window - (now - times[1])}`)

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
