package limit

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2027, 3, 5, 20, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time { return c.at }

func (c *clock) move(d time.Duration) { c.at = c.at.Add(d) }

// made returns a limiter with its log.
func made(t testing.TB, config Config, now func() time.Time) (*Limiter, *bytes.Buffer) {
	t.Helper()
	if config.Tiers == nil {
		config.Tiers = []string{"standard=10", "partner=100"}
	}
	log := &bytes.Buffer{}
	limiter, err := New(Options{Config: config, Now: now, Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = limiter.Close() })
	return limiter, log
}

func (l *Limiter) guarding(t testing.TB, method, route string) *guard {
	t.Helper()
	row, found := rowFor(l.table, method, route)
	if !found {
		t.Fatalf("no row for %s %s", method, route)
	}
	return l.newGuard(method, route, row)
}

var visitor = Address(netip.MustParseAddr("203.0.113.7"))

// passes counts the requests at this moment that are allowed before one is refused.
func passes(t testing.TB, g *guard, client Client) int {
	t.Helper()
	for n := range 1_000_000 {
		if g.take(t.Context(), client).refused {
			return n
		}
	}
	t.Fatal("a million requests are let through")
	return 0
}

func TestRows(t *testing.T) {
	for _, test := range []struct{ method, route, row string }{
		{"GET", "/api/events", "GET /api/events"},
		{"POST", "/api/events", "POST /api/events"},
		{"GET", "/api/events/type-summary", "GET /api/events/type-summary"},
		{"GET", "/api/event/:uuid", "GET /api/*"},
		{"POST", "/api/event/:uuid/report", "* /api/*"},
		{"GET", "/api/image/:uuid/:version", "GET /api/image/*"},
		{"PUT", "/api/admin/venue/:venueId", "PUT /api/admin/venue/:venueId"},
		{"GET", "/api/admin/venue/:venueId", "GET /api/admin/*"},
		{"PUT", "/api/admin/venue", "* /api/admin/*"},
		{"POST", "/api/login", "POST /api/login"},
		{"POST", "/api/admin/refresh", "POST /api/admin/refresh"},
		{"GET", "/event/:uuid", "GET /*"},
		{"POST", "/event/:uuid/report", "POST /*"},
		{"PUT", "/elsewhere", ""},
	} {
		if row, _ := rowFor(Table, test.method, test.route); row.Operation != test.row {
			t.Errorf("%s %s: got %q, want %q", test.method, test.route, row.Operation, test.row)
		}
	}
}

// TestStated: the requests of the table of limits are allowed at once, and the next one is refused;
// for a key, the factor of its tier applies.
func TestStated(t *testing.T) {
	for _, test := range []struct {
		method, route string
		most          int
	}{
		{"GET", "/api/events", 60},
		{"POST", "/api/events", 30},
		{"POST", "/api/admin/event/create", 30},
		{"GET", "/api/venues", 100},
		{"PUT", "/api/admin/venue/:venueId", 20},
	} {
		limiter, _ := made(t, Config{}, newClock().now)
		g := limiter.guarding(t, test.method, test.route)
		for client, times := range map[Client]int{
			visitor: 1, User("7"): 1, Key("a", "standard"): 10, Key("b", "partner"): 100, Key("c", ""): 10, Key("d", "unknown"): 10,
		} {
			if got := passes(t, g, client); got != times*test.most {
				t.Errorf("%s %s by %s: %d are let through, want %d", test.method, test.route, client, got, times*test.most)
			}
		}
	}
}

// TestSeparateCounts: operations do not share a count, also where they share a row.
func TestSeparateCounts(t *testing.T) {
	limiter, _ := made(t, Config{}, newClock().now)
	for _, route := range []string{"/api/event/:uuid", "/api/venue/:uuid"} {
		if got := passes(t, limiter.guarding(t, "GET", route), visitor); got != 120 {
			t.Errorf("%s: %d are let through", route, got)
		}
	}
}

