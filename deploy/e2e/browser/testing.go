package browser

import (
	"context"
	"testing"
	"time"
)

// patience is the time that a test waits for a journey, which ends before on its own.
const patience = 16 * time.Minute

// Start is Open for a test, which fails without a browser. The browser ends with it.
func Start(t testing.TB) *Browser {
	t.Helper()
	b, err := Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Run walks a journey and fails the test with everything that went wrong on it.
func (b *Browser) Run(t testing.TB, j Journey) Result {
	t.Helper()
	j.Pictures = true
	result := b.Try(t, j)
	for _, failure := range result.Failures {
		t.Errorf("%s: %s", j.Name, failure)
	}
	if len(result.Pictures) > 0 {
		t.Logf("%s: the pages are in %q", j.Name, result.Pictures)
	}
	return result
}

// Try walks a journey that may go wrong.
func (b *Browser) Try(t testing.TB, j Journey) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	result, err := b.Walk(ctx, j)
	if err != nil {
		t.Fatalf("%s: %v", j.Name, err)
	}
	return result
}
