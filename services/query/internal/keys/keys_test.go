package keys

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/change"
)

func known(t *testing.T, text, tier string) change.Key {
	t.Helper()
	digest, ok := change.HashKey(text)
	if !ok {
		t.Fatalf("%q is no key", text)
	}
	return change.Key{Hash: hex.EncodeToString(digest[:]), Revision: 1, Tier: tier}
}

// TestClient: which keys are valid, and until when.
func TestClient(t *testing.T) {
	now := time.Date(2027, 3, 5, 20, 0, 0, 0, time.UTC)
	k := New(func() time.Time { return now })
	end := now.Add(time.Hour)
	ending := known(t, "lfk_ending", "partner")
	ending.ExpiresAt = &end
	k.Replace([]change.Key{known(t, "lfk_one", "standard"), ending})
	k.Change(known(t, "lfk_two", "partner"))
	tiers := map[string]string{"lfk_one": "standard", "lfk_two": "partner", "lfk_ending": "partner"}
	for text, tier := range tiers {
		want := limit.Key(known(t, text, tier).Hash[:idLength], tier)
		if got, ok := k.Client(text); !ok || got != want {
			t.Errorf("%s: %q, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "lfk_", "lfk_three", "one", "LFK_ONE", " lfk_one", "lfk_one ", "lfk_one,lfk_two", "Bearer lfk_one",
		"lfk_" + strings.Repeat("x", 200_000), known(t, "lfk_one", "").Hash, "lfk_\x00",
	} {
		if got, ok := k.Client(text); ok {
			t.Errorf("%.40q counts as %s", text, got)
		}
	}
	now = end
	if _, ok := k.Client("lfk_ending"); ok {
		t.Error("a key outlives its end")
	}
	k.Change(known(t, "lfk_two", ""))
	if _, ok := k.Client("lfk_two"); ok {
		t.Error("a revoked key counts")
	}
	k.Replace(nil)
	if _, ok := k.Client("lfk_one"); ok || k.Count() != 0 {
		t.Error("a key is still known")
	}
}

// TestOwner: keys of one owner and tier count together, and no others.
func TestOwner(t *testing.T) {
	k := New(time.Now)
	for text, owner := range map[string]string{"lfk_a": "anna", "lfk_b": "anna", "lfk_c": "bert", "lfk_d": ""} {
		key := known(t, text, "standard")
		key.Owner = owner
		k.Change(key)
	}
	partner := known(t, "lfk_e", "partner")
	partner.Owner = "anna"
	k.Change(partner)
	client := func(text string) limit.Client {
		found, ok := k.Client(text)
		if !ok {
			t.Fatalf("%s is not known", text)
		}
		return found
	}
	if client("lfk_a") != client("lfk_b") {
		t.Error("two keys of one owner count apart")
	}
	for _, other := range []string{"lfk_c", "lfk_d", "lfk_e"} {
		if client("lfk_a") == client(other) {
			t.Errorf("%s counts with lfk_a", other)
		}
	}
}

func BenchmarkClient(b *testing.B) {
	k := New(time.Now)
	text := "lfk_" + strings.Repeat("x", 43)
	digest, _ := change.HashKey(text)
	k.Change(change.Key{Hash: hex.EncodeToString(digest[:]), Revision: 1, Tier: "standard"})
	b.ReportAllocs()
	for b.Loop() {
		k.Client(text)
	}
}
