package feed

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The part of the schema.org vocabulary that describes dates.
type (
	graph struct {
		Context string `json:"@context"`
		Graph   []any  `json:"@graph"` // event, breadcrumbs
	}
	breadcrumbs struct {
		Type  string  `json:"@type"`
		Items []crumb `json:"itemListElement"`
	}
	crumb struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}
	event struct {
		Type           string        `json:"@type"` // Event or one of its kinds
		ID             string        `json:"@id"`
		Identifier     string        `json:"identifier"` // uuid of the date
		URL            string        `json:"url"`
		Name           string        `json:"name"`
		Description    string        `json:"description,omitempty"`
		Start          string        `json:"startDate"`
		Previous       string        `json:"previousStartDate,omitempty"`
		End            string        `json:"endDate,omitempty"`
		Schedules      []schedule    `json:"eventSchedule,omitempty"`
		DoorTime       string        `json:"doorTime,omitempty"`
		Modified       string        `json:"dateModified"`
		Status         string        `json:"eventStatus"`
		AttendanceMode string        `json:"eventAttendanceMode"`
		Location       []any         `json:"location"` // place, virtualLocation; at least one
		Organizer      *organization `json:"organizer,omitempty"`
		Images         []any         `json:"image,omitempty"`  // addresses; imageObject for images made by a model
		Offers         any           `json:"offers,omitempty"` // offer, or a list of them
		Free           *bool         `json:"isAccessibleForFree,omitempty"`
		Languages      []string      `json:"inLanguage,omitempty"`
		Ages           string        `json:"typicalAgeRange,omitempty"`
		Keywords       []string      `json:"keywords,omitempty"`
		Capacity       *int          `json:"maximumAttendeeCapacity,omitempty"`
		Series         []series      `json:"superEvent,omitempty"`
		Performers     []contributor `json:"performer,omitempty"`
		Directors      []contributor `json:"director,omitempty"`
		Composers      []contributor `json:"composer,omitempty"`
		Contributors   []contributor `json:"contributor,omitempty"` // in roles that have no property of their own
		Works          []work        `json:"workFeatured,omitempty"`
	}
	series struct {
		Type        string        `json:"@type"`
		ID          string        `json:"@id"`
		URL         string        `json:"url"`
		Name        string        `json:"name"`
		Description string        `json:"description,omitempty"`
		Start       string        `json:"startDate,omitempty"`
		End         string        `json:"endDate,omitempty"`
		Organizer   *organization `json:"organizer,omitempty"`
		SameAs      string        `json:"sameAs,omitempty"`
		Images      []any         `json:"image,omitempty"` // as of an event
		Events      []event       `json:"subEvent,omitempty"`
	}
	organization struct {
		Type   string `json:"@type"`
		Name   string `json:"name"`
		URL    string `json:"url,omitempty"`
		SameAs string `json:"sameAs,omitempty"`
		Email  string `json:"email,omitempty"`
		Phone  string `json:"telephone,omitempty"`
	}
	imageObject struct {
		Type   string `json:"@type"`
		URL    string `json:"contentUrl"`
		Source string `json:"digitalSourceType"`
	}
)

const vocabulary = "https://schema.org/"

// madeByModel is the term for trainedAlgorithmicMedia of the IPTC.
const madeByModel = vocabulary + "TrainedAlgorithmicMediaDigitalSource"

// JSONLD writes a schema.org Event for each date, and after the dates of one event the pages that
// lead to it. The result can be embedded in an HTML script element: it contains no <, > and &.
func JSONLD(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	document := graph{Context: strings.TrimSuffix(vocabulary, "/"), Graph: make([]any, len(items))}
	for n, item := range items {
		document.Graph[n] = eventOf(f.Site, item)
	}
	if len(items) > 0 && items[0].Details != nil {
		document.Graph = append(document.Graph, f.breadcrumbs(items[0]))
	}
	return json.Marshal(document)
}

// breadcrumbs are the pages from the list of all dates by the one of the town to that of the event.
func (f Feed) breadcrumbs(i timedItem) breadcrumbs {
	list := breadcrumbs{Type: "BreadcrumbList"}
	add := func(name, item string) {
		list.Items = append(list.Items, crumb{Type: "ListItem", Position: len(list.Items) + 1, Name: name, Item: item})
	}
	add(f.Site.Name, f.Site.URL+"/")
	if city := line(i.VenueCity); city != "" {
		add(city, f.Site.URL+"/?"+url.Values{"city": {i.VenueCity}}.Encode())
	}
	add(line(i.Title), f.Site.URL+"/event/"+i.UUID)
	return list
}

