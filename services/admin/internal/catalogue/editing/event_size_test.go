package editing

import (
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// grown gives an event so many dates with notes, none of which is searched.
func grown(event *rules.Event, dates, note int) {
	event.Dates, event.DateRules = nil, nil
	for i := range dates {
		event.Dates = append(event.Dates, rules.Date{
			StartDate: fmt.Sprintf("2030-01-%02d", i%28+1), StartTime: value.Text(fmt.Sprintf("%02d:%02d", i/60%24, i%60)),
			AccessibilityInfo: value.Text(strings.Repeat("<", note)),
		})
	}
}

// TestEventsAreRefusedWhereTheyAreWritten: what the index or the stream would not take is refused
// in place of being published late or never, also while it is a draft and in the preview of an
// import, which writes it to roll it back.
func TestEventsAreRefusedWhereTheyAreWritten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(writesEvents|permission.ReleaseEvent, 0)
	for _, c := range []struct {
		name, field, code string
		fill              func(*rules.Event)
	}{
		{"searched", "description", "too_much_to_search", func(e *rules.Event) {
			e.Description = value.Text(strings.Repeat("x", 100_000))
			grown(e, 101, 0)
		}},
		{"bytes", "dates", "too_large_snapshot", func(e *rules.Event) { grown(e, 110, 9_900) }},
	} {
		event := h.draft()
		event.UUID = ""
		c.fill(event)
		tried, err := clone(event)
		if err != nil {
			t.Fatal(err)
		}
		_, refused := h.editor.CreateEvent(ctx, event)
		previewed, err := h.editor.TryEvents(ctx, []*rules.Event{tried}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{refused, previewed[0]} {
			if f := fault.Of(err); f == nil || f.Kind != fault.Invalid || len(f.Violations) != 1 ||
				f.Violations[0].Field != c.field || f.Violations[0].Code != c.code {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	kept := h.draft()
	kept.UUID = ""
	grown(kept, 95, 9_900)
	created, err := h.editor.CreateEvent(ctx, kept)
	if err != nil {
		t.Fatalf("an event that fits: %v", err)
	}
	h.exec(`UPDATE event SET description = repeat('<', 100000) WHERE uuid = $1`, created.Answer.UUID) // by an earlier release
	for name, c := range map[string]struct {
		edit func(*rules.Event)
		code string
	}{
		"a cancelled date": {func(e *rules.Event) { e.Dates[1].ReleaseStatus, e.Dates[1].StatusNote = "cancelled", "Sturm" }, ""},
		"a shorter text":   {func(e *rules.Event) { e.Dates[0].AccessibilityInfo = "" }, ""},
		"a longer text":    {func(e *rules.Event) { e.Subtitle = value.Text(strings.Repeat("x", 1000)) }, "invalid_event"},
	} {
		_, err = h.editor.UpdateEvent(ctx, Target{Key: created.Answer.UUID}, func(e *rules.Event) error { c.edit(e); return nil })
		if f := fault.Of(err); (err == nil) != (c.code == "") || err != nil && f.StableCode() != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}
