package eventimport

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// The name of the dates among the fields of a report.
const fieldDates = "dates"

// text formats a stored date, with only the fields that the file has.
func (d *fileDate) text(of *rules.Date) string {
	parts := []string{startOf(of)}
	if of.EndDate != "" || of.EndTime != "" {
		parts[0] += "–" + strings.TrimSpace(string(of.EndDate+" "+of.EndTime))
	}
	for _, part := range []struct{ field, text string }{
		{eventfile.FieldEntryTime, string(of.EntryTime)},
		{eventfile.FieldVenue, placeText(of.VenueUUID, of.SpaceUUID)},
		{eventfile.FieldTicketLink, string(of.TicketLink)},
		{eventfile.FieldStatus, of.ReleaseStatus},
		{eventfile.FieldStatusNote, string(of.StatusNote)},
		{eventfile.FieldAvailability, string(of.Availability)},
		{eventfile.FieldPlaces, labelled(eventfile.FieldPlaces, of.RemainingPlaces.String())},
		{eventfile.FieldOnSaleFrom, labelled(eventfile.FieldOnSaleFrom, string(of.OnSaleFrom))},
		{eventfile.FieldOnSaleUntil, labelled(eventfile.FieldOnSaleUntil, string(of.OnSaleUntil))},
		{eventfile.FieldPreviousStart, labelled(eventfile.FieldPreviousStart, string(of.PreviousStart))},
		{eventfile.FieldDateTariffs, tariffsText(of.Tariffs)},
		{eventfile.FieldAccessibility, string(of.AccessibilityInfo)},
	} {
		if d.has(part.field) && part.text != "" && part.text != rules.StatusInherited {
			parts = append(parts, part.text)
		}
	}
	if d.hours && !of.Hours.Empty() {
		parts = append(parts, hoursText(of.Hours))
	}
	return strings.Join(parts, ", ")
}

// hoursText formats opening hours with their exceptions.
func hoursText(h hours.Hours) string {
	parts := []string{h.Text(language.Codes[0])}
	for _, c := range h.Closed {
		parts = append(parts, "closed "+c.From+"–"+c.To)
	}
	for _, s := range h.Special {
		parts = append(parts, s.Date+" "+s.From+"–"+s.To)
	}
	return strings.Join(parts, "; ")
}

// copyTo copies the fields that the file has to a stored date.
func (d *fileDate) copyTo(to *rules.Date) {
	from := &d.date
	to.StartDate, to.StartTime, to.EndDate, to.EndTime = from.StartDate, from.StartTime, from.EndDate, from.EndTime
	to.AllDay = from.AllDay
	if d.hours || !from.AllDay || from.EndDate == "" { // else the period keeps its own
		to.Hours = from.Hours
	}
	if d.has(eventfile.FieldEntryTime) || from.AllDay {
		to.EntryTime = from.EntryTime
	}
	if d.has(eventfile.FieldVenue) {
		to.VenueUUID, to.SpaceUUID = from.VenueUUID, from.SpaceUUID
	}
	if d.has(eventfile.FieldTicketLink) {
		to.TicketLink = from.TicketLink
	}
	if d.has(eventfile.FieldStatus) {
		to.ReleaseStatus = from.ReleaseStatus
	}
	d.copyTickets(to)
	if d.has(eventfile.FieldStatusNote) {
		to.StatusNote, to.AccessibilityInfo = from.StatusNote, from.AccessibilityInfo
	}
}

// labelled writes a value that would not be clear without the name of its field, "" for none.
func labelled(field, text string) string {
	if text == "" {
		return ""
	}
	return field + " " + text
}

// copyTickets is copyTo for whether there are places, when tickets are sold, the former start, and
// the tariffs.
func (d *fileDate) copyTickets(to *rules.Date) {
	from := &d.date
	if d.has(eventfile.FieldAvailability) {
		to.Availability = from.Availability
	}
	if d.has(eventfile.FieldPlaces) {
		to.RemainingPlaces = from.RemainingPlaces
	}
	if d.has(eventfile.FieldOnSaleFrom) {
		to.OnSaleFrom = from.OnSaleFrom
	}
	if d.has(eventfile.FieldOnSaleUntil) {
		to.OnSaleUntil = from.OnSaleUntil
	}
	if d.has(eventfile.FieldPreviousStart) {
		to.PreviousStart = from.PreviousStart
	}
	if d.has(eventfile.FieldDateTariffs) {
		to.Tariffs = slices.Clone(from.Tariffs)
	}
}

