package editing

import (
	"context"
	"fmt"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/catalogue/rules"
)

// PatchEvent applies an edit to any fields of an event at once, its lists of dates and links among
// them: one edit in the audit and one change on the stream (RULES.md, Edits). The edit replaces a
// list whole: a date or a link without a uuid is new, and a stored one that is missing is removed.
// It returns the faults of Release, and Invalid for a uuid of a date or link that the event does
// not have.
func (e *Editor) PatchEvent(
	ctx context.Context, at Target, edit func(*rules.Event) error,
) (Versioned[EventView], error) {
	return e.Release(ctx, at, func(event *rules.Event) error {
		dates, links := event.Dates, event.EventLinks
		if err := edit(event); err != nil {
			return err
		}
		// The edit may run again, on the same lists.
		event.Dates, event.EventLinks = slices.Clone(event.Dates), slices.Clone(event.EventLinks)
		bad, err := identifyDates(event.Dates, dates)
		if err != nil {
			return err
		}
		if bad = append(bad, foreignLinks(event.EventLinks, links)...); len(bad) > 0 {
			event.Normalize()
			return invalid(rules.KindEvent, withOthers(bad, event.Validate()))
		}
		return leaveOutMissing(event, dates)
	})
}

// withOthers adds the violations of fields that are not named yet.
func withOthers(bad, others fault.Violations) fault.Violations {
	for _, other := range others {
		if !slices.ContainsFunc(bad, func(v fault.Violation) bool { return v.Field == other.Field }) {
			bad = append(bad, other)
		}
	}
	return bad
}

// identifyDates gives new dates their uuids, and stored ones the rule that made them. The
// violations are those of dates that the client identifies otherwise.
func identifyDates(dates, stored []rules.Date) (bad fault.Violations, err error) {
	known := make(map[string]rules.Date, len(stored))
	for _, date := range stored {
		known[date.UUID] = date
	}
	for i := range dates {
		date := &dates[i]
		date.Normalize()
		was, exists := known[date.UUID]
		switch {
		case exists:
			fill(&date.RuleUUID, was.RuleUUID)
			fill(&date.RecurrenceID, was.RecurrenceID)
		case date.UUID != "":
			bad.Add(dateField(i)+".uuid", reason.UnknownOrHidden)
			continue
		default:
			if date.UUID, err = newUUID(); err != nil {
				return nil, err
			}
			was.UUID = date.UUID
			if _, given := date.AvailabilityVersion.Number(); given {
				bad.Add(dateField(i)+".availability_version", reason.FromClient)
			}
		}
		for _, violation := range identityChanges(was, *date) {
			violation.Field = dateField(i) + "." + violation.Field
			bad = append(bad, violation)
		}
	}
	return bad, nil
}

// fill sets a value that is absent.
func fill[T comparable](value *T, to T) {
	var absent T
	if *value == absent {
		*value = to
	}
}

// foreignLinks returns the violations of links with a uuid that the event does not have.
func foreignLinks(links, stored []rules.EventLink) (bad fault.Violations) {
	for i := range links {
		links[i].Normalize()
		same := func(known rules.EventLink) bool { return known.UUID == links[i].UUID }
		if links[i].UUID != "" && !slices.ContainsFunc(stored, same) {
			bad.Add(fmt.Sprintf("event_links[%d].uuid", i), reason.UnknownOrHidden)
		}
	}
	return bad
}

// leaveOutMissing removes the dates that an event no longer has from the rules that made them.
func leaveOutMissing(event *rules.Event, stored []rules.Date) error {
	left := make(map[string]bool, len(event.Dates))
	for _, date := range event.Dates {
		left[date.UUID] = true
	}
	for _, date := range stored {
		if date.RuleUUID == "" || left[date.UUID] {
			continue
		}
		if err := leaveOut(event, date, recurrence.This); err != nil {
			return err
		}
	}
	return nil
}
