package limit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
)

// TestMain lets a busy machine take long to answer.
func TestMain(m *testing.M) {
	sharedTimeout = 10 * time.Second
	os.Exit(m.Run())
}

// servers returns the servers to test with: one in this process, and that of TEST_VALKEY_URL.
func servers(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"in this process": "redis://" + miniredis.RunT(t).Addr()}
	if address := os.Getenv("TEST_VALKEY_URL"); address != "" {
		all[address] = address
	}
	return all
}

// TestSharedCount: processes with the same LIMITS_URL share their counts; the long window keeps
// requests from expiring during the test.
func TestSharedCount(t *testing.T) {
	for name, address := range servers(t) {
		config := Config{URL: address, Rows: []string{"GET /api/events=60/24h"}}
		one, log := made(t, config, time.Now)
		other, _ := made(t, config, time.Now)
		guards := []*guard{one.guarding(t, "GET", "/api/events"), other.guarding(t, "GET", "/api/events")}
		client := User(uuid.NewString())
		for n := range 60 {
			got := guards[n%2].take(t.Context(), client)
			if got.refused || got.left != 59-n {
				t.Fatalf("%s: request %d: %+v", name, n+1, got)
			}
		}
		for _, g := range guards {
			if got := g.take(t.Context(), client); !got.refused || got.seconds > 24*60*60 {
				t.Errorf("%s: request 61: %+v", name, got)
			}
		}
		if log.Len() > 0 {
			t.Errorf("%s: %s", name, log)
		}
	}
}

// TestSharedAtOnce: of concurrent requests of one client at both processes, exactly the limit is
// allowed.
func TestSharedAtOnce(t *testing.T) {
	for name, address := range servers(t) {
		config := Config{URL: address, Rows: []string{"GET /api/events=20/24h"}}
		client, passed := User(uuid.NewString()), make(chan bool)
		for range 2 {
			limiter, _ := made(t, config, time.Now)
			g := limiter.guarding(t, "GET", "/api/events")
			for range 20 {
				go func() { passed <- !g.take(t.Context(), client).refused }()
			}
		}
		count := 0
		for range 40 {
			if <-passed {
				count++
			}
		}
		if count != 20 {
			t.Errorf("%s: %d of 40 are let through, want 20", name, count)
		}
	}
}

// TestSharedWaiting is TestWaitingIsEnough with shared counts, by the server's clock.
func TestSharedWaiting(t *testing.T) {
	server, clock := miniredis.RunT(t), newClock()
	server.SetTime(clock.at)
	move := func(d time.Duration) {
		clock.move(d)
		server.SetTime(clock.at)
		server.FastForward(d)
	}
	limiter, _ := made(t, Config{URL: "redis://" + server.Addr()}, clock.now)
	for _, route := range []string{"/api/events", "/api/venues"} {
		g := limiter.guarding(t, "GET", route)
		if got := passes(t, g, visitor); got != g.row.Max {
			t.Errorf("%s: %d are let through", route, got)
		}
		for n := range 100 {
			got := g.take(t.Context(), visitor)
			if !got.refused {
				continue
			}
			move(time.Duration(got.seconds) * time.Second)
			if again := g.take(t.Context(), visitor); again.refused {
				t.Fatalf("%s: request %d is refused again after %d s", route, n, got.seconds)
			}
		}
	}
}

// TestSharedExpires: a count leaves the server once it means nothing.
func TestSharedExpires(t *testing.T) {
	server := miniredis.RunT(t)
	limiter, _ := made(t, Config{URL: "valkey://" + server.Addr()}, time.Now)
	passes(t, limiter.guarding(t, "GET", "/api/events"), visitor)
	keys := server.Keys()
	if len(keys) != 1 || !strings.HasPrefix(keys[0], "litfass requests 60/1m0s GET /api/events address ") {
		t.Fatalf("got %q", keys)
	}
	server.FastForward(time.Minute + time.Second)
	if keys := server.Keys(); len(keys) != 0 {
		t.Errorf("still there: %q", keys)
	}
}

// TestSharedEqualsMemory: the script decides as usage.take does, however requests are timed.
func TestSharedEqualsMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 12))
	server, clock := miniredis.RunT(t), newClock()
	limiter, _ := made(t, Config{URL: "redis://" + server.Addr()}, clock.now)
	for n := range 12 {
		r := newRule(1+random.IntN(4*maxBlocks), time.Duration(1+random.IntN(600))*time.Second)
		var count usage
		for range 300 {
			clock.move(time.Duration(random.Int64N(3*r.window.Microseconds()/int64(r.max))) * time.Microsecond)
			if random.IntN(100) == 0 {
				clock.move(-r.window / 2) // set back
			}
			server.SetTime(clock.at)
			next := usage{times: slices.Clone(count.times), last: count.last}
			want := next.take(r, clock.at.UnixNano())
			if !want.refused { // a refusal is not stored
				count = next
			}
			if got, err := limiter.shared.take(t.Context(), r, fmt.Sprint(n)); err != nil || got != want {
				t.Fatalf("%+v: %+v, %v, want %+v", r, got, err, want)
			}
		}
	}
}