// mergeDates merges the dates of a file into the event. A date is found by its key. A date with a
// new key is matched with the next coming date that is no longer in the file: it was probably
// moved. Dates are never removed.
func (m *merger) mergeDates(event *rules.Event, w *fileEvent) error {
	left := map[string]recordDate{} // the recorded dates without a date of the file yet
	for _, r := range m.last.Dates {
		left[r.Key] = r
	}
	var fresh []*fileDate
	for i := range w.dates {
		d := &w.dates[i]
		r, known := left[d.key]
		if !known {
			fresh = append(fresh, d)
			continue
		}
		delete(left, d.key)
		if err := m.mergeDate(event, d, r, true); err != nil {
			return err
		}
	}
	for _, d := range fresh {
		r, known := m.movable(event, left)
		delete(left, r.Key)
		if err := m.mergeDate(event, d, r, known); err != nil {
			return err
		}
	}
	m.noteMissing(event, w, left)
	slices.SortFunc(m.next.Dates, func(a, b recordDate) int { return strings.Compare(a.Key, b.Key) })
	return nil
}

// movable returns the first coming date that is no longer in the file.
func (m *merger) movable(event *rules.Event, left map[string]recordDate) (recordDate, bool) {
	for _, r := range m.last.Dates {
		if _, still := left[r.Key]; still && r.Key >= m.today && indexOf(event, r.UUID) >= 0 {
			return r, true
		}
	}
	return recordDate{}, false
}

// mergeDate merges one date into the recorded date, into one that people have added at the same
// time, or adds it.
func (m *merger) mergeDate(event *rules.Event, d *fileDate, r recordDate, known bool) error {
	file := d.text(&d.date)
	place := indexOf(event, r.UUID)
	if place >= 0 && r.Cancelled && event.Dates[place].ReleaseStatus == rules.StatusCancelled {
		event.Dates[place].ReleaseStatus = rules.StatusInherited // it is in the file again
		m.changes = append(m.changes, adminapi.ImportChange{
			Field: fieldDates, Before: value.Text(startOf(&event.Dates[place]) + ", " + rules.StatusCancelled),
			After: value.Text(startOf(&event.Dates[place])),
		})
	}
	if !known {
		place = m.indexAt(event, startOf(&d.date))
	}
	here := ""
	if place >= 0 {
		here = d.text(&event.Dates[place])
	}
	next := recordDate{Key: d.key, UUID: r.UUID, Digest: r.Digest}
	if m.decide(fieldDates, here, file, r.Digest, known || place >= 0) {
		if place < 0 {
			id, err := uuid.NewV7()
			if err != nil {
				return err
			}
			place = len(event.Dates)
			event.Dates = append(event.Dates, rules.Date{UUID: id.String(), ReleaseStatus: rules.StatusInherited})
		}
		d.copyTo(&event.Dates[place])
		here = file
	}
	if place >= 0 {
		next.UUID = event.Dates[place].UUID
	}
	if here == file || next.Digest == "" {
		next.Digest = digest(file)
	}
	if next.Texts = r.Texts; place >= 0 && d.texts != nil {
		m.translate(event, d, &next)
	}
	m.next.Dates = append(m.next.Dates, next)
	return nil
}

// translate merges the translations of the texts of a date, which are a value of their own.
func (m *merger) translate(event *rules.Event, d *fileDate, next *recordDate) {
	given := d.textsBeside(event.TextLanguage)
	here, file := textOfTexts(event.TextsOfDate(next.UUID)), textOfTexts(given)
	if m.decide(fieldDates, here, file, next.Texts, next.Texts != "" || here != "") {
		event.TranslateDate(next.UUID, given)
		here = file
	}
	if here == file {
		next.Texts = digestOfTexts(given)
	}
}

// translate gives a new event, whose dates are in the order of the file, the translations of their
// texts.
func (w *fileEvent) translate(event *rules.Event) {
	for i := range w.dates {
		if given := w.dates[i].textsBeside(event.TextLanguage); len(given) > 0 {
			event.TranslateDate(event.Dates[i].UUID, given)
		}
	}
}

// textsBeside returns the translations of the texts of a date but for those in the language of the
// original, which may be another one here.
func (d *fileDate) textsBeside(original value.Text) map[string]adminapi.DateText {
	texts := maps.Clone(d.texts)
	delete(texts, string(original))
	return texts
}

// digestOfTexts is digest for translations; "" for none.
func digestOfTexts(texts map[string]adminapi.DateText) string {
	if text := textOfTexts(texts); text != "" {
		return digest(text)
	}
	return ""
}