func eventOf(s Site, i timedItem) event {
	e := event{
		Type: kindOf(i.Entry), ID: i.page(s), Identifier: i.DateUUID, URL: i.page(s), Name: line(i.Title), Description: begun(i.text()),
		Modified: i.changed().Format(time.RFC3339), Status: vocabulary + statusOf(i.ReleaseStatus), Images: i.images(), Keywords: i.keywords(),
		Languages: i.Languages, Ages: ages(i.MinAge, i.MaxAge), Free: i.free(),
	}
	switch offers := i.offers(s); len(offers) {
	case 0:
	case 1:
		e.Offers = offers[0]
	default:
		e.Offers = offers
	}
	e.Start, e.End = i.written()
	e.Schedules = i.schedules()
	if i.moved() != "" { // search engines read it with no other status
		e.Previous, e.Status = i.local(i.PreviousStart), vocabulary+"EventRescheduled"
	}
	e.AttendanceMode, e.Location = i.attendance(s)
	if name := line(i.OrgName); name != "" {
		e.Organizer = &organization{Type: "Organization", Name: name, URL: s.organization(i.OrgUUID)}
	}
	if i.Details != nil {
		e.Capacity, e.Series = i.Details.MaxAttendees, i.superEvents(s)
		e.name(s, i.Details.Contributors)
		if e.Organizer != nil {
			e.Organizer.SameAs = link(i.Details.OrgWebLink)
			e.Organizer.Email, e.Organizer.Phone = line(i.Details.OrgContactEmail), line(i.Details.OrgContactPhone)
		}
		if entry := i.Details.EntryTime; entry != "" && !i.allDay {
			if door, err := value.LocalTime(i.StartDate, string(entry), i.start.Location()); err == nil {
				e.DoorTime = door.Format(time.RFC3339)
			}
		}
	}
	return e
}

// superEvents are the series to which an event belongs.
func (i Item) superEvents(s Site) (of []series) {
	for _, one := range i.Details.Series {
		of = append(of, s.series(one.Slug, one.Title, string(one.StartDate), string(one.EndDate)))
	}
	return of
}

func (s Site) series(slug, title, start, end string) series {
	page := s.URL + "/series/" + slug
	return series{Type: "EventSeries", ID: page, URL: page, Name: line(title), Start: start, End: end}
}

// SeriesJSONLD writes a schema.org EventSeries with the dates of a feed as its events, like JSONLD.
func SeriesJSONLD(f Feed, of publicapi.ShownSeries) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	described := f.Site.series(of.Slug, of.Title, string(of.StartDate), string(of.EndDate))
	described.Description = begun(joined("\n\n", line(of.Subtitle), asText(of.Description)))
	described.SameAs = link(of.WebLink)
	if of.Image != nil {
		described.Images = shownImages(Image{Address: of.Image.Path, AIGenerated: of.Image.AIGenerated})
	}
	if name := line(of.OrgName); name != "" {
		described.Organizer = &organization{Type: "Organization", Name: name, URL: f.Site.organization(of.OrgUUID), SameAs: link(of.OrgWebLink)}
	}
	for _, item := range items {
		described.Events = append(described.Events, eventOf(f.Site, item))
	}
	return json.Marshal(graph{Context: strings.TrimSuffix(vocabulary, "/"), Graph: []any{described}})
}

// maxDescription is the number of characters of a description, which each date of an event has;
// what search engines show of it is shorter.
const maxDescription = 500

// begun returns the beginning of a text, up to a word that ends within maxDescription.
func begun(text string) string {
	letters := []rune(text)
	if len(letters) <= maxDescription {
		return text
	}
	kept := string(letters[:maxDescription-1])
	if end := strings.LastIndexAny(kept, " \n"); end > 0 {
		kept = kept[:end]
	}
	return strings.TrimSpace(kept) + "…"
}

// organization returns the address of the page of an organization.
func (s Site) organization(uuid string) string { return s.URL + "/organization/" + uuid }

func statusOf(releaseStatus string) string {
	switch releaseStatus {
	case cancelled:
		return "EventCancelled"
	case deferred:
		return "EventPostponed"
	case rescheduled:
		return "EventRescheduled"
	default:
		return "EventScheduled"
	}
}

// written returns the start and the end, with the offset from UTC where the time is known.
func (p period) written() (start, end string) {
	start = p.start.Format(time.RFC3339)
	if p.allDay {
		start = p.start.Format(dayLayout)
	}
	if !p.end.IsZero() {
		return start, p.end.Format(time.RFC3339)
	}
	return start, p.lastDay
}

// images returns the images, first the one that lists show.
func (i Item) images() []any {
	images := []Image{{Address: string(i.ImagePath), AIGenerated: i.ImageAIGenerated}}
	if i.Details != nil {
		images = append(images, i.Details.Images...)
	}
	return shownImages(images...)
}

// shownImages describes images that have an address, each once.
func shownImages(images ...Image) (shown []any) {
	seen := map[string]bool{"": true}
	for _, image := range images {
		address := link(value.Text(image.Address))
		if seen[address] {
			continue
		}
		seen[address] = true
		if image.AIGenerated {
			shown = append(shown, imageObject{"ImageObject", address, madeByModel})
		} else {
			shown = append(shown, address)
		}
	}
	return shown
}

// local returns a moment on the clock of the place with its offset from UTC; a day as it is.
func (i timedItem) local(moment value.Text) string {
	day, clock, timed := strings.Cut(string(moment), "T")
	if !timed {
		return day
	}
	at, err := value.LocalTime(day, clock, i.zone)
	if err != nil {
		return ""
	}
	return at.Format(time.RFC3339)
}

// ages writes a range of ages, such as 6-10, and 12- without an upper bound; "" without any.
func ages(low, high *int) string {
	switch {
	case low == nil && high == nil:
		return ""
	case high == nil:
		return strconv.Itoa(*low) + "-"
	case low == nil:
		return "0-" + strconv.Itoa(*high)
	default:
		return strconv.Itoa(*low) + "-" + strconv.Itoa(*high)
	}
}
