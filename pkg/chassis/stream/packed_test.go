package stream

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"litfass/pkg/contracts/applied"
)

// batchOf returns a batch of dates with attributes and entries; noise is the length of a part of
// each of them that cannot be compressed.
func batchOf(dates, attributeNoise, entryNoise int) *applied.Batch {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(length int) string {
		text := make([]byte, length)
		for i := range text {
			text[i] = byte('a' + random.IntN(26))
		}
		return string(text)
	}
	batch := &applied.Batch{Whole: true}
	for n := range dates {
		attributes := applied.Attributes{}
		for i := range 40 {
			attributes[fmt.Sprintf("attribute_%d", i)] = json.RawMessage(fmt.Sprint(n * i % 100))
		}
		attributes["words"] = json.RawMessage(`"` + noise(attributeNoise) + `"`)
		batch.Dates = append(batch.Dates, applied.Date{
			ID: fmt.Sprint(n), Before: attributes, After: attributes, Shown: true, Entry: []string{"shared", noise(entryNoise)},
		})
	}
	return batch
}

func TestLargeSignalsArePacked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what                 string
		batch                *applied.Batch
		packed, entries, all bool
	}{
		{what: "small", batch: batchOf(10, 10, 10), entries: true},
		{what: "large", batch: batchOf(1000, 10, 10), packed: true, entries: true},
		{what: "with large entries", batch: batchOf(500, 10, 2000), packed: true},
		{what: "too large", batch: batchOf(500, 2000, 0), all: true},
	} {
		data, err := encodeApplied(applied.Signal{Session: "s", Batches: 7, Sequence: 70, Batch: test.batch})
		if err != nil || len(data) > mostSignalled {
			t.Fatalf("%s: %d bytes, %v", test.what, len(data), err)
		}
		var earlier applied.Signal
		if err := json.Unmarshal(data, &earlier); err != nil || earlier.Batches != 7 || (earlier.Batch == nil) != test.packed {
			t.Errorf("%s: to earlier receivers %+v, %v", test.what, earlier, err)
		}
		var heard appliedSignal
		if err := json.Unmarshal(data, &heard); err != nil {
			t.Fatal(err)
		}
		want := *test.batch
		switch {
		case test.all:
			want = applied.Batch{All: true}
		case !test.entries:
			want = want.WithoutEntries()
		}
		if got := heard.unpacked(); got.Sequence != 70 || got.Batch == nil || !reflect.DeepEqual(*got.Batch, want) {
			t.Errorf("%s: another batch is heard", test.what)
		}
	}
}

func TestABatchThatCannotBeUnpackedMayHaveAlteredAnything(t *testing.T) {
	t.Parallel()
	for _, packed := range [][]byte{[]byte("noise"), packer().EncodeAll([]byte("no JSON"), nil)} {
		if got := (appliedSignal{Packed: packed}).unpacked(); got.Batch == nil || !got.Batch.All {
			t.Errorf("%q: %+v", packed, got.Batch)
		}
	}
}
