package event

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// history is a page of the writes of an event.
type history struct {
	*sheet
	page    adminapi.Page
	entries []entry
}

// entry is one write of an event.
type entry struct {
	adminapi.HistoryEntry
	existed  bool // the event was there before
	changes  []change
	restores []restore
}

// change is a field before and after a write.
type change struct{ key, label, before, after string }

// restore has the fields of a form that restores the values of a part before a write.
type restore struct {
	part  string
	label string // of its fields that change
	base  string
	undo  string // the values, as JSON
}

// showHistory is the page of the history of an event.
func showHistory(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	if err := r.Require(s.event.OrgUUID, permission.EditEvent); err != nil {
		return err
	}
	found, err := r.Admin().History(s.event.UUID, view.Paged(url.Values{"page": r.Query["page"]}))
	if err != nil {
		return err
	}
	s.readSeries()
	h, past := history{sheet: s, page: found.Page}, version.PastOf(s.values)
	for _, written := range found.Entries {
		h.entries = append(h.entries, s.entry(written, past))
	}
	return s.Show(view.Page{
		Title: r.Text.T("event.history") + " · " + s.title(), Section: s.event.OrgUUID, Content: historyPage(h),
	})
}

// entry returns a write with its changes in words, and with the parts that can be restored.
func (s *sheet) entry(written adminapi.HistoryEntry, past *version.Past) entry {
	before, after := version.ReadValues(written.Before), version.ReadValues(written.After)
	whole := past.Back(before, after)
	before, after = before.Readable(), after.Readable()
	e := entry{HistoryEntry: written, existed: before != nil}
	for _, key := range historyKeys() {
		_, was := before[key]
		_, is := after[key]
		if !was && !is {
			continue
		}
		if c := s.change(key, before, after); e.existed || c.before != c.after {
			e.changes = append(e.changes, c)
		}
	}
	for _, g := range allGroups() {
		if again, can := s.restoreOf(g, whole); can {
			e.restores = append(e.restores, again)
		}
	}
	return e
}

// changedBy returns who has changed some of the keys last, and when, as a sentence; "" when that is
// not known.
func (s *sheet) changedBy(keys []string) string {
	return version.ChangedBy(s.Request, s.event.UUID, version.HasAny(keys))
}

// allGroups returns the groups in the order of their sections on the page.
func allGroups() []group {
	var all []group
	for _, section := range slices.Concat(shortForm, folded) {
		all = append(all, groups[section]...)
	}
	return all
}

// keysBeside are the keys of an event that belong to no group, in the order in which the history
// shows them.
var keysBeside = []string{
	"dates", "venue_uuid", "space_uuid", "images", "event_links", "release_status", "org_uuid", "labels", "text_language", "texts",
	"series", "contributors",
}

// historyKeys returns the keys that the history shows.
func historyKeys() []string {
	var keys []string
	for _, g := range allGroups() {
		keys = append(keys, g.keys...)
	}
	return append(keys, keysBeside...)
}

// change writes a field before and after a write.
func (s *sheet) change(key string, before, after version.Values) change {
	c := change{key: key, label: s.Text.T("event.field." + key), before: s.past(key, before), after: s.past(key, after)}
	if c.before == c.after && before != nil { // such as a remark on a date
		c.after = s.Text.T("event.history.details")
	}
	return c
}

// maxShown is how many characters of a value the history shows.
const maxShown = 1_000

// past writes a value as it was at some time.
func (s *sheet) past(key string, values version.Values) string {
	words := s.print(key, values[key])
	switch key {
	case "dates", "images", "event_links":
		words = s.list(key, values) + values.More(key)
	case "series":
		words = s.seriesWords(values)
	case "contributors":
		words = s.contributorWords(values)
	case "venue_uuid", "space_uuid", "org_uuid":
		words = s.reference(key, values.Text(key))
	}
	if runes := []rune(words); len(runes) > maxShown {
		return string(runes[:maxShown]) + " …"
	}
	return words
}

// reference names an organization or place of an event. Of former ones only the uuid is known,
// which means nothing to people.
func (s *sheet) reference(key, uuid string) string {
	names := map[string]string{
		string(s.event.VenueUUID): string(s.event.VenueName), string(s.event.SpaceUUID): string(s.event.SpaceName),
		s.event.OrgUUID: s.event.OrgName,
	}
	for _, membership := range s.Memberships() {
		names[membership.OrgUUID] = membership.OrgName
	}
	switch {
	case uuid == "":
		return s.Text.T("event.nothing")
	case names[uuid] != "":
		return names[uuid]
	}
	return s.Text.T("event.history.other." + key)
}

