package applied

import (
	"maps"
	"slices"
	"strings"
)

// setEntries sets the rendered entries of dates, given by id. The dates of an event stand next to
// each other: their entries share the parts in which they are equal.
func setEntries(dates []Date, entries map[string]string) {
	for len(dates) > 0 {
		same := 1
		for same < len(dates) && event(dates[same]) == event(dates[0]) {
			same++
		}
		var texts []string
		var shown []*Date
		for i := range dates[:same] {
			if text := entries[dates[i].ID]; text != "" {
				texts, shown = append(texts, text), append(shown, &dates[i])
			}
		}
		for i, parts := range split(texts) {
			shown[i].Entry = parts
		}
		dates = dates[same:]
	}
}

// event returns the JSON of the uuid of a date's event.
func event(d Date) string {
	if d.After != nil {
		return string(d.After["uuid"])
	}
	return string(d.Before["uuid"])
}

// split divides texts of JSON into parts, which are equal in all texts where their members are.
func split(texts []string) [][]string {
	members, parts := make([][]string, len(texts)), make([][]string, len(texts))
	for i, text := range texts {
		members[i] = strings.SplitAfter(text, `,"`)
		if len(members[i]) != len(members[0]) {
			for i, text := range texts {
				parts[i] = []string{text}
			}
			return parts
		}
	}
	equal := func(at int) bool {
		return !slices.ContainsFunc(members, func(m []string) bool { return m[at] != members[0][at] })
	}
	for from := 0; len(texts) > 0 && from < len(members[0]); {
		to, shared := from+1, equal(from)
		for to < len(members[0]) && equal(to) == shared {
			to++
		}
		for i, m := range members {
			parts[i] = append(parts[i], strings.Join(m[from:to], ""))
		}
		from = to
	}
	return parts
}

// WithoutEntries returns the batch without its entries and views, which takes less room.
func (b Batch) WithoutEntries() Batch {
	b.Dates, b.Changed = slices.Clone(b.Dates), maps.Clone(b.Changed)
	for i := range b.Dates {
		b.Dates[i].Entry = nil
	}
	for index, records := range b.Changed {
		b.Changed[index] = slices.Clone(records)
		for i := range records {
			b.Changed[index][i].View = ""
		}
	}
	return b
}
