package feed

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The release statuses that feeds treat specially (RULES.md, Release status).
const (
	cancelled   = "cancelled"
	deferred    = "deferred"
	rescheduled = "rescheduled"
)

// Item is one date of an event as a feed shows it.
type Item struct {
	publicapi.Entry
	Revision int64 // of the event; it only grows
	// ChangedAt is the time of the last public change of the event or its places, RFC 3339; "" in
	// documents of older versions.
	ChangedAt string
	// Types are the names of the event's categories, types and genres, and StatusName that of the
	// release status, both in the requested language.
	Types      []string
	StatusName string
	OpenHours  string // the opening hours in the requested language; "" without any
	// AvailabilityName is the name of the availability, and MovedName that of the status rescheduled.
	AvailabilityName, MovedName string
	// CategoryNames and TypeNames are Types apart, without genres, for tables.
	CategoryNames, TypeNames []string
	LabelNames               []string // in the requested language
	RoleNames                []string // of the contributors in Details, in the requested language
	// Details are the fields that a search does not return; nil in the feed of a search.
	Details *Details
}

// Details are the additional fields in the feeds of a single event.
type Details struct {
	Description  string
	OrgWebLink   value.Text
	SourceLink   value.Text
	VenueWebLink value.Text
	TicketLink   value.Text
	EntryTime    value.Text
	MaxAttendees *int
	Images       []Image
	Series       []publicapi.SeriesOfEvent
	Tariffs      []publicapi.Tariff
	Contributors []publicapi.Participant

	OrgContactEmail, OrgContactPhone string
	VenuePages                       []string // in public registers
	VideoLink                        value.Text
}

// Image is an image of an event.
type Image struct {
	Address     string
	AIGenerated bool
}

// page returns the address of the page that shows the date.
func (i Item) page(s Site) string { return s.URL + "/event/" + i.UUID + "?date=" + i.DateUUID }

// urn returns the id of the date for formats that require an address.
func (i Item) urn() string { return "urn:uuid:" + i.DateUUID }

// changed returns the time of the last public change, in UTC: where it is not known, that of the
// creation.
func (i Item) changed() time.Time {
	if changed, err := time.Parse(time.RFC3339, i.ChangedAt); err == nil {
		return changed.UTC()
	}
	return i.idTime()
}

// created returns the time at which the date was created, by its uuid. Organizers may bring uuids
// of any time, so it is not later than the last change.
func (i Item) created() time.Time {
	created, changed := i.idTime(), i.changed()
	if created.After(changed) {
		return changed
	}
	return created
}

// idTime returns the time that the uuid of the date contains (RFC 9562, 5.7), whole seconds, UTC;
// the beginning of 1970 for one that formats cannot write, beyond the year 9999.
func (i Item) idTime() time.Time {
	const timeDigits, hyphenAt, maxYear = 12, 8, 9999
	none := time.Unix(0, 0).UTC()
	if len(i.DateUUID) <= timeDigits {
		return none
	}
	digits := i.DateUUID[:hyphenAt] + i.DateUUID[hyphenAt+1:timeDigits+1]
	millis, err := strconv.ParseInt(digits, 16, 64)
	if at := time.UnixMilli(millis).UTC().Truncate(time.Second); err == nil && at.Year() <= maxYear {
		return at
	}
	return none
}

// endless reports whether the date has no end: one with opening hours and without a last day.
func (i Item) endless() bool { return !i.Hours.Empty() && i.EndDate == "" }

// when returns the days and times of the date in a language-independent format, and the opening
// hours.
func (i timedItem) when() string {
	from, to := i.StartDate, string(i.EndDate)
	if to == i.StartDate {
		to = ""
	}
	if !i.AllDay {
		from, to = joined(" ", from, i.StartTime), joined(" ", to, string(i.EndTime))
	}
	if i.endless() {
		from += " –"
	}
	return joined(", ", joined(" – ", from, to), line(i.OpenHours))
}

// venue returns the names of the venue and the space.
func (i Item) venue() string { return joined(", ", line(i.VenueName), line(i.SpaceName)) }

// street returns the street with the number of the house.
func (i Item) street() string { return joined(" ", line(i.VenueStreet), line(i.VenueHouseNumber)) }

// town returns the city with its postal code.
func (i Item) town() string { return joined(" ", line(i.VenuePostalCode), line(i.VenueCity)) }

// place returns the whole place in one line; for a date that is only online its address.
func (i Item) place() string {
	if where := joined(", ", i.venue(), i.street(), i.town()); where != "" {
		return where
	}
	return link(i.OnlineLink)
}

// status returns the name of the release status when the date does not take place as planned.
func (i Item) status() string {
	switch i.ReleaseStatus {
	case cancelled, deferred, rescheduled:
		return cmp.Or(line(i.StatusName), i.ReleaseStatus)
	default:
		return ""
	}
}

// name returns the title, with the status of a date that does not take place as planned.
func (i Item) name() string {
	if status := i.status(); status != "" {
		return "[" + status + "] " + line(i.Title)
	}
	return line(i.Title)
}

// title returns the name with the moment and the place.
func (i timedItem) title() string {
	return i.name() + " (" + joined(", ", i.when(), line(i.VenueName), line(i.VenueCity)) + ")"
}

// text returns the organizer's description of the event, as paragraphs of plain text, after the
// reason for which it does not take place as planned.
func (i Item) text() string {
	about := ""
	if i.Details != nil {
		about = asText(i.Details.Description)
	}
	return joined("\n\n", clean(i.StatusNote), line(i.Subtitle), asText(i.Summary), about)
}

// contributors returns the contributors with their roles, one a line; "" in the feed of a search.
func (i Item) contributors() string {
	if i.Details == nil {
		return ""
	}
	lines := make([]string, len(i.Details.Contributors))
	for n, p := range i.Details.Contributors {
		role := p.Role
		if n < len(i.RoleNames) {
			role = cmp.Or(line(i.RoleNames[n]), role)
		}
		lines[n] = joined(": ", role, line(p.Name))
	}
	return strings.Join(lines, "\n")
}

// moved returns the former and the present start of a date that was moved and takes place, in a
// language-independent format but for the name of what happened.
func (i timedItem) moved() string {
	if i.PreviousStart == "" || i.ReleaseStatus == cancelled || i.ReleaseStatus == deferred {
		return ""
	}
	from, to := strings.Replace(string(i.PreviousStart), "T", " ", 1), i.StartDate
	if !i.AllDay {
		to += " " + i.StartTime
	}
	return joined(": ", line(i.MovedName), from+" → "+to)
}

// tickets returns whether there are places, as far as it is stated.
func (i Item) tickets() string {
	name := cmp.Or(line(i.AvailabilityName), i.Availability)
	if left := i.RemainingPlaces.String(); left != "" && name != "" {
		return name + " (" + left + ")"
	}
	return name
}

// keywords returns the names of the types and labels, then the tags, each once.
func (i Item) keywords() []string {
	words := make([]string, 0, len(i.Types)+len(i.LabelNames)+len(i.Tags))
	seen := map[string]bool{"": true}
	for _, list := range [3][]string{i.Types, i.LabelNames, i.Tags} {
		for _, word := range list {
			if word = line(word); !seen[word] {
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	return words
}
