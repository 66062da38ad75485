package eventimport

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/contracts/video"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// fileEvent is an event of the file, mapped to the types of the catalogue.
type fileEvent struct {
	rows       []int
	externalID string
	origin     string       // see Found
	event      *rules.Event // normalized; without uuids and dates
	fields     []string     // the names of the fields that the file has
	dates      []fileDate
	reasons    []adminapi.ImportReason
	notes      []adminapi.ImportReason // never nil
	image      *fileImage              // nil for none
	named      []adminapi.GivenContributor
}

// fileDate is a date of the file. Fields without a column have the zero value.
type fileDate struct {
	row  int
	key  string // identifies it from one import to the next
	date rules.Date
	has  func(field string) bool
	// hours reports whether the file says which opening hours the date has, or that it has none.
	hours bool
	// texts are the translations of its texts; nil: the file cannot have any.
	texts map[string]adminapi.DateText
}

// maxID is the maximum length of an external id in characters; of longer ones a digest is stored.
const maxID = 500

// mapper maps the events of a file to the types of the catalogue.
type mapper struct {
	places   *places
	kinds    *kinds
	series   knownSeries
	defaults rules.Event
	zone     *time.Location
	videos   video.Hosts
}

// mapEvent maps an event of a file.
func (m mapper) mapEvent(file eventfile.Event) *fileEvent {
	w := &fileEvent{
		rows: file.Rows, externalID: file.ExternalID, event: &rules.Event{}, notes: []adminapi.ImportReason{},
	}
	if utf8.RuneCountInString(w.externalID) > maxID {
		sum := sha256.Sum256([]byte(w.externalID))
		w.externalID = "sha256:" + hex.EncodeToString(sum[:])
	}
	for _, why := range file.Reasons {
		w.reasons = append(w.reasons, adminapi.ImportReason(why))
	}
	for _, why := range file.Notes {
		w.notes = append(w.notes, adminapi.ImportReason(why))
	}
	m.mapValues(w, file.Values)
	w.mapImage(file.Values)
	_, hasVenue := file.Values[eventfile.FieldVenue]
	if hasVenue || eventfile.PlaceOf(file.Values).Name != "" || m.defaults.VenueUUID != "" || file.Values[eventfile.FieldSpace] != "" {
		w.fields = append(w.fields, eventfile.FieldVenue)
		w.event.VenueUUID, w.event.SpaceUUID = m.find(w, w.rows[0], file.Values)
		m.places.giveHours(string(w.event.VenueUUID), file.PlaceHours)
	}
	w.event.Normalize()
	w.leaveVideo(m.videos)
	w.event.Arrange()
	for _, d := range file.Dates {
		w.dates = append(w.dates, m.mapDate(w, file.Values, d))
	}
	return w
}

// leaveVideo leaves out a video that is not at one of the hosts, and notes that.
func (w *fileEvent) leaveVideo(hosts video.Hosts) {
	if w.event.VideoLink != "" && !hosts.Allow(string(w.event.VideoLink)) {
		w.note(eventfile.FieldVideoLink, reason.NotVideoHost(hosts))
		w.event.VideoLink = ""
	}
}

func (w *fileEvent) refuse(row int, field string, why *reason.Reason) {
	w.reasons = append(w.reasons, adminapi.ImportReason{Row: row, Violation: fault.Violate(field, why)})
}

// mapValues sets the fields of the event itself.
func (m mapper) mapValues(w *fileEvent, values map[string]string) {
	e := w.event
	texts := map[string]*value.Text{
		eventfile.FieldSubtitle: &e.Subtitle, eventfile.FieldSummary: &e.Summary, eventfile.FieldDescription: &e.Description,
		eventfile.FieldSourceLink: &e.SourceLink, eventfile.FieldOnlineLink: &e.OnlineLink,
		eventfile.FieldVideoLink: &e.VideoLink,
	}
	kinds, categories, tariffs := "", "", ""
	for name, text := range values {
		switch into := texts[name]; {
		case into != nil:
			*into = value.Text(text)
		case name == eventfile.FieldTitle:
			e.Title = text
		case name == eventfile.FieldTags:
			e.Tags = append(e.Tags, split(text, ",;")...)
		case name == eventfile.FieldLanguages:
			e.Languages = split(text, ",;/ ")
		case name == eventfile.FieldKind:
			kinds = text
		case name == eventfile.FieldCategories:
			categories = text
		case name == eventfile.FieldContributors:
			w.mapContributors(text)
		case name == eventfile.FieldPrice:
			w.mapPrice(text)
		case name == eventfile.FieldTariffs:
			tariffs = text
		case name == eventfile.FieldAge:
			w.mapAges(text)
		case name == eventfile.FieldSeries:
			w.mapSeries(m.series, text)
		default:
			continue
		}
		w.has(name)
	}
	w.mapKinds(m.kinds, kinds) // after the tags, which get the names that are none
	w.mapCategories(categories)
	w.mapTariffs(tariffs)
}