// TestStrangeCounts: the value of another program under the name of a count is no requests, and
// hides none for long.
func TestStrangeCounts(t *testing.T) {
	server := miniredis.RunT(t)
	limiter, log := made(t, Config{URL: "redis://" + server.Addr()}, time.Now)
	g := limiter.guarding(t, "GET", "/api/events")
	name := countsPrefix + g.quotas[""].name + visitor.String()
	now := time.Now().UnixMicro()
	for _, value := range []string{
		"", "1", "1803326400000000000", fmt.Sprint("0 ", now), fmt.Sprint("2 ", now), fmt.Sprint("-1 ", 9, " ", 8),
		"1" + strings.Repeat(" 1", maxBlocks+1), strings.Repeat("x", 100_000), "\x00\x00\x00\x00\x00\x00\x00\x01\x19\x07",
	} {
		if err := server.Set(name, value); err != nil {
			t.Fatal(err)
		}
		if got := g.take(t.Context(), visitor); got.refused || got.left != 59 {
			t.Errorf("%.20q: %+v", value, got)
		}
		if got := g.take(t.Context(), visitor); got.refused || got.left != 58 {
			t.Errorf("%.20q, again: %+v", value, got)
		}
	}
	future := strings.Repeat(fmt.Sprint(" ", now+time.Hour.Microseconds()), 60)
	if err := server.Set(name, "1"+future); err != nil {
		t.Fatal(err)
	}
	if got := g.take(t.Context(), visitor); !got.refused || got.seconds > 60 {
		t.Errorf("requests in the future: %+v", got)
	}
	if log.Len() > 0 {
		t.Error(log)
	}
	server.Del(name)
	if _, err := server.Lpush(name, "x"); err != nil {
		t.Fatal(err)
	}
	if got := passes(t, g, visitor); got != 60 || !strings.Contains(log.String(), "do not answer") {
		t.Errorf("a count of another type: %d are let through: %s", got, log)
	}
}

// TestServerAway: while the server is down each process counts separately, logs that once, and
// shares again soon after it is back.
func TestServerAway(t *testing.T) {
	server, clock := miniredis.RunT(t), newClock()
	limiter, log := made(t, Config{URL: "redis://" + server.Addr()}, clock.now)
	g := limiter.guarding(t, "GET", "/api/events")
	if g.take(t.Context(), visitor).refused || len(server.Keys()) != 1 {
		t.Fatal("not counted by the server")
	}
	server.Close()
	if got := passes(t, g, visitor); got != 60 {
		t.Errorf("%d are let through without a server", got)
	}
	if got := strings.Count(log.String(), "do not answer"); got != 1 {
		t.Errorf("said %d times: %s", got, log)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	server.FlushAll()
	if !g.take(t.Context(), visitor).refused || len(server.Keys()) != 0 {
		t.Error("asked the server within the pause")
	}
	clock.move(sharedPause)
	if g.take(t.Context(), visitor).refused || len(server.Keys()) != 1 || !strings.Contains(log.String(), "answer again") {
		t.Errorf("does not share again: %s", log)
	}
}

// TestServerRefuses: one that answers with errors counts as away, and its password is in no log.
func TestServerRefuses(t *testing.T) {
	server := miniredis.RunT(t)
	server.RequireUserAuth("litfass", "right")
	limiter, log := made(t, Config{URL: fmt.Sprintf("redis://litfass:hunter2@%s", server.Addr())}, newClock().now)
	if got := passes(t, limiter.guarding(t, "GET", "/api/events"), visitor); got != 60 {
		t.Errorf("%d are let through", got)
	}
	if !strings.Contains(log.String(), "do not answer") || strings.Contains(log.String(), "hunter2") {
		t.Errorf("log: %s", log)
	}
}

// TestServerHangs: one that does not answer costs one request the time-out, and the others nothing.
func TestServerHangs(t *testing.T) {
	patience := sharedTimeout
	sharedTimeout = 50 * time.Millisecond
	defer func() { sharedTimeout = patience }()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed by the test
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	limiter, log := made(t, Config{URL: "redis://" + listener.Addr().String()}, newClock().now)
	if got := passes(t, limiter.guarding(t, "GET", "/api/events"), visitor); got != 60 {
		t.Errorf("%d are let through", got)
	}
	if got := strings.Count(log.String(), "do not answer"); got != 1 {
		t.Errorf("said %d times: %s", got, log)
	}
}
