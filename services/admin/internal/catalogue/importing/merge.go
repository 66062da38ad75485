package importing

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// field is a field of an event that a file may have. read returns its value as text, "" for none.
type field struct {
	name string
	read func(*rules.Event) string
	copy func(to, from *rules.Event)
}

var fields = []field{
	{eventfile.FieldTitle, func(e *rules.Event) string { return e.Title },
		func(to, from *rules.Event) { to.Title = from.Title }},
	{eventfile.FieldSubtitle, func(e *rules.Event) string { return string(e.Subtitle) },
		func(to, from *rules.Event) { to.Subtitle = from.Subtitle }},
	{eventfile.FieldSummary, func(e *rules.Event) string { return string(e.Summary) },
		func(to, from *rules.Event) { to.Summary = from.Summary }},
	{eventfile.FieldDescription, func(e *rules.Event) string { return string(e.Description) },
		func(to, from *rules.Event) { to.Description = from.Description }},
	{eventfile.FieldVenue, func(e *rules.Event) string { return placeText(e.VenueUUID, e.SpaceUUID) },
		func(to, from *rules.Event) { to.VenueUUID, to.SpaceUUID = from.VenueUUID, from.SpaceUUID }},
	{eventfile.FieldSourceLink, func(e *rules.Event) string { return string(e.SourceLink) },
		func(to, from *rules.Event) { to.SourceLink = from.SourceLink }},
	{eventfile.FieldOnlineLink, func(e *rules.Event) string { return string(e.OnlineLink) },
		func(to, from *rules.Event) { to.OnlineLink = from.OnlineLink }},
	{eventfile.FieldTags, func(e *rules.Event) string { return strings.Join(e.Tags, ", ") },
		func(to, from *rules.Event) { to.Tags = slices.Clone(from.Tags) }},
	{eventfile.FieldLanguages, func(e *rules.Event) string { return strings.Join(e.Languages, ", ") },
		func(to, from *rules.Event) { to.Languages = slices.Clone(from.Languages) }},
}

func placeText(venue, space value.Text) string {
	return strings.TrimSuffix(string(venue+"/"+space), "/")
}

// merger brings what a file says into a stored event. It decides each value by three states: what
// the file said the last time, what it says now, and what is stored.
type merger struct {
	was       record
	overwrite bool
	today     string // dates before it are not moved, nor missed
	shown     func(name, text string) value.Text

	changes, kept []adminapi.ImportChange
	missing       []string
	next          record
}

// merge changes the event. m then says what has changed, what is kept, and what to remember.
func (m *merger) merge(event *rules.Event, w *wanted) error {
	m.changes, m.kept, m.missing = nil, nil, nil
	m.next = record{
		ExternalID: w.externalID, EventUUID: event.UUID, Digests: maps.Clone(m.was.Digests), Dates: []recordedDate{},
	}
	if m.next.Digests == nil {
		m.next.Digests = map[string]string{}
	}
	for _, f := range fields {
		if !slices.Contains(w.given, f.name) {
			continue
		}
		file, here := f.read(w.event), f.read(event)
		base, known := m.was.Digests[f.name]
		if m.decide(f.name, here, file, base, known || here != "") {
			f.copy(event, w.event)
		}
		if file == f.read(event) || digest(file) == base {
			m.next.Digests[f.name] = digest(file)
		}
	}
	return m.mergeDates(event, w)
}

// decide reports whether the file's value takes the place of the stored one, and notes what
// differs. base is the digest of what the file said before. known is false where there is nothing
// to keep: the file said nothing before, and nothing is stored.
func (m *merger) decide(name, here, file, base string, known bool) bool {
	if here == file {
		return false
	}
	difference := adminapi.ImportChange{Field: name, Before: m.shown(name, here), After: m.shown(name, file)}
	if m.overwrite || !known || base == digest(here) {
		m.changes = append(m.changes, difference)
		return true
	}
	m.kept = append(m.kept, difference)
	return false
}

// remembersNew reports whether there is anything to remember that is not remembered yet.
func (m *merger) remembersNew() bool {
	was, err := json.Marshal(m.was)
	if err != nil {
		return true
	}
	next, err := json.Marshal(m.next)
	return err != nil || string(was) != string(next)
}
