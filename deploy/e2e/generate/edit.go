package generate

import (
	"slices"
	"time"

	"litfass/deploy/e2e/reference"
)

// Editor changes a catalogue at random.
type Editor struct {
	builder
}

// NewEditor returns the editor of a seed. It changes the catalogue that it is given.
func NewEditor(seed uint64, c *reference.Catalogue, today time.Time) *Editor {
	e := &Editor{*newBuilder(seed, c, today)}
	e.indexSpaces()
	return e
}

// Edit makes n changes and returns the changed entities as a catalogue to import: venues renamed
// and moved, organizations renamed, spaces changed, regions redrawn, events rewritten, published
// and withdrawn, dates added, moved and removed, series changed, joined and left, new events, and
// a new organization.
func (e *Editor) Edit(n int) *reference.Catalogue {
	changed := &reference.Catalogue{}
	for range n {
		switch e.IntN(20) {
		case 0, 1:
			once(&changed.Venues, e.editVenue())
		case 2:
			once(&changed.Organizations, e.renameOrganization())
		case 3:
			once(&changed.Spaces, e.editSpace())
		case 4:
			once(&changed.Regions, e.redrawRegion())
		case 10:
			once(&changed.Series, e.editSeries())
		case 5, 6:
			event := e.event(4)
			event.Series = []reference.Member{}
			e.Events = append(e.Events, event)
			once(&changed.Events, event)
		case 7, 8, 9:
			event := pick(e.random, e.Events)
			e.setStatus(event)
			once(&changed.Events, event)
		default:
			event := pick(e.random, e.Events)
			e.editEvent(event)
			once(&changed.Events, event)
		}
	}
	added := e.organization(len(e.Organizations)) // with nothing public
	e.Organizations = append(e.Organizations, added)
	changed.Organizations = append(changed.Organizations, added)
	return changed
}

func once[T comparable](list *[]T, entity T) {
	if !slices.Contains(*list, entity) {
		*list = append(*list, entity)
	}
}

func (e *Editor) editVenue() *reference.Venue {
	v := pick(e.random, e.Venues)
	fresh := e.venue(pick(e.random, e.Organizations))
	fresh.UUID, fresh.OrgUUID = v.UUID, v.OrgUUID
	if e.chance(50) {
		fresh.Lat, fresh.Lon = v.Lat, v.Lon
	}
	*v = *fresh
	return v
}

func (e *Editor) renameOrganization() *reference.Organization {
	o := pick(e.random, e.Organizations)
	o.Name = e.orgName()
	return o
}

func (e *Editor) editSpace() *reference.Space {
	s := pick(e.random, e.Spaces)
	s.Name, s.AccessibilityFlags = e.text(), e.mask()
	s.SpaceType = reference.Text(pick(e.random, spaceTypes))
	return s
}

// redrawRegion moves all borders by half a degree to the west.
func (e *Editor) redrawRegion() *reference.Region {
	region := e.Regions[e.IntN(4)] // the regions that stay on the map
	for _, polygon := range region.Geometry.Polygons {
		for _, ring := range polygon {
			for i := range ring {
				ring[i][0] -= 0.5
			}
		}
	}
	return region
}

// setStatus makes one of the moves that RULES.md, Release status, allows.
func (e *Editor) setStatus(event *reference.Event) {
	switch event.ReleaseStatus {
	case "draft":
		event.ReleaseStatus = pick(e.random, []string{"review", "released"})
	case "released":
		event.ReleaseStatus = pick(e.random, []string{"cancelled", "deferred", "rescheduled", "draft"})
	default:
		event.ReleaseStatus = "released"
	}
	event.ReleaseDate, event.StatusNote = "", reference.Text(pick(e.random, []string{"", "Storm"}))
	event.StatusChangedAt = e.moment() // else it would be that of the import
}

func (e *Editor) editEvent(event *reference.Event) {
	switch e.IntN(10) {
	case 9:
		event.Contributors = e.participants()
	case 7:
		e.joinSeries(event)
	case 8:
		e.translate(event)
		e.translateDates(event)
	case 6:
		event.Labels = e.labels()
	case 0:
		e.describe(event)
	case 1:
		event.Tags, event.EventTypes, event.Categories = some(e.random, tags, 4), e.types(), some(e.random, []int{1, 2, 3, 4, 5, 6}, 2)
	case 2:
		event.MinPrice, event.MaxPrice, event.Currency = nil, nil, ""
		e.setPrice(event)
		e.setAge(event)
		event.VisitorInfoFlags = e.mask()
	case 3:
		event.VenueUUID, event.SpaceUUID = e.place(95)
		if event.VenueUUID == "" {
			event.OnlineLink = "https://example.org/live"
		}
	case 4:
		if len(event.Dates) > 1 {
			event.Dates = slices.Delete(event.Dates, 0, 1)
			leaveTexts(event)
		}
		event.Dates = append(event.Dates, e.date(event))
	default:
		old := event.Dates[0]
		moved := e.date(event)
		moved.UUID = old.UUID
		moved.PreviousStart, moved.StatusChangedAt = e.localTime(), e.moment()
		*old = *moved
	}
}

// leaveTexts leaves out the translations of dates that an event does not have any more.
func leaveTexts(event *reference.Event) {
	texts := make(map[string]reference.Translation, len(event.Texts))
	for language, t := range event.Texts {
		dates := map[string]reference.DateTranslation{}
		for _, d := range event.Dates {
			if text, has := t.Dates[d.UUID]; has {
				dates[d.UUID] = text
			}
		}
		if t.Dates = dates; t.Title+t.Subtitle+t.Summary+t.Description+t.StatusNote != "" || len(t.Images)+len(dates) > 0 {
			texts[language] = t
		}
	}
	event.Texts = texts
}