// split returns the parts of a list that are not empty.
func split(text, separators string) []string {
	parts := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(separators, c) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// find returns the venue and space that a row names. Without a venue or an address they are the
// default ones.
func (m mapper) find(w *fileEvent, row int, values map[string]string) (place, space value.Text) {
	text, room := eventfile.PlaceOf(values).Name, strings.ToLower(values[eventfile.FieldSpace])
	found := m.places.venues.byUUID[string(m.defaults.VenueUUID)]
	if text == "" && room == "" {
		return m.defaults.VenueUUID, m.defaults.SpaceUUID
	}
	if text != "" {
		var why *reason.Reason
		if found, why = m.places.find(w, values); why != nil {
			w.refuse(row, eventfile.FieldVenue, why)
			return "", ""
		}
	}
	if room == "" {
		return value.Text(found.UUID), ""
	}
	if found.Spaces[room] == "" {
		w.refuse(row, eventfile.FieldSpace, reason.UnknownSpace)
	}
	return value.Text(found.UUID), value.Text(found.Spaces[room])
}

// mapTickets sets whether there are places at a date, when tickets are sold, and the former start,
// on the wall clock of a zone. Places that cannot be read are noted.
func (w *fileEvent) mapTickets(d eventfile.Date, into *rules.Date, zone *time.Location) {
	availability, known := eventfile.ReadAvailability(d.Values[eventfile.FieldAvailability])
	if !known {
		w.note(eventfile.FieldAvailability, reason.NotOneOf(eventfile.Availabilities))
	}
	into.Availability = value.Text(availability)
	if text := d.Values[eventfile.FieldPlaces]; text != "" {
		left, err := strconv.Atoi(text)
		if err != nil {
			w.note(eventfile.FieldPlaces, reason.NotInteger)
		} else {
			into.RemainingPlaces = value.Counted(left)
		}
	}
	for field, to := range map[string]*value.Text{
		eventfile.FieldOnSaleFrom: &into.OnSaleFrom, eventfile.FieldOnSaleUntil: &into.OnSaleUntil, eventfile.FieldPreviousStart: &into.PreviousStart,
	} {
		at := d.Moments[field].In(zone)
		if at.Clock == "" && at.Day != "" && to != &into.PreviousStart {
			at.Clock = "00:00"
		}
		*to = value.Text(at.String())
	}
}

// mapDate maps a date, on the wall clock of its place.
func (m mapper) mapDate(w *fileEvent, values map[string]string, d eventfile.Date) fileDate {
	date := fileDate{row: d.Row, has: func(field string) bool { _, given := d.Values[field]; return given }}
	e, into := w.event, &date.date
	place := e.VenueUUID
	if inOtherPlaces(d.Values, values) {
		into.VenueUUID, into.SpaceUUID = m.find(w, d.Row, d.Values)
		place = into.VenueUUID
	}
	zone := m.places.venues.zoneOf(place, m.zone)
	start, end := d.Start.In(zone), d.End.In(zone)
	if date.key = d.ID; date.key == "" {
		date.key = d.Key.In(zone).String()
	}
	into.StartDate, into.StartTime, into.AllDay = start.Day, value.Text(start.Clock), start.Clock == ""
	into.EndTime = value.Text(end.Clock)
	if end.Day != start.Day {
		into.EndDate = value.Text(end.Day)
	}
	if d.Hours != nil {
		into.Hours, date.hours = *d.Hours, true
	}
	into.TicketLink = value.Text(d.Values[eventfile.FieldTicketLink])
	into.StatusNote = value.Text(d.Values[eventfile.FieldStatusNote])
	into.AccessibilityInfo = value.Text(d.Values[eventfile.FieldAccessibility])
	w.mapTickets(d, into, zone)
	if into.Tariffs = d.Tariffs; into.Tariffs == nil {
		into.Tariffs = w.readTariffs(eventfile.FieldDateTariffs, d.Values[eventfile.FieldDateTariffs])
	}
	if text := d.Values[eventfile.FieldEntryTime]; text != "" {
		clock, ok := eventfile.ReadClock(text)
		if !ok {
			w.refuse(d.Row, eventfile.FieldEntryTime, reason.NotWrittenTime(text))
		}
		into.EntryTime = value.Text(clock)
	}
	var ok bool
	if into.ReleaseStatus, ok = eventfile.ReadStatus(d.Values[eventfile.FieldStatus]); !ok {
		w.refuse(d.Row, eventfile.FieldStatus, reason.UnknownStatus)
	}
	into.Normalize()
	return date
}

// inOtherPlaces reports whether two rows name other places.
func inOtherPlaces(a, b map[string]string) bool {
	fields := []string{eventfile.FieldVenue, eventfile.FieldSpace, eventfile.FieldPostalCode, eventfile.FieldCity}
	return slices.ContainsFunc(fields, func(field string) bool { return a[field] != b[field] }) ||
		eventfile.PlaceOf(a).Name != eventfile.PlaceOf(b).Name
}

// start returns the start of the first date.
func (w *fileEvent) start() string {
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
