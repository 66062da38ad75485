package source

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/platform/remote"
)

// TestLongAnswersAreRefused: another program may answer with more than was asked for, of which each
// event takes time.
func TestLongAnswersAreRefused(t *testing.T) {
	t.Parallel()
	const one = `{"change": "entered", "uuid": "01920000-0000-7000-8000-0000000000c1", "entry": {}}`
	answer := ""
	l, err := newLitfass(func(context.Context, remote.Request) (remote.Answer, error) {
		return remote.Answer{Data: []byte(answer)}, nil
	}, "https://example.org/api/changes")
	if err != nil {
		t.Fatal(err)
	}
	several := func(n int) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	for n, want := range map[int]string{perPage: "", perPage + 1: "not_litfass"} {
		answer = fmt.Sprintf(`{"data": {"events": [%s]}}`, several(n))
		if _, err := l.list(t.Context(), nil, maxEvents); codeOf(err) != want {
			t.Errorf("%d events: %v", n, err)
		}
	}
	for n, want := range map[int]string{perAnswer: "", perAnswer + 1: "not_litfass"} {
		answer = fmt.Sprintf(`{"data": {"changes": [%s], "position": "a-1"}}`, several(n))
		if _, err := l.after(t.Context(), "a-0"); codeOf(err) != want {
			t.Errorf("%d changes: %v", n, err)
		}
	}
	for n, want := range map[int]bool{maxNoted: true, maxNoted + 1: false} {
		ids := make([]string, n)
		if pending, gone := (&feed{Pending: ids}).leadsOn(), (&feed{Gone: ids}).leadsOn(); pending != want || gone != want {
			t.Errorf("after %d pending events: %t, gone ones: %t", n, pending, gone)
		}
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.Of(err).Code
}

// TestOriginsAreAddresses: the origin of an event is public, and no link that does something else.
func TestOriginsAreAddresses(t *testing.T) {
	t.Parallel()
	const base, id = "https://a.example", "01920000-0000-7000-8000-0000000000c1"
	const own = base + eventPath + id
	for origin, want := range map[string]string{
		"": own, "https://b.example/event/x": "https://b.example/event/x", "http://b.example/x": "http://b.example/x",
		"javascript:alert(1)": own, "javascript://b.example/%0aalert(1)": own, "data:text/html,x": own, "/event/x": own,
		"https://anna:secret@b.example/": own, "https://b.example/ x": own, "https://b.example/\x00": own, "webcal://b.example/x": own,
		"https://b.example/" + strings.Repeat("x", 2_048): own,
	} {
		if got := originOf(&publicapi.Event{UUID: id, Origin: value.Text(origin)}, base); got != want {
			t.Errorf("%q: %q, want %q", origin, got, want)
		}
	}
	for page, want := range map[string]string{
		own: base, own + "?date=x": base, "javascript://x/%0aalert(1)//event/" + id: "", "ftp://a.example/event/" + id: "", "/event/" + id: "",
	} {
		if got := (foundEvent{UUID: id, PageURL: page}).base(); got != want {
			t.Errorf("the page %q: %q, want %q", page, got, want)
		}
	}
}

// TestAnswersAreCounted before they are decoded, and as they are kept: neither many small objects
// nor many long events take much memory.
func TestAnswersAreCounted(t *testing.T) {
	answer, asked := `{"data": {"events": [`+strings.Repeat("{},", 1<<20)+"{}]}}", 0
	l, err := newLitfass(func(context.Context, remote.Request) (remote.Answer, error) {
		asked++
		return remote.Answer{Data: []byte(answer)}, nil
	}, "https://example.org/api/changes")
	if err != nil {
		t.Fatal(err)
	}
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := l.list(t.Context(), nil, maxEvents); codeOf(err) != "not_litfass" {
			t.Error(err)
		}
	})
	if allocated > 1_000 {
		t.Errorf("%.0f allocations", allocated)
	}
	asked = 0
	const id = "01920000-0000-7000-8000-0000000000c1"
	answer = `{"data": {"uuid": "` + id + `", "description": "` + strings.Repeat("x", 1<<20) + `"}}`
	wanted := make([]string, maxRead)
	for i := range wanted {
		wanted[i] = id
	}
	_, read, err := readEvents(t.Context(), l, &feed{}, wanted)
	if err != nil || len(read) != asked || asked > maxReadBytes>>20+1 {
		t.Errorf("%d events are read in %d answers: %v", len(read), asked, err)
	}
}
