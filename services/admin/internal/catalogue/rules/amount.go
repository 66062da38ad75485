package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
)

// nameWeight is what the name of a contributor counts in searched, which does not know the name.
const nameWeight = 100

// searched returns the number of characters of each field by which every date of the event is
// searched. The index has them once for each date.
func (e *Event) searched() map[string]int {
	fields := map[string]int{
		"title": characters(e.Title), "subtitle": characters(e.Subtitle), "summary": characters(e.Summary), "description": characters(e.Description),
		"contributors": nameWeight * len(e.Contributors),
	}
	for _, tag := range e.Tags {
		fields["tags"] += characters(tag)
	}
	for language, text := range e.Texts {
		at := "texts." + language + "."
		fields[at+"title"], fields[at+"subtitle"] = characters(text.Title), characters(text.Subtitle)
		fields[at+"summary"], fields[at+"description"] = characters(text.Summary), characters(text.Description)
	}
	return fields
}

func characters[T ~string](text T) int { return utf8.RuneCountInString(string(text)) }

// CheckSearched refuses texts that would be searched at so many dates that the index takes long to
// have them. before is the event before an edit, nil for a new one: events that are stored already
// may keep what they have.
func (e *Event) CheckSearched(before *Event) (refused fault.Violations) {
	fields := e.searched()
	each, was, dates := sum(fields), 0, 0
	if before != nil {
		was, dates = sum(before.searched()), len(before.Dates)
	}
	if all := each * len(e.Dates); all <= adminapi.MaxSearched || all <= was*dates {
		return nil
	}
	field := longest(fields)
	if before != nil && each <= was {
		field = "dates"
	}
	refused.Add(field, reason.TooMuchToSearch(each, len(e.Dates), adminapi.MaxSearched))
	return refused
}

// Bytes returns the size of the event in the catalogue file.
func (e *Event) Bytes() int {
	data, _ := json.Marshal(e) // it has nothing that JSON lacks
	return len(data)
}

// BytesOfContent is Bytes without what is said when the event or one of its dates does not take
// place as planned.
func (e *Event) BytesOfContent() int {
	content := *e
	content.ReleaseStatus, content.StatusNote, content.StatusChangedAt = "", "", ""
	content.Dates = slices.Clone(e.Dates)
	for i := range content.Dates {
		d := &content.Dates[i]
		d.ReleaseStatus, d.StatusNote, d.StatusChangedAt = "", "", ""
	}
	return content.Bytes()
}

// RefuseSnapshot returns the violation of an event whose change takes too many bytes for the
// stream. It names the field that takes most of them.
func (e *Event) RefuseSnapshot(bytes int) (refused fault.Violations) {
	sizes := map[string]int{}
	for field, part := range map[string]any{
		"contributors": e.Contributors, "dates": e.Dates, "description": e.Description, "event_links": e.EventLinks,
		"images": e.Images, "tariffs": e.Tariffs, "texts": e.Texts,
	} {
		data, _ := json.Marshal(part) // it has nothing that JSON lacks
		sizes[field] = len(data)
	}
	refused.Add(longest(sizes), reason.TooLargeSnapshot(bytes, change.MaxBytes))
	return refused
}

func sum(sizes map[string]int) (all int) {
	for _, size := range sizes {
		all += size
	}
	return all
}

// longest returns the name of the greatest size, the first by name of equal ones.
func longest(sizes map[string]int) (name string) {
	for _, next := range slices.Sorted(maps.Keys(sizes)) {
		if name == "" || sizes[next] > sizes[name] {
			name = next
		}
	}
	return name
}