// TestNoMinuteHasMore: however a client times its requests, no minute has more of them than the
// limit, and no client is refused that sent fewer.
func TestNoMinuteHasMore(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	for range 200 {
		most, window := 1+random.IntN(maxBlocks), time.Duration(1+random.IntN(600))*time.Second
		clock := newClock()
		limiter, _ := made(t, Config{Rows: []string{fmt.Sprintf("GET /api/events=%d/%s", most, window)}}, clock.now)
		g := limiter.guarding(t, "GET", "/api/events")
		var passed []time.Time
		for range 6 * most {
			recent := 0
			for _, at := range passed {
				if clock.at.Sub(at) < window {
					recent++
				}
			}
			got := g.take(t.Context(), visitor)
			if got.refused != (recent >= most) || !got.refused && got.left != most-recent-1 {
				t.Fatalf("%d/%s: after %d requests: %+v", most, window, recent, got)
			}
			if !got.refused {
				passed = append(passed, clock.at)
			}
			switch random.IntN(10) {
			case 0:
				clock.move(time.Duration(random.Int64N(int64(window))))
			case 1, 2, 3:
				clock.move(time.Duration(random.Int64N(int64(2 * window / time.Duration(most)))))
			}
		}
	}
}

// TestTheOneTooManyIsRefused however long those before it took, within a minute.
func TestTheOneTooManyIsRefused(t *testing.T) {
	for _, pause := range []time.Duration{0, 10 * time.Millisecond, 400 * time.Millisecond} {
		for route, most := range map[string]int{"/api/events": 60, "/api/venues": 100} {
			clock := newClock()
			limiter, _ := made(t, Config{}, clock.now)
			g := limiter.guarding(t, "GET", route)
			for n := range most {
				if g.take(t.Context(), visitor).refused {
					t.Fatalf("%s every %s: request %d is refused", route, pause, n+1)
				}
				clock.move(pause)
			}
			left := time.Minute - time.Duration(most)*pause
			if got := g.take(t.Context(), visitor); !got.refused || got.seconds != wholeSeconds(left) {
				t.Errorf("%s every %s: request %d: %+v", route, pause, most+1, got)
			}
		}
	}
}

// TestGreatLimits: limits whose requests share times hold as well, and a client is allowed that
// stays below them by the requests of a block.
func TestGreatLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range 20 {
		most := maxBlocks + 1 + random.IntN(5000)
		clock := newClock()
		limiter, _ := made(t, Config{Rows: []string{fmt.Sprintf("GET /api/events=%d/1m", most)}}, clock.now)
		g := limiter.guarding(t, "GET", "/api/events")
		block := newRule(most, time.Minute).block
		first, passed := 0, []time.Time{}
		for range 5 * most {
			for first < len(passed) && clock.at.Sub(passed[first]) >= time.Minute {
				first++
			}
			recent := len(passed) - first
			switch got := g.take(t.Context(), visitor); {
			case got.refused && recent <= most-block, !got.refused && recent >= most:
				t.Fatalf("%d, after %d requests: %+v", most, recent, got)
			case !got.refused:
				passed = append(passed, clock.at)
			}
			clock.move(time.Duration(random.Int64N(int64(2 * time.Minute / time.Duration(most)))))
		}
		count, _ := limiter.local.counts.Get(g.quotas[""].name + visitor.String())
		if len(count.times) > maxBlocks {
			t.Errorf("%d: a count holds %d times", most, len(count.times))
		}
	}
}

// TestWaitingIsEnough: a client that waits for retry_after is never refused twice, and one at a
// steady pace is never refused.
func TestWaitingIsEnough(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 3))
	for range 300 {
		most, window := 1+random.IntN(200), time.Duration(1+random.IntN(600))*time.Second
		clock := newClock()
		limiter, _ := made(t, Config{Rows: []string{fmt.Sprintf("GET /api/events=%d/%s", most, window)}}, clock.now)
		g := limiter.guarding(t, "GET", "/api/events")
		for range 3 * most {
			if got := g.take(t.Context(), visitor); got.refused {
				clock.move(time.Duration(got.seconds) * time.Second)
				if again := g.take(t.Context(), visitor); again.refused {
					t.Fatalf("%d/%s: refused again after %d s", most, window, got.seconds)
				}
			}
			clock.move(time.Duration(random.Int64N(int64(2 * window / time.Duration(most)))))
		}
		steady := Address(netip.MustParseAddr("198.51.100.1"))
		pace := time.Duration(most - newRule(most, window).block + 1)
		for range 3 * most {
			if g.take(t.Context(), steady).refused {
				t.Fatalf("%d/%s: refused at the pace", most, window)
			}
			clock.move((window + pace - 1) / pace)
		}
	}
}

// TestClockSetBack: no client waits for a time to come that was before.
func TestClockSetBack(t *testing.T) {
	r := newRule(3, time.Minute)
	requests := usage{}
	now := int64(time.Hour)
	for range 3 {
		requests.take(r, now)
	}
	if v := requests.take(r, now-int64(time.Hour)); !v.refused || v.wait != time.Minute {
		t.Errorf("an hour back: %+v", v)
	}
	if requests.take(r, now-int64(59*time.Minute)).refused {
		t.Error("refused a minute later")
	}
}

