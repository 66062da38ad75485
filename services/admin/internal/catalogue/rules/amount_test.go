package rules_test

import (
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// eventOf returns an event with a description and so many dates.
func eventOf(dates, description int) *rules.Event {
	return &rules.Event{Description: value.Text(strings.Repeat("ä", description)), Dates: make([]rules.Date, dates)}
}

// TestTextsAndDatesAreBoundTogether: all texts count that dates are searched by, and an event that
// has too many already may keep or lessen them.
func TestTextsAndDatesAreBoundTogether(t *testing.T) {
	t.Parallel()
	const most = adminapi.MaxSearched
	with := func(dates int, change func(*rules.Event)) *rules.Event {
		e := eventOf(dates, most/1000-200)
		change(e)
		return e
	}
	for _, c := range []struct {
		name          string
		before, after *rules.Event
		field         string // refused; "" for none
	}{
		{"as much as allowed", nil, eventOf(100, most/100), ""},
		{"more", nil, eventOf(100, most/100+1), "description"},
		{"without dates", nil, eventOf(0, 100_000), ""},
		{"a translation", nil, with(1000, func(e *rules.Event) {
			e.Texts = adminapi.EventTexts{"da": {Description: value.Text(strings.Repeat("x", most/1000-200))}}
		}), "description"},
		{"a longer translation", nil, with(1000, func(e *rules.Event) {
			e.Texts = adminapi.EventTexts{"da": {Summary: value.Text(strings.Repeat("x", most/1000))}}
		}), "texts.da.summary"},
		{"tags", nil, with(1000, func(e *rules.Event) { e.Tags = slices.Repeat([]string{"a long tag"}, 21) }), "description"},
		{"contributors", nil, with(1000, func(e *rules.Event) { e.Contributors = make([]rules.EventContributor, 100) }), "contributors"},
		{"a title", nil, with(1000, func(e *rules.Event) { e.Title = strings.Repeat("x", 201) }), "description"},
		{"a subtitle", nil, with(1000, func(e *rules.Event) { e.Subtitle = value.Text(strings.Repeat("x", 201)) }), "description"},
		{"stored already", eventOf(1000, 50_000), eventOf(1000, 50_000), ""},
		{"stored already, less", eventOf(1000, 50_000), eventOf(999, 50_000), ""},
		{"stored already, more dates", eventOf(999, 50_000), eventOf(1000, 50_000), "dates"},
		{"stored already, longer", eventOf(1000, 50_000), eventOf(1000, 50_001), "description"},
		{"too many dates", eventOf(1, 20_000), eventOf(501, 20_000), "dates"},
	} {
		refused := c.after.CheckSearched(c.before)
		switch {
		case c.field == "" && len(refused) > 0, c.field != "" && (len(refused) != 1 || refused[0].Field != c.field):
			t.Errorf("%s: %+v, want %q", c.name, refused, c.field)
		}
	}
}

// TestTheLargestPartOfASnapshotIsNamed: the client learns what to shorten.
func TestTheLargestPartOfASnapshotIsNamed(t *testing.T) {
	t.Parallel()
	for field, e := range map[string]*rules.Event{
		"description": eventOf(1, 10_000),
		"dates":       eventOf(1000, 10_000),
		"texts":       {Texts: adminapi.EventTexts{"da": {Description: "et langt ord eller flere"}}, Description: "ord"},
	} {
		if refused := e.RefuseSnapshot(9_000_000); len(refused) != 1 || refused[0].Field != field {
			t.Errorf("%+v, want %s", refused, field)
		}
	}
}
