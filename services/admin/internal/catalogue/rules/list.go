package rules

import (
	"slices"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/value"
)

// Normalize brings every value into its stored form. The entries keep their order.
func (l *List) Normalize() {
	cleanLower(&l.UUID, &l.Slug)
	cleanLower(&l.OrgUUID)
	cleanLines(&l.Name)
	cleanTexts(&l.Description)
	for i := range l.Titles {
		cleanLower(&l.Titles[i].Language)
		cleanLines(&l.Titles[i].Title)
		cleanTexts(&l.Titles[i].Description)
	}
	l.Titles = orEmpty(l.Titles)
	for i := range l.Entries {
		cleanLower(&l.Entries[i].EventUUID)
		cleanLower(&l.Entries[i].DateUUID)
		cleanTexts(&l.Entries[i].Note)
	}
	l.Entries = orEmpty(l.Entries)
}

// Validate returns every value that breaks a rule.
func (l *List) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", l.UUID)
	c.reference("org_uuid", string(l.OrgUUID))
	c.slug("slug", l.Slug)
	c.required("name", l.Name, adminapi.MaxName)
	c.visible("name", l.Name)
	c.text("description", string(l.Description), adminapi.MaxText)
	c.listTitles(l.Titles)
	c.listEntries(l.Entries)
	return *c.violations
}

func (c checker) listTitles(titles []adminapi.ListTitle) {
	if len(titles) > len(language.Codes) {
		c.bad("titles", reason.TooMany(len(language.Codes)))
		return
	}
	seen := map[string]bool{}
	for i, title := range titles {
		at := c.at("titles", i)
		at.siteLanguage("language", title.Language)
		if seen[title.Language] {
			at.bad("language", reason.GivenTwice)
		}
		seen[title.Language] = true
		at.required("title", title.Title, adminapi.MaxName)
		at.visible("title", title.Title)
		at.text("description", string(title.Description), adminapi.MaxText)
	}
}

func (c checker) listEntries(entries []adminapi.ListEntry) {
	if len(entries) > adminapi.MaxListEntries {
		c.bad("entries", reason.TooMany(adminapi.MaxListEntries))
		return
	}
	seen, characters := map[EntryKey]bool{}, 0
	for i, entry := range entries {
		characters += utf8.RuneCountInString(string(entry.Note))
		at := c.at("entries", i)
		at.uuid("event_uuid", entry.EventUUID)
		at.reference("date_uuid", string(entry.DateUUID))
		if key := KeyOf(entry); seen[key] {
			at.bad("", reason.GivenTwice)
		} else {
			seen[key] = true
		}
		at.text("note", string(entry.Note), adminapi.MaxReason)
	}
	if characters > adminapi.MaxListNotes {
		c.bad("entries", reason.TooLong(adminapi.MaxListNotes))
	}
}

// EntryKey distinguishes the entries of a list: an event, or one of its dates.
type EntryKey struct{ Event, Date string }

// KeyOf returns the key of an entry.
func KeyOf(entry adminapi.ListEntry) EntryKey {
	return EntryKey{entry.EventUUID, string(entry.DateUUID)}
}

// PlacedEntry is an entry of a list with the place where it is to be.
type PlacedEntry struct {
	EventUUID string     `json:"event_uuid"`
	DateUUID  value.Text `json:"date_uuid"`
	Note      value.Text `json:"note"`
	// Place is 0 for the first, null for the place that the entry has, or else the end.
	Place *int `json:"place"`
}

// Normalize brings every value into its stored form.
func (p *PlacedEntry) Normalize() {
	cleanLower(&p.EventUUID)
	cleanLower(&p.DateUUID)
	cleanTexts(&p.Note)
}

// Validate returns every value that breaks a rule.
func (p *PlacedEntry) Validate() fault.Violations {
	c := newChecker()
	c.uuid("event_uuid", p.EventUUID)
	c.reference("date_uuid", string(p.DateUUID))
	c.text("note", string(p.Note), adminapi.MaxReason)
	c.number("place", p.Place, 0, adminapi.MaxListEntries-1)
	return *c.violations
}

// Put writes an entry, which need not be on the list yet, at its place.
func (l *List) Put(p PlacedEntry) {
	entry := adminapi.ListEntry{EventUUID: p.EventUUID, DateUUID: p.DateUUID, Note: p.Note}
	at := l.index(KeyOf(entry))
	if at >= 0 && p.Place == nil {
		l.Entries[at] = entry
		return
	}
	l.Take(KeyOf(entry))
	to := len(l.Entries)
	if p.Place != nil {
		to = min(*p.Place, to)
	}
	l.Entries = slices.Insert(l.Entries, to, entry)
}

// Take removes an entry and reports whether the list had it.
func (l *List) Take(key EntryKey) bool {
	at := l.index(key)
	if at >= 0 {
		l.Entries = slices.Delete(l.Entries, at, at+1)
	}
	return at >= 0
}

func (l *List) index(key EntryKey) int {
	return slices.IndexFunc(l.Entries, func(e adminapi.ListEntry) bool { return KeyOf(e) == key })
}
