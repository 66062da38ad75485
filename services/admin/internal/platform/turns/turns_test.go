package turns

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// asked is a request for a place.
type asked struct {
	owner   string
	release func()
}

// order asks for places one after the other, then releases the oldest place again and again, and
// returns the owners in the order in which they had one.
func order(t *testing.T, p *Places, owners string) (had string) {
	t.Helper()
	taken := make(chan asked)
	var held []asked
	receive := func() {
		one := <-taken
		had += one.owner
		held = append(held, one)
	}
	for i, owner := range strings.Split(owners, "") {
		go func() {
			release, err := p.Take(t.Context(), owner)
			if err != nil {
				t.Error(err)
			}
			taken <- asked{owner, release}
		}()
		for p.asking()+len(held) <= i { // it has a place, or waits
			select {
			case one := <-taken:
				had += one.owner
				held = append(held, one)
			default:
				runtime.Gosched()
			}
		}
	}
	for len(had) < len(owners) {
		for p.taken() > len(held) {
			receive()
		}
		if len(had) < len(owners) {
			held[0].release()
			held = held[1:]
		}
	}
	for _, one := range held {
		one.release()
	}
	return had
}

// asking returns the number of requests that wait.
func (p *Places) asking() (count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, waiting := range p.waiting {
		count += len(waiting)
	}
	return count
}

// taken returns the number of places that are taken.
func (p *Places) taken() (count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.held {
		count += n
	}
	return count
}

func TestOwnersTakeTurns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		places, each int
		owners, want string
	}{
		"first come, first served": {1, 1, "abc", "abc"},
		"one comes after many":     {1, 1, "aaaab", "aabaa"},
		"two with many":            {1, 1, "aaabbb", "aababb"},
		"a place is left":          {2, 1, "aaab", "abaa"},
		"nothing but one":          {2, 1, "aaa", "aaa"},
		"several of each":          {3, 2, "aaaab", "aabaa"},
	} {
		for range 20 {
			if got := order(t, New(test.places, test.each), test.owners); got != test.want {
				t.Fatalf("%s: %s had places in the order %s, want %s", name, test.owners, got, test.want)
			}
		}
	}
}

// TestThoseWhoLeaveTakeNoPlace: neither while they wait nor at their turn.
func TestThoseWhoLeaveTakeNoPlace(t *testing.T) {
	t.Parallel()
	p := New(1, 1)
	release, err := p.Take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			again, err := p.Take(ctx, "b")
			if err == nil {
				again()
			}
			left <- err
		}()
		for p.asking() == 0 {
			runtime.Gosched()
		}
		go leave()
		release()
		if err := <-left; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if release, err = p.Take(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	release()
	release() // again, which does nothing
	if p.free != 1 || p.asking()+p.taken()+len(p.line) != 0 {
		t.Errorf("%d free, %v wait", p.free, p.waiting)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := p.Take(ended, "a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
