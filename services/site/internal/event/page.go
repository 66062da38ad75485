package event

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// eventData is the data of the page of an event.
type eventData struct {
	publicapi.EventDetails
	Token      string // of the preview link that shows the event; "" on its public page
	DateID     string // uuid of the date that the address names; "" for none
	Names      detail.Names
	AtVenue    []publicapi.Listed // other events at the venue
	OfKind     []publicapi.Listed // other events of its first type that are not at the venue
	Structured []byte             // JSON-LD; nil for none
}

// eventPage is the page of an event.
func eventPage(s view.Scope, e eventData) view.Page {
	return view.Page{
		Title: e.title(s), Description: view.Describe(e.Summary, e.Subtitle, e.Description), Canonical: "/event/" + e.UUID,
		Image: view.ShareImage(view.Versioned(e.ImageUUID, e.ImagePath)), Kind: view.KindArticle,
		HasFeed: true, Feed: "?" + url.Values{"event_uuids": {e.UUID}}.Encode(),
		Structured: e.Structured, Content: event(s, e, e.chosen(s.Today)), Scripts: e.scripts(s),
	}
}

// scripts are those of the page besides the one of all pages.
func (e eventData) scripts(s view.Scope) []string {
	place := e.place(e.chosen(s.Today))
	if place.VenueName == "" {
		return nil
	}
	return detail.MapScripts(place.VenueLat, place.VenueLon)
}

// title is the title of the document: that of the event with the day and the place of the date that
// the page shows, by which results of search engines differ.
func (e eventData) title(s view.Scope) string {
	date := e.chosen(s.Today)
	var facts []string
	if date != nil {
		day := view.WhenOfDate(*date).Start()
		words := s.Text.ShortDay(day)
		if day.Year() != s.Today.Year() {
			words += " " + strconv.Itoa(day.Year())
		}
		facts = append(facts, words)
	}
	place := e.place(date)
	for _, fact := range []string{place.VenueName, place.VenueCity} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if len(facts) == 0 {
		return e.Title
	}
	return e.Title + " – " + strings.Join(facts, ", ")
}

// mainKind names the first type of an event, "" for none.
func (e eventData) mainKind() string {
	if len(e.EventTypes) == 0 {
		return ""
	}
	return e.EventTypes[0].TypeName
}

// chosen returns the date that the page shows above all: the one that the address names, else the
// next one that takes place, else the next one, else the last one. It is nil for an event without
// dates.
func (e eventData) chosen(today time.Time) *publicapi.Date {
	var next *publicapi.Date
	for i := range e.Dates {
		date := &e.Dates[i]
		if date.UUID == e.DateID {
			return date
		}
		if past(*date, today) {
			continue
		}
		if next == nil || next.ReleaseStatus == cancelled && date.ReleaseStatus != cancelled {
			next = date
		}
	}
	if next == nil && len(e.Dates) > 0 {
		next = &e.Dates[len(e.Dates)-1]
	}
	return next
}

// dateIsGone reports whether the address names a date that the event does not have.
func (e eventData) dateIsGone(chosen *publicapi.Date) bool {
	return e.DateID != "" && (chosen == nil || chosen.UUID != e.DateID)
}

// cancelled is the status of events and dates that do not take place.
const cancelled = "cancelled"

// ticketLink is the type of links to tickets.
const ticketLink = "tickets"

// past reports whether a date was over before today.
func past(d publicapi.Date, today time.Time) bool {
	return view.WhenOfDate(d).End().Format(time.DateOnly) < today.Format(time.DateOnly)
}

// isOff reports whether nothing of the event takes place: the event, or each of its dates, is
// cancelled.
func (e eventData) isOff() bool {
	takesPlace := func(d publicapi.Date) bool { return d.ReleaseStatus != cancelled }
	return e.ReleaseStatus == cancelled || len(e.Dates) > 0 && !slices.ContainsFunc(e.Dates, takesPlace)
}

// takesPlace reports whether visitors can still go to a date, which is nil for none.
func (e eventData) takesPlace(d *publicapi.Date, today time.Time) bool {
	return d != nil && !e.isOff() && d.ReleaseStatus != cancelled && !past(*d, today)
}

// action returns where a visitor books or registers for a date, and what that is called: the link
// of the date, else that of the event. The link is "" where there is none.
func (e eventData) action(s view.Scope, d *publicapi.Date) (link templ.SafeURL, label string) {
	if !e.takesPlace(d, s.Today) {
		return "", ""
	}
	label = s.Text.T("event.tickets")
	if slices.Contains(e.TicketFlags, "registration_required") {
		label = s.Text.T("event.register")
	}
	if link = view.SafeLink(d.TicketLink); link != "" {
		return link, label
	}
	for _, other := range e.EventLinks {
		if link = view.SafeLink(other.URL); link != "" && other.Type == ticketLink {
			return link, label
		}
	}
	return "", ""
}

