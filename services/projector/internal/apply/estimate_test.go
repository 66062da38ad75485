package apply

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/value"
	"litfass/services/projector/internal/testkit"
)

// TestEstimatesAreNearTheDocuments: the documents of an event with much of any field have at most
// twice the bytes that were expected.
func TestEstimatesAreNearTheDocuments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Wörter und noch mehr ", 2000)
	for name, edit := range map[string]func(*change.Event){
		"little":      func(*change.Event) {},
		"title":       func(e *change.Event) { e.Title = long[:2000] },
		"summary":     func(e *change.Event) { e.Summary = value.Text(long[:9000]) },
		"description": func(e *change.Event) { e.Description = value.Text(long) },
		"tags":        func(e *change.Event) { e.Tags = strings.Fields(long)[:100] },
		"labels":      func(e *change.Event) { e.Labels = slices.Repeat([]string{strings.Repeat("a", 100)}, 20) },
		"contributors": func(e *change.Event) {
			for i := range 100 {
				e.Contributors = append(e.Contributors, change.Participant{
					UUID: testkit.ID(), Name: fmt.Sprint(i, long[:400]), FormerUUIDs: []string{testkit.ID(), testkit.ID()},
				})
			}
		},
		"translations": func(e *change.Event) {
			e.Texts = map[string]change.EventText{}
			for _, language := range []string{"da", "de", "en"} {
				e.Texts[language] = change.EventText{Title: "a", Summary: value.Text(long[:9000]), Description: value.Text(long)}
			}
		},
		"hours": func(e *change.Event) {
			for i := range e.Dates {
				e.Dates[i].EndDate = "2027-11-30"
				e.Dates[i].Hours = hours.Hours{Weekly: []hours.Weekly{{Day: "tue", From: "10:00", To: "18:00"}, {Day: "sat", From: "20:00", To: "02:00"}}}
			}
		},
	} {
		c := testkit.Event(t, testkit.ID(), 1, "title", testkit.ID(), testkit.ID(), testkit.ID())
		e, err := change.Read[change.Event](c)
		if err != nil {
			t.Fatal(err)
		}
		edit(&e)
		c = testkit.Change(t, change.KindEvent, c.ID, 1, e)
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		documents, err := project.New(testkit.PublicURL, testkit.TimeZone).Project(c)
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, d := range append([]document.Date{}, documents.Dates...) {
			line, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			bytes += len(line)
		}
		if got := estimateOf(c, data).weight; bytes > 2*got || got > 4*bytes+4*len(data) {
			t.Errorf("%s: %d bytes of documents are estimated as %d", name, bytes, got)
		}
	}
}

// TestWhatTakesSomethingBack: withdrawals and cancellations, of an event or one date, of any size.
func TestWhatTakesSomethingBack(t *testing.T) {
	t.Parallel()
	with := func(text int, status, ofDate string) change.Change {
		c := testkit.Event(t, testkit.ID(), 1, `"release_status":"cancelled"`, testkit.ID(), testkit.ID())
		e, err := change.Read[change.Event](c)
		if err != nil {
			t.Fatal(err)
		}
		e.Description, e.ReleaseStatus, e.Dates[1].ReleaseStatus = value.Text(strings.Repeat("x", text)), status, ofDate
		return testkit.Change(t, change.KindEvent, c.ID, 1, e)
	}
	for _, text := range []int{0, certainlySmall} {
		for _, c := range []struct {
			change change.Change
			want   bool
		}{
			{with(text, "released", "inherited"), false},
			{with(text, "cancelled", "inherited"), true},
			{with(text, "released", "deferred"), true},
			{with(text, "rescheduled", "inherited"), true},
			{testkit.Change(t, change.KindEvent, testkit.ID(), 1, nil), true},
			{testkit.Change(t, change.KindVenue, testkit.ID(), 1, nil), false},
		} {
			data, err := c.change.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if got := estimateOf(c.change, data).urgent; got != c.want {
				t.Errorf("%d characters, %.80s: urgent %v", text, data, got)
			}
			if want := c.change.ID; c.change.Kind == change.KindEvent && !c.change.Gone() && laneOf(c.change) != want {
				t.Errorf("lane %q, want %q", laneOf(c.change), want)
			}
		}
	}
}

// TestSlicesTakeTheirTime: a slice grows or shrinks towards the time that it should take, at most
// to twice or a quarter of its size, within bounds.
func TestSlicesTakeTheirTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bytes int
		took  time.Duration
		want  int
	}{
		{200_000, sliceTime, 200_000}, {200_000, 2 * sliceTime, 100_000}, {800_000, 100 * sliceTime, 200_000},
		{200_000, sliceTime / 100, 400_000}, {mostSlice, 0, mostSlice}, {leastSlice, time.Hour, leastSlice},
	} {
		if got := adapted(c.bytes, c.took); got != c.want {
			t.Errorf("%d bytes took %v: %d next, want %d", c.bytes, c.took, got, c.want)
		}
	}
}
