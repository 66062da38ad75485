package variants

import (
	"strconv"
	"testing"
)

func TestHotIsBounded(t *testing.T) {
	const limit = 16 << 20
	h := newHot(limit)
	const size = 100 << 10
	for i := range 1000 {
		h.put(strconv.Itoa(i), make([]byte, size))
		if _, found := h.get("0"); !found {
			t.Fatalf("what is asked for all the time is gone after %d others", i)
		}
		if h.bytes > limit {
			t.Fatalf("%d bytes are kept", h.bytes)
		}
	}
	if want := h.cache.Len() * (size + hotOverhead); h.bytes != want || h.cache.Len() < 100 {
		t.Errorf("%d bytes are counted for %d variants", h.bytes, h.cache.Len())
	}
	if _, found := h.get("500"); found {
		t.Error("what was not asked for stays")
	}
	h.put("0", make([]byte, 1))
	if data, _ := h.get("0"); len(data) != 1 {
		t.Errorf("%d bytes instead of the new one", len(data))
	}
	if want := (h.cache.Len()-1)*(size+hotOverhead) + 1 + hotOverhead; h.bytes != want {
		t.Errorf("%d bytes are counted, want %d", h.bytes, want)
	}
}
