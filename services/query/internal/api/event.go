package api

import (
	"regexp"
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/pkg/web"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// eventData is the payload of GET /api/event/{uuid}: the event with the names of its types in the
// asked language.
type eventData struct {
	document.EventView
	EventTypes []lists.NamedType `json:"event_types"` // stands for the one of EventView
}

// event answers GET /api/event/{uuid}: the whole event with all its public dates.
func (d Deps) event(c *fiber.Ctx) error {
	uuid, q, err := askedWithUUID(c)
	if err != nil {
		return err
	}
	event, err := d.namedEvent(c, uuid, q.Lang)
	if err != nil {
		return err
	}
	return web.SendData(c, event)
}

func (d Deps) namedEvent(c *fiber.Ctx, uuid, lang string) (eventData, error) {
	view, err := d.Lists.Event(c.UserContext(), uuid)
	if err != nil {
		return eventData{}, err
	}
	sets, err := d.Lists.ValueSets(c.UserContext())
	if err != nil {
		return eventData{}, err
	}
	return eventData{EventView: view, EventTypes: sets.Name(view.EventTypes, lang)}, nil
}

// eventDateData is the payload of GET /api/event/{uuid}/date/{date}: the event with one of its
// dates apart from the others, which stand in their order.
type eventDateData struct {
	eventData
	Dates        *struct{}           `json:"dates,omitempty"` // takes the list of eventData out of the payload
	Date         document.DateView   `json:"date"`
	FurtherDates []document.DateView `json:"further_dates"`
}

// eventDate answers GET /api/event/{uuid}/date/{date}; the date is named by its uuid or its slug.
func (d Deps) eventDate(c *fiber.Ctx) error {
	uuid, q, err := askedWithUUID(c)
	isDate, ok := dateNamed(c.Params("date"))
	if !ok {
		err = alsoBad(err, "date", "is neither a UUIDv7 nor a slug like 2026-11-20-1930")
	}
	if err != nil {
		return err
	}
	event, err := d.namedEvent(c, uuid, q.Lang)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(event.Dates, isDate)
	if at < 0 {
		return fault.New(fault.NotFound, "", "the event has no such date")
	}
	date := event.Dates[at]
	return web.SendData(c, eventDateData{
		eventData: event, Date: date, FurtherDates: slices.Delete(event.Dates, at, at+1),
	})
}

// slug is how a date is named within its event (decisions.md, Ids and names).
var slug = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(-\d{4})?(-\d{1,6})?$`)

// dateNamed returns a test for the date that is meant; ok is false when the text can name none.
func dateNamed(text string) (is func(document.DateView) bool, ok bool) {
	if uuid, isUUID := value.UUIDv7(text); isUUID {
		return func(date document.DateView) bool { return date.UUID == uuid }, true
	}
	return func(date document.DateView) bool { return date.Slug == text }, slug.MatchString(text)
}

// typesAndGenres answers GET /api/event/type-genre-lookup (interface.md, Type and genre lookup).
func (d Deps) typesAndGenres(c *fiber.Ctx) error {
	q, err := asked(c, params.TypesByLang)
	if err != nil {
		return err
	}
	sets, err := d.Lists.ValueSets(c.UserContext())
	if err != nil {
		return err
	}
	return web.SendData(c, sets.TypesAndGenres(q.Langs))
}