// textOfTexts writes the translations of the texts of a date, "" for none.
func textOfTexts(texts map[string]adminapi.DateText) string {
	var all []string
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		if t := texts[language]; t != (adminapi.DateText{}) {
			all = append(all, language+": "+string(t.StatusNote+" / "+t.AccessibilityInfo))
		}
	}
	return strings.Join(all, "; ")
}

// noteMissing keeps in the record the dates of the event that are no longer in the file, and
// reports the coming ones, or cancels or removes them.
func (m *merger) noteMissing(event *rules.Event, w *fileEvent, left map[string]recordDate) {
	for _, r := range m.last.Dates {
		if _, still := left[r.Key]; !still {
			continue
		}
		place := indexOf(event, r.UUID)
		if place < 0 {
			continue
		}
		at := startOf(&event.Dates[place])
		if at >= m.today && m.mayVanish(event, w, place, r) {
			if m.vanish(event, place) {
				continue
			}
			r.Cancelled = true
		} else if at >= m.today {
			m.missing = append(m.missing, at)
		}
		m.next.Dates = append(m.next.Dates, r)
	}
}

// mayVanish reports whether a missing date of a public event is cancelled or removed: it is as the
// last import has left it.
func (m *merger) mayVanish(event *rules.Event, w *fileEvent, place int, r recordDate) bool {
	d := &event.Dates[place]
	return m.vanished != adminapi.MissingKeep && rules.PublicStatus(event.ReleaseStatus) && len(w.dates) > 0 &&
		d.ReleaseStatus != rules.StatusCancelled && digest(w.dates[0].text(d)) == r.Digest
}

// vanish cancels a date, or removes it.
func (m *merger) vanish(event *rules.Event, place int) (removed bool) {
	d := &event.Dates[place]
	difference := adminapi.ImportChange{Field: fieldDates, Before: value.Text(startOf(d))}
	if m.vanished == adminapi.MissingDraft {
		event.Dates = slices.Delete(event.Dates, place, place+1)
	} else {
		d.ReleaseStatus = rules.StatusCancelled
		difference.After = value.Text(startOf(d) + ", " + rules.StatusCancelled)
	}
	m.changes = append(m.changes, difference)
	return m.vanished == adminapi.MissingDraft
}

// indexOf returns the index of a date in the event's list, or -1.
func indexOf(event *rules.Event, date string) int {
	return slices.IndexFunc(event.Dates, func(d rules.Date) bool { return d.UUID == date })
}

// indexAt returns the index of a date with this start that no import has added, or -1.
func (m *merger) indexAt(event *rules.Event, start string) int {
	recorded := func(id string) bool {
		named := func(r recordDate) bool { return r.UUID == id }
		return slices.ContainsFunc(m.last.Dates, named) || slices.ContainsFunc(m.next.Dates, named)
	}
	return slices.IndexFunc(event.Dates, func(d rules.Date) bool { return startOf(&d) == start && !recorded(d.UUID) })
}

// record returns the record of a new event, whose dates are in the order of the file's.
func (w *fileEvent) record(event *rules.Event, dates []rules.Date) record {
	r := record{ExternalID: w.externalID, EventUUID: event.UUID, Digests: map[string]string{}, Dates: []recordDate{}}
	for _, f := range fields {
		if slices.Contains(w.fields, f.name) {
			r.Digests[f.name] = digest(f.read(w.event))
		}
	}
	for i := range w.dates {
		d := &w.dates[i]
		r.Dates = append(r.Dates, recordDate{
			Key: d.key, UUID: dates[i].UUID, Digest: digest(d.text(&d.date)), Texts: digestOfTexts(d.textsBeside(event.TextLanguage)),
		})
	}
	slices.SortFunc(r.Dates, func(a, b recordDate) int { return strings.Compare(a.Key, b.Key) })
	return r
}

// newEvent returns an event of the file with the defaults.
func (w *fileEvent) newEvent(org string, defaults *rules.Event) *rules.Event {
	e := &rules.Event{OrgUUID: org, ReleaseStatus: defaults.ReleaseStatus}
	for _, f := range fields {
		f.copy(e, w.event)
	}
	if len(e.EventTypes) == 0 {
		e.EventTypes = slices.Clone(defaults.EventTypes)
	}
	if len(e.Languages) == 0 {
		e.Languages = slices.Clone(defaults.Languages)
	}
	for i := range w.dates {
		e.Dates = append(e.Dates, w.dates[i].date)
	}
	return e
}