// list writes the dates, images or links of a write.
func (s *sheet) list(key string, values version.Values) string {
	var dates []adminapi.Date
	var images []adminapi.Image
	var links []adminapi.Link
	switch key {
	case "dates":
		_ = values.Read(key, &dates) // an unreadable value is shown as nothing
	case "images":
		_ = values.Read(key, &images)
	case "event_links":
		_ = values.Read(key, &links)
	}
	var words []string
	for _, date := range dates {
		words = append(words, dateWords(s.Text, date))
	}
	for _, image := range images {
		words = append(words, cmp.Or(string(image.AltText), s.Text.Count("event.images", 1)))
	}
	for _, link := range links {
		words = append(words, cmp.Or(string(link.Label), link.URL))
	}
	return cmp.Or(strings.Join(words, "; "), s.Text.T("event.nothing"))
}

// readSeries reads the titles of the series of the event. The history does not depend on them.
func (s *sheet) readSeries() {
	uuids := make([]string, len(s.event.Series))
	for i, of := range s.event.Series {
		uuids[i] = of.SeriesUUID
	}
	if len(uuids) == 0 {
		return
	}
	choices, _ := s.Admin().ChoosableSeries(uuids, "")
	s.series = map[string]string{}
	for _, choice := range choices {
		s.series[choice.UUID] = choice.Title
	}
}

// seriesWords writes the series of a write with the state of the event in each.
func (s *sheet) seriesWords(values version.Values) string {
	var all []adminapi.EventSeries
	_ = values.Read("series", &all) // an unreadable value is shown as nothing
	words := make([]string, len(all))
	for i, of := range all {
		title := cmp.Or(s.series[of.SeriesUUID], s.Text.T("event.history.other.series"))
		words[i] = title + " (" + s.Text.T("series.state."+of.State) + ")"
	}
	return cmp.Or(strings.Join(words, "; "), s.Text.T("event.nothing"))
}

// contributorWords writes the contributors of a write with their roles. Of former ones only the
// uuid is known.
func (s *sheet) contributorWords(values version.Values) string {
	var all []adminapi.EventContributor
	_ = values.Read("contributors", &all) // an unreadable value is shown as nothing
	roles, _ := s.Lookup().Choices("contributor-roles")
	words := make([]string, len(all))
	for i, of := range all {
		words[i] = s.Text.T("event.history.other.contributor")
		for _, named := range s.event.NamedContributors {
			if named.UUID == of.UUID {
				words[i] = named.Name
			}
		}
		words[i] += " (" + roles.Name(of.Role) + ")"
	}
	return cmp.Or(strings.Join(words, "; "), s.Text.T("event.nothing"))
}

// restoreOf returns the fields that restore a group to its values before a write; false when the
// person may not do so, or when nothing would change.
func (s *sheet) restoreOf(g group, before version.Values) (restore, bool) {
	if s.locked(g) {
		return restore{}, false
	}
	part, earlier, labels := s.partOf(g), version.Values{}, []string(nil)
	for _, key := range g.keys {
		if _, changed := before[key]; changed && before.DigestOf(key) != s.values.DigestOf(key) {
			earlier[key] = before[key]
			labels = append(labels, part.Names[key])
		}
	}
	undo, err := json.Marshal(earlier)
	if len(earlier) == 0 || err != nil {
		return restore{}, false
	}
	return restore{part: g.name, label: strings.Join(labels, ", "), base: part.Base(s.values), undo: string(undo)}, true
}

// who returns the author of a write, in words.
func (h history) who(e entry) string {
	name := string(e.ActorName)
	if e.Own {
		name = h.Text.T("event.history.you")
	}
	switch {
	case name != "" && e.WithKey:
		return h.Text.With("event.history.with_key", "Name", name)
	case name != "":
		return name
	case e.WithKey:
		return h.Text.T("event.history.key")
	}
	return h.Text.T("event.history.outside")
}

// what describes the action; an unknown one is written as it is.
func (h history) what(e entry) string {
	if id := "event.history.did." + e.Action; h.Text.Has(id) {
		return h.Text.T(id)
	}
	return e.Action
}
