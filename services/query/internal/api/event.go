package api

import (
	"context"
	"regexp"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/pkg/web"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// event answers GET /api/event/{uuid}: the whole event with all its public dates and the names of
// its types in the asked language.
func (d Deps) event(c *fiber.Ctx) error {
	uuid, q, err := askedWithUUID(c)
	if err != nil {
		return err
	}
	view, sets, err := d.eventWithSets(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	data, err := sets.Event(view, q.Lang)
	if err != nil {
		return err
	}
	return web.SendRawData(c, data)
}

func (d Deps) eventWithSets(ctx context.Context, uuid string) (lists.View, lists.ValueSets, error) {
	view, err := d.Lists.Event(ctx, uuid)
	if err != nil {
		return nil, nil, err
	}
	sets, err := d.Lists.ValueSets(ctx)
	return view, sets, err
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
	view, sets, err := d.eventWithSets(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	data, found, err := sets.EventDate(view, q.Lang, isDate)
	if err != nil {
		return err
	}
	if !found {
		return fault.New(fault.NotFound, "", "the event has no such date")
	}
	return web.SendRawData(c, data)
}

// slug is how a date is named within its event (decisions.md, Ids and names).
var slug = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(-\d{4})?(-\d{1,6})?$`)

// dateNamed returns a test for the date that is meant; ok is false when the text can name none.
func dateNamed(text string) (is func(uuid, slug string) bool, ok bool) {
	if named, isUUID := value.UUIDv7(text); isUUID {
		return func(uuid, _ string) bool { return uuid == named }, true
	}
	return func(_, slug string) bool { return slug == text }, slug.MatchString(text)
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
