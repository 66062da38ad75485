package auth_test

import (
	"context"
	"net/netip"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

var (
	fiveIn5 = auth.Limit{Action: "login", Max: 5, Window: 5 * time.Minute}
	here    = netip.MustParseAddr("203.0.113.9")
	there   = netip.MustParseAddr("198.51.100.7")
)

// nodes returns limiters of two processes: each has a pool of its own.
func nodes(t *testing.T, clock *authtest.Clock) (*postgres.DB, [2]*auth.Limiter) {
	t.Helper()
	db, address := storetest.New(t)
	second, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	return db, [2]*auth.Limiter{auth.NewLimiter(db, clock.Now), auth.NewLimiter(second, clock.Now)}
}

func fail(t *testing.T, limiter *auth.Limiter, account string, from netip.Addr) {
	t.Helper()
	attempt, err := limiter.Take(t.Context(), fiveIn5, account, from)
	if err != nil {
		t.Fatal(err)
	}
	if err := limiter.Settle(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
}

func wantTooMany(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	if !fault.Is(err, fault.TooMany) || fault.Of(err).RetryAfter != wait {
		t.Errorf("got %v (retry after %s), want too many and %s", err, fault.Of(err).RetryAfter, wait)
	}
}

func TestLimitHoldsAcrossNodes(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	_, nodes := nodes(t, clock)
	for i := range 5 {
		fail(t, nodes[i%2], "anna", netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}))
		clock.Move(30 * time.Second)
	}
	for _, node := range nodes {
		_, err := node.Take(t.Context(), fiveIn5, "anna", there)
		wantTooMany(t, err, 150*time.Second)
	}
	if _, err := nodes[1].Take(t.Context(), fiveIn5, "bert", there); err != nil {
		t.Errorf("another account suffers: %v", err)
	}
	clock.Move(150 * time.Second)
	if _, err := nodes[1].Take(t.Context(), fiveIn5, "anna", there); err != nil {
		t.Errorf("after the oldest left the window: %v", err)
	}
}

func TestLimitByAddress(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	_, nodes := nodes(t, clock)
	for i := range 5 {
		fail(t, nodes[i%2], "account "+strconv.Itoa(i), here)
	}
	_, err := nodes[0].Take(t.Context(), fiveIn5, "anna", here)
	wantTooMany(t, err, 5*time.Minute)
	if _, err := nodes[0].Take(t.Context(), fiveIn5, "anna", there); err != nil {
		t.Errorf("another address suffers: %v", err)
	}
	line := netip.MustParseAddr("2001:db8:1:2::1")
	for range 5 {
		line = line.Next()
		fail(t, nodes[0], "", line)
	}
	_, err = nodes[1].Take(t.Context(), fiveIn5, "", netip.MustParseAddr("2001:db8:1:2:ffff::1"))
	wantTooMany(t, err, 5*time.Minute)
	if _, err := nodes[1].Take(t.Context(), auth.Limit{Action: "signup", Max: 5, Window: time.Minute}, "", here); err != nil {
		t.Errorf("another action suffers: %v", err)
	}
}

// TestGuessesAtOnce sends them before any has an outcome, through both nodes.
func TestGuessesAtOnce(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	_, nodes := nodes(t, clock)
	var mutex sync.Mutex
	var wait sync.WaitGroup
	let, refused := 0, 0
	for i := range 40 {
		wait.Go(func() {
			_, err := nodes[i%2].Take(t.Context(), fiveIn5, "anna", netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}))
			mutex.Lock()
			defer mutex.Unlock()
			switch {
			case err == nil:
				let++
			case fault.Is(err, fault.TooMany):
				refused++
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if let != 5 || refused != 35 {
		t.Errorf("%d were let through and %d refused, want 5 and 35", let, refused)
	}
	_, err := nodes[0].Take(t.Context(), fiveIn5, "anna", there)
	wantTooMany(t, err, time.Second) // they may yet be cancelled
	clock.Move(2 * time.Minute)
	_, err = nodes[0].Take(t.Context(), fiveIn5, "anna", there)
	wantTooMany(t, err, 3*time.Minute) // their process has died: they count
}

// TestCancelledAttemptsDoNotCount: neither for the account nor for the address.
func TestCancelledAttemptsDoNotCount(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	_, nodes := nodes(t, clock)
	for range 20 {
		attempt, err := nodes[0].Take(t.Context(), fiveIn5, "anna", here)
		if err != nil {
			t.Fatal(err)
		}
		if err := nodes[1].Cancel(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForgive: attempts at an account are forgotten, and still count for their address.
func TestForgive(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	db, nodes := nodes(t, clock)
	for range 4 {
		fail(t, nodes[0], "anna", here)
	}
	fail(t, nodes[0], "anna", netip.Addr{})
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return nodes[1].Forgive(ctx, tx, "login", "anna") })
	fail(t, nodes[0], "anna", there)
	fail(t, nodes[0], "bert", here) // the fifth of this address
	_, err := nodes[0].Take(t.Context(), fiveIn5, "cora", here)
	wantTooMany(t, err, 5*time.Minute)
}

func TestAttemptsWithoutAnythingToCountBy(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	_, nodes := nodes(t, clock)
	for range 10 {
		fail(t, nodes[0], "", netip.Addr{})
	}
}

// TestCountAll: an attempt counts at every account, and at none if one account refuses.
func TestCountAll(t *testing.T) {
	t.Parallel()
	_, nodes := nodes(t, authtest.NewClock())
	count := func(accounts ...string) error {
		var limits []auth.AccountLimit
		for _, account := range accounts {
			limits = append(limits, auth.AccountLimit{Limit: auth.Limit{Action: "ask", Max: 2, Window: time.Hour}, Account: account})
		}
		return nodes[0].CountAll(t.Context(), limits...)
	}
	for _, step := range []struct {
		accounts []string
		refused  bool
	}{
		{[]string{"anna", "speicher"}, false}, {[]string{"bert", "speicher"}, false},
		{[]string{"cora", "speicher"}, true}, {[]string{"anna"}, false}, {[]string{"anna"}, true},
		{[]string{"cora", "museum"}, false}, {[]string{"cora"}, false}, {[]string{"cora"}, true},
		{[]string{"museum", "museum"}, false}, {[]string{"museum"}, true},
	} {
		if err := count(step.accounts...); fault.Is(err, fault.TooMany) != step.refused || err != nil && !step.refused {
			t.Errorf("%v: %v", step.accounts, err)
		}
	}
}