// parted returns the dates that are over, and the others.
func (e eventData) parted(today time.Time) (gone, coming []publicapi.Date) {
	for _, date := range e.Dates {
		if past(date, today) {
			gone = append(gone, date)
		} else {
			coming = append(coming, date)
		}
	}
	return gone, coming
}

// place returns where a date takes place, or the event when there is no date.
func (e eventData) place(d *publicapi.Date) publicapi.Place {
	if d != nil && d.Place != (publicapi.Place{}) {
		return d.Place
	}
	return e.Place
}

// status returns the status that visitors must know of.
func (e eventData) status(d *publicapi.Date) string {
	if d == nil {
		return e.ReleaseStatus
	}
	return d.ReleaseStatus
}

// notice returns the message about a status that visitors must know of, "" for none.
func (e eventData) notice(t *text.Texts, d *publicapi.Date) string {
	message := "event.is_" + e.status(d)
	if e.ReleaseStatus == cancelled {
		message = "event.all_cancelled"
	}
	if !t.Has(message) {
		return ""
	}
	return t.T(message)
}

// note says in the organizer's words why a date, or an event without one, does not take place as
// planned; "" where nothing is said.
func (e eventData) note(d *publicapi.Date) string {
	if d == nil || e.ReleaseStatus == cancelled && d.StatusNote == "" {
		return e.StatusNote
	}
	return d.StatusNote
}

// images returns the main image of the event, nil without one, and the others.
func (e eventData) images() (main *publicapi.Image, others []publicapi.Image) {
	for i := range e.Images {
		if e.Images[i].UUID == string(e.ImageUUID) && main == nil {
			main = &e.Images[i]
		} else {
			others = append(others, e.Images[i])
		}
	}
	if main == nil && e.ImageUUID != "" {
		main = &publicapi.Image{UUID: string(e.ImageUUID), Path: string(e.ImagePath)}
	}
	return main, others
}

// ages writes for which ages an event is, "" when nothing is known of it.
func ages(t *text.Texts, low, high *int) string {
	switch {
	case low != nil && high != nil:
		return t.With("event.ages", "From", strconv.Itoa(*low), "To", strconv.Itoa(*high))
	case low != nil:
		return t.With("event.ages_from", "From", strconv.Itoa(*low))
	case high != nil:
		return t.With("event.ages_to", "To", strconv.Itoa(*high))
	default:
		return ""
	}
}

// languages writes the languages of an event by their names.
func (e eventData) languages() string {
	names := make([]string, len(e.Languages))
	for i, code := range e.Languages {
		names[i] = detail.NameOf(e.Names.Languages, code)
	}
	return strings.Join(names, ", ")
}

// occasion names the occasion of an event, "" for none.
func (e eventData) occasion() string {
	if e.Occasion == 0 {
		return ""
	}
	return e.Names.Occasions[strconv.Itoa(e.Occasion)]
}

// remarks are notes about tickets.
func (e eventData) remarks(t *text.Texts) []string {
	var known []string
	for _, flag := range e.TicketFlags {
		if t.Has("ticket." + flag) {
			known = append(known, t.T("ticket."+flag))
		}
	}
	return known
}

// kindOf names a type with its genre.
func kindOf(kind publicapi.NamedType) string {
	if kind.GenreName == "" {
		return kind.TypeName
	}
	return kind.TypeName + ": " + kind.GenreName
}

// hasFacts reports whether anything of facts is known.
func (e eventData) hasFacts() bool {
	return e.occasion() != "" || len(e.Languages) > 0 || e.MinAge != nil || e.MaxAge != nil ||
		e.MaxAttendees != nil || e.ParticipationInfo != ""
}

// label names a link: as its organizer does, else by its type.
func (e eventData) label(link publicapi.Link) string {
	if link.Label != "" {
		return link.Label
	}
	if link.Type == "" {
		return view.SiteOf(link.URL)
	}
	return detail.NameOf(e.Names.LinkTypes, link.Type)
}

// joinedPlace writes venue and city.
func joinedPlace(place publicapi.Place) string {
	if place.VenueCity == "" {
		return place.VenueName
	}
	return place.VenueName + ", " + place.VenueCity
}

// imageName returns the alternative text of an image that is a link, which needs one.
func imageName(t *text.Texts, image publicapi.Image) string {
	if image.AltText != "" {
		return image.AltText
	}
	return t.T("image.open")
}
