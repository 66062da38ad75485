package auth

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

var cheap = Params{Memory: 64, Time: 1, Threads: 1}

func TestVerify(t *testing.T) {
	hasher := NewHasher(cheap, 2, time.Minute)
	encoded, err := hasher.Hash(t.Context(), "Grüße an die Küste")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(encoded, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("%q is no PHC string of argon2id", encoded)
	}
	tests := []struct {
		name, encoded, password string
		want                    bool
	}{
		{"the password", encoded, "Grüße an die Küste", true},
		{"the same with separate accents", encoded, "Gru\u0308ße an die Ku\u0308ste", true},
		{"another one", encoded, "Grusse an die Kuste", false},
		{"in another case", encoded, "grüße an die küste", false},
		{"nothing", encoded, "", false},
		{"of no account", "", "Grüße an die Küste", false},
	}
	for _, test := range tests {
		got, err := hasher.Verify(t.Context(), test.encoded, test.password)
		if err != nil || got != test.want {
			t.Errorf("%s: %t, %v", test.name, got, err)
		}
	}
}

func TestVerifyCostsTheSameForNoAccount(t *testing.T) {
	hasher := NewHasher(cheap, 1, time.Minute)
	encoded, err := hasher.Hash(t.Context(), "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range []string{encoded, ""} {
		before := hasher.Hashes()
		if _, err := hasher.Verify(t.Context(), stored, "something else"); err != nil {
			t.Fatal(err)
		}
		if did := hasher.Hashes() - before; did != 1 {
			t.Errorf("stored %q: %d hashes, want 1", stored, did)
		}
	}
	if params, _, _, err := decode(hasher.unknown); err != nil || params != cheap {
		t.Errorf("the hash of no account has parameters %+v, %v", params, err)
	}
}

func TestDamagedHashesAreErrors(t *testing.T) {
	hasher := NewHasher(cheap, 1, time.Minute)
	good, _ := hasher.Hash(t.Context(), "correct horse battery")
	for _, stored := range []string{
		"$2b$12$abcdefghijklmnopqrstuv", "$argon2id$", strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "t=1", "t=0", 1), strings.Replace(good, "m=64", "m=4294967295", 1), good + "A", good[:len(good)-4],
	} {
		if ok, err := hasher.Verify(t.Context(), stored, "correct horse battery"); err == nil || ok {
			t.Errorf("%q was accepted: %t, %v", stored, ok, err)
		}
	}
}

func TestOutdated(t *testing.T) {
	old, _ := NewHasher(cheap, 1, time.Minute).Hash(t.Context(), "correct horse battery")
	newer := NewHasher(Params{Memory: 128, Time: 1, Threads: 1}, 1, time.Minute)
	if !newer.Outdated(old) || newer.Outdated(newer.unknown) {
		t.Error("a hash is outdated when its parameters differ, and only then")
	}
	if ok, err := newer.Verify(t.Context(), old, "correct horse battery"); !ok || err != nil {
		t.Errorf("an outdated hash must still verify: %t, %v", ok, err)
	}
}

// TestNoMoreHashesAtOnce occupies the only slot itself, so that the result does not depend on the
// machine's speed.
func TestNoMoreHashesAtOnce(t *testing.T) {
	hasher := NewHasher(cheap, 1, time.Minute)
	if err := hasher.running.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	results := make(chan error, 50)
	for range cap(results) {
		wait.Go(func() {
			_, err := hasher.Hash(ctx, "correct horse battery")
			results <- err
		})
	}
	cancel()
	wait.Wait()
	for range cap(results) {
		err := <-results
		if !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter <= 0 {
			t.Fatalf("got %v, want Unavailable with a time to come back", err)
		}
	}
	if hasher.Hashes() != 0 {
		t.Errorf("%d hashes were computed beside the one allowed", hasher.Hashes())
	}
	hasher.running.Release(1)
	if _, err := hasher.Hash(t.Context(), "correct horse battery"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func BenchmarkHash(b *testing.B) {
	hasher := NewHasher(DefaultParams, 1, time.Minute)
	for b.Loop() {
		if _, err := hasher.Hash(b.Context(), "correct horse battery"); err != nil {
			b.Fatal(err)
		}
	}
}
