package applied

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"litfass/pkg/contracts/document"
)

// read are the attributes that filters, order and words read of a date.
var read = func() map[string]bool {
	names := map[string]bool{}
	for _, settings := range document.Indexes {
		if settings.Name == document.Dates {
			for _, name := range slices.Concat(settings.Searchable, settings.Equal, settings.Compare, settings.Sortable) {
				names[name] = true
			}
		}
	}
	for _, name := range ignored {
		delete(names, name)
	}
	return names
}()

// ignored are the attributes that no cached answer depends on.
var ignored = append([]string{"revision"}, document.EarlierAttributes...)

// Changes returns the changes of dates as a search notices them when some documents replace others,
// by id: of each event that has one all dates, also those that stayed as they were, each with its
// rendered entry where more than the times of change differ.
func Changes(before, after map[string]Attributes) []Date {
	byEvent := map[string][]Date{}
	touched, shown := map[string]bool{}, map[string]bool{}
	add := func(id string) {
		date, differs := compare(id, before[id], after[id])
		of := event(date)
		byEvent[of] = append(byEvent[of], date)
		touched[of] = touched[of] || differs
		shown[of] = shown[of] || differs && !date.OnlyRetimed()
	}
	for id := range after {
		add(id)
	}
	for id := range before {
		if after[id] == nil {
			add(id)
		}
	}
	var dates []Date
	entries := map[string]string{}
	for _, of := range slices.Sorted(maps.Keys(touched)) {
		if !touched[of] {
			continue
		}
		slices.SortFunc(byEvent[of], func(a, b Date) int { return cmp.Compare(a.ID, b.ID) })
		for _, date := range byEvent[of] {
			date.Revision = revisionOf(after[date.ID])
			dates = append(dates, date)
			if shown[of] && date.After != nil {
				entries[date.ID] = entryOf(after[date.ID])
			}
		}
	}
	setEntries(dates, entries)
	return dates
}

// compare returns the change of a date when one document replaces another; nil is no document.
// differs is false if a search does not notice it.
func compare(id string, before, after Attributes) (date Date, differs bool) {
	date = Date{ID: id, Before: reduced(before), After: reduced(after)}
	for _, documents := range [][2]Attributes{{before, after}, {after, before}} {
		for name, value := range documents[0] {
			if other, exists := documents[1][name]; slices.Contains(ignored, name) || (exists && bytes.Equal(value, other)) {
				continue
			}
			differs = true
			date.Shown = date.Shown || !read[name]
		}
	}
	return date, differs
}

// entryOf returns the rendered entry of a document; "" of one in an earlier form.
func entryOf(d Attributes) (entry string) {
	if json.Unmarshal(d[document.EntryAttributes[0]], &entry) != nil {
		return ""
	}
	return entry
}

// revisionOf returns the revision of a document; 0 of none.
func revisionOf(d Attributes) (revision int64) {
	if json.Unmarshal(d["revision"], &revision) != nil {
		return 0
	}
	return revision
}

// changedAt is the attribute of the time of a date's last change, which every edit of its event
// sets.
const changedAt = "changed_at"

// OnlyRetimed reports whether at most the time of its change differs in a date.
func (d Date) OnlyRetimed() bool { return !d.Shown && d.IsFoundAlike() }

// IsFoundAlike reports whether every search finds a date as before: at most the time of its change
// and its rendered entry differ.
func (d Date) IsFoundAlike() bool {
	if d.Before == nil || d.After == nil || len(d.Before) != len(d.After) {
		return false
	}
	for name, value := range d.After {
		if name != changedAt && !bytes.Equal(d.Before[name], value) {
			return false
		}
	}
	return true
}

// reduced returns the attributes of a document that a search reads; nil of none.
func reduced(document Attributes) Attributes {
	if document == nil {
		return nil
	}
	attributes := Attributes{}
	for name, value := range document {
		if read[name] {
			attributes[name] = value
		}
	}
	return attributes
}
