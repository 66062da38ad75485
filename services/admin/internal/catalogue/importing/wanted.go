package importing

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// wanted is an event of the file in the words of the catalogue.
type wanted struct {
	rows       []int
	externalID string
	event      *rules.Event // normalized; without uuids and dates
	given      []string     // the names of the fields that the file has
	dates      []wantedDate
	reasons    []adminapi.ImportReason
}

// wantedDate is a date of the file. What it has no column for is the zero value.
type wantedDate struct {
	row  int
	key  string // names it from one import to the next
	date rules.Date
	has  func(field string) bool
}

// longestID is how many characters of an external id are stored as they are.
const longestID = 500

// reader turns what a file says into what the catalogue holds.
type reader struct {
	places   places
	defaults rules.Event
	zone     *time.Location
}

// read returns what an event of a file is to become.
func (r reader) read(file eventfile.Event) *wanted {
	w := &wanted{rows: file.Rows, externalID: file.ExternalID, event: &rules.Event{}}
	if utf8.RuneCountInString(w.externalID) > longestID {
		sum := sha256.Sum256([]byte(w.externalID))
		w.externalID = "sha256:" + hex.EncodeToString(sum[:])
	}
	for _, reason := range file.Reasons {
		w.refuse(reason.Row, reason.Field, reason.Reason)
	}
	r.readValues(w, file.Values)
	r.readPlace(w, file.Values)
	w.event.Normalize()
	w.event.Arrange()
	for _, d := range file.Dates {
		w.dates = append(w.dates, r.readDate(w, file.Values, d))
	}
	return w
}

func (w *wanted) refuse(row int, field, reason string) {
	w.reasons = append(w.reasons, adminapi.ImportReason{Row: row, Field: field, Reason: reason})
}

// readValues reads the fields of the event itself.
func (r reader) readValues(w *wanted, values map[string]string) {
	e := w.event
	texts := map[string]*value.Text{
		eventfile.FieldSubtitle: &e.Subtitle, eventfile.FieldSummary: &e.Summary, eventfile.FieldDescription: &e.Description,
		eventfile.FieldSourceLink: &e.SourceLink, eventfile.FieldOnlineLink: &e.OnlineLink,
	}
	for name, text := range values {
		switch into := texts[name]; {
		case into != nil:
			*into = value.Text(text)
		case name == eventfile.FieldTitle:
			e.Title = text
		case name == eventfile.FieldTags:
			e.Tags = split(text, ",;")
		case name == eventfile.FieldLanguages:
			e.Languages = split(text, ",;/ ")
		default:
			continue
		}
		w.given = append(w.given, name)
	}
}

// split returns the parts of a list that are not empty.
func split(text, separators string) []string {
	parts := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(separators, c) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// readPlace finds the venue and the space of an event, or takes those of the defaults.
func (r reader) readPlace(w *wanted, values map[string]string) {
	_, hasVenue := values[eventfile.FieldVenue]
	if !hasVenue && r.defaults.VenueUUID == "" && values[eventfile.FieldSpace] == "" {
		return
	}
	w.given = append(w.given, eventfile.FieldVenue)
	w.event.VenueUUID, w.event.SpaceUUID = r.find(w, w.rows[0], values)
}

// find returns the venue and space that a row names. Without a venue they are those of the
// defaults.
func (r reader) find(w *wanted, row int, values map[string]string) (place, space value.Text) {
	text, room := values[eventfile.FieldVenue], strings.ToLower(values[eventfile.FieldSpace])
	found := r.places.byUUID[string(r.defaults.VenueUUID)]
	if text == "" && room == "" {
		return r.defaults.VenueUUID, r.defaults.SpaceUUID
	}
	if text != "" {
		var reason string
		if found, reason = r.places.find(text); reason != "" {
			w.refuse(row, eventfile.FieldVenue, reason)
			return "", ""
		}
	}
	if room == "" {
		return value.Text(found.UUID), ""
	}
	if found.Spaces[room] == "" {
		w.refuse(row, eventfile.FieldSpace, "is not the name of one space of the venue")
	}
	return value.Text(found.UUID), value.Text(found.Spaces[room])
}

// readDate reads a date, on the wall clock of where it takes place.
func (r reader) readDate(w *wanted, values map[string]string, d eventfile.Date) wantedDate {
	read := wantedDate{row: d.Row, has: func(field string) bool { _, given := d.Values[field]; return given }}
	e, into := w.event, &read.date
	place := e.VenueUUID
	if d.Values[eventfile.FieldVenue] != values[eventfile.FieldVenue] || d.Values[eventfile.FieldSpace] != values[eventfile.FieldSpace] {
		into.VenueUUID, into.SpaceUUID = r.find(w, d.Row, d.Values)
		place = into.VenueUUID
	}
	zone := r.places.zoneOf(place, r.zone)
	start, end := d.Start.In(zone), d.End.In(zone)
	read.key = d.Key.In(zone).String()
	into.StartDate, into.StartTime, into.AllDay = start.Day, value.Text(start.Clock), start.Clock == ""
	into.EndTime = value.Text(end.Clock)
	if end.Day != start.Day {
		into.EndDate = value.Text(end.Day)
	}
	into.TicketLink = value.Text(d.Values[eventfile.FieldTicketLink])
	read.readRest(w, d.Values)
	into.Normalize()
	return read
}

// readRest reads the entry time and the status.
func (d *wantedDate) readRest(w *wanted, values map[string]string) {
	if text := values[eventfile.FieldEntryTime]; text != "" {
		clock, ok := eventfile.ReadClock(text)
		if !ok {
			w.refuse(d.row, eventfile.FieldEntryTime, "is not a time such as 19:00")
		}
		d.date.EntryTime = value.Text(clock)
	}
	status, ok := eventfile.ReadStatus(values[eventfile.FieldStatus])
	if !ok {
		w.refuse(d.row, eventfile.FieldStatus, "is not a status such as cancelled, deferred or rescheduled")
	}
	d.date.ReleaseStatus = status
}

// start returns when the first date begins.
func (w *wanted) start() string {
	first := ""
	for _, d := range w.dates {
		if at := startOf(&d.date); first == "" || at < first {
			first = at
		}
	}
	return first
}

// startOf writes the start of a date: 2026-12-24T20:00, all-day 2026-12-24.
func startOf(d *rules.Date) string {
	return eventfile.Moment{Day: d.StartDate, Clock: string(d.StartTime)}.String()
}