// TestAddresses: a subscriber cannot multiply their limit by the addresses of their network.
func TestAddresses(t *testing.T) {
	for _, test := range []struct {
		one, other string
		same       bool
	}{
		{"203.0.113.7", "203.0.113.7", true},
		{"203.0.113.7", "203.0.113.8", false},
		{"203.0.113.7", "::ffff:203.0.113.7", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
	} {
		one, other := Address(netip.MustParseAddr(test.one)), Address(netip.MustParseAddr(test.other))
		if same := one == other; same != test.same {
			t.Errorf("%s and %s: %q, %q", test.one, test.other, one, other)
		}
	}
	if got := Address(netip.Addr{}).String(); got != "address " {
		t.Errorf("without an address: %q", got)
	}
}

// TestEndlessAddresses: the counts in memory are bounded; the least recently used one is evicted.
func TestEndlessAddresses(t *testing.T) {
	limiter, _ := made(t, Config{}, newClock().now)
	g := limiter.guarding(t, "GET", "/api/events")
	passes(t, g, visitor)
	for n := range maxCounts {
		if n == maxCounts/2 && !g.take(t.Context(), visitor).refused {
			t.Fatal("forgotten too early")
		}
		g.take(t.Context(), User(fmt.Sprint(n)))
	}
	if !g.take(t.Context(), visitor).refused {
		t.Fatal("forgotten although it was used")
	}
	for n := range maxCounts {
		g.take(t.Context(), User(fmt.Sprint(n)))
	}
	if g.take(t.Context(), visitor).refused {
		t.Error("nothing is forgotten")
	}
}

func TestOff(t *testing.T) {
	limiter, log := made(t, Config{Switch: "off"}, newClock().now)
	if limiter != nil || !strings.Contains(log.String(), "not limited") {
		t.Errorf("got %v, log %s", limiter, log)
	}
}

func TestConfig(t *testing.T) {
	for _, test := range []struct {
		name   string
		config Config
		want   []string // parts of the error; none: it is valid
	}{
		{"rows", Config{Rows: []string{" GET /api/events=10/1m30s", "* /api/*=off "}}, nil},
		{"unknown row", Config{Rows: []string{"GET /api/evnts=1/1m"}}, []string{`LIMITS: "GET /api/evnts" is no row`, `"GET /api/events"`}},
		{"form", Config{Rows: []string{"60/1m"}}, []string{"LIMITS", "not of the form"}},
		{"number", Config{Rows: []string{"GET /api/events=0/1m", "GET /api/venues=many"}}, []string{"GET /api/events", "GET /api/venues", "off"}},
		{"time", Config{Rows: []string{"GET /api/events=5/1h30", "GET /api/venues=5"}}, []string{`"1h30"`, `the time ""`}},
		{"twice", Config{Rows: []string{"GET /api/events=5/1m", "GET /api/events=6/1m"}}, []string{"given twice"}},
		{"counted in the database", Config{Rows: []string{"POST /api/login=100/1m"}}, []string{"LOGIN_ATTEMPTS and LOGIN_WINDOW"}},
		{"switch", Config{Switch: "no"}, []string{"RATE_LIMITS", `"no"`}},
		{"tier", Config{Tiers: []string{"standard=10", "Gold=2", "x=0"}}, []string{`"Gold=2"`, "x must be"}},
		{"no standard tier", Config{Tiers: []string{"partner=2"}}, []string{"standard is missing"}},
		{"address", Config{URL: "http://user:hunter2@127.0.0.1"}, []string{"LIMITS_URL"}},
		{"bad port", Config{URL: "redis://user:hunter2@127.0.0.1:x"}, []string{"LIMITS_URL"}},
	} {
		if test.config.Tiers == nil {
			test.config.Tiers = []string{"standard=10"}
		}
		_, err := New(Options{Config: test.config, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %q is not in %v", test.name, part, err)
			}
		}
	}
}

// BenchmarkTake measures the cost of a limit per request, from the client's address on.
func BenchmarkTake(b *testing.B) {
	limiter, _ := made(b, Config{}, time.Now)
	g := limiter.guarding(b, "GET", "/api/events")
	addresses := make([]netip.Addr, 1000)
	for n := range addresses {
		addresses[n] = netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)})
	}
	ctx := b.Context()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			count := g.take(ctx, Address(addresses[n%len(addresses)]))
			_ = remaining(g.operation, count.left, count.seconds)
		}
	})
}
