package api

import (
	"context"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
)

// event answers GET /api/event/{uuid}: the whole event with all its public dates, and the names of
// its types in the requested language.
func (d Deps) event(c *fiber.Ctx) error {
	uuid, q, err := parseWithUUID(c)
	if err != nil {
		return err
	}
	sets, version, err := d.setsFor(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	from := source{"event", []any{uuid, q.Lang, q.TextLang, version}, cache.Record(document.Events, document.EntityID(uuid))}
	return d.sendData(c, from, func(ctx context.Context) ([]byte, error) {
		view, err := d.Lists.Event(ctx, uuid)
		if err != nil {
			return nil, err
		}
		return sets.Event(view, q.Lang, q.TextLang)
	})
}

// setsFor returns the value sets and their version for an answer about an event. If they cannot be
// read, a missing event takes precedence as the error.
func (d Deps) setsFor(ctx context.Context, uuid string) (sets lists.ValueSets, version string, err error) {
	if sets, version, err = d.Lists.VersionedSets(ctx); err == nil {
		return sets, version, nil
	}
	if _, missing := d.Lists.Event(ctx, uuid); missing != nil {
		err = missing
	}
	return nil, "", err
}

// eventDate answers GET /api/event/{uuid}/date/{date}; the date is named by its uuid or its slug.
func (d Deps) eventDate(c *fiber.Ctx) error {
	uuid, q, err := parseWithUUID(c)
	date, isDate, err := parseDate(c, err)
	if err != nil {
		return err
	}
	sets, version, err := d.setsFor(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	from := source{"event-date", []any{uuid, date, q.Lang, q.TextLang, version}, cache.Record(document.Events, document.EntityID(uuid))}
	return d.sendData(c, from, func(ctx context.Context) ([]byte, error) {
		view, err := d.Lists.Event(ctx, uuid)
		if err != nil {
			return nil, err
		}
		data, found, err := sets.EventDate(view, q.Lang, q.TextLang, isDate)
		if err == nil && !found {
			err = noSuchDate()
		}
		return data, err
	})
}

// parseDate returns the uuid or slug of a date in the path, and a test for it. err, an Invalid
// fault or nil, is returned with that part of the path added if it is neither.
func parseDate(c *fiber.Ctx, err error) (date string, is func(uuid, slug string) bool, _ error) {
	date = strings.Clone(strings.ToLower(c.Params("date"))) // it outlives the request's own memory
	is, ok := dateNamed(date)
	if !ok {
		err = withViolation(err, "date", reason.NotUUIDOrSlug)
	}
	return date, is, err
}

func noSuchDate() error { return fault.New(fault.NotFound, "", "the event has no such date") }

// slug names a date within its event, and compact is the same without hyphens, of an all-day date
// with 0000 (RULES.md, Ids and names).
var (
	slug    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(-\d{4})?(-\d{1,6})?$`)
	compact = regexp.MustCompile(`^\d{12}$`)
)

// dateNamed returns a test for the date that a text names; ok is false when it can name none.
func dateNamed(text string) (is func(uuid, slug string) bool, ok bool) {
	if named, isUUID := value.UUIDv7(text); isUUID {
		return func(uuid, _ string) bool { return uuid == named }, true
	}
	if compact.MatchString(text) {
		named := text[:4] + "-" + text[4:6] + "-" + text[6:8]
		clock := text[8:]
		return func(_, slug string) bool { return slug == named+"-"+clock || clock == "0000" && slug == named }, true
	}
	return func(_, slug string) bool { return slug == text }, slug.MatchString(text)
}

// typesAndGenres answers GET /api/event/type-genre-lookup (RULES.md, Types and genres).
func (d Deps) typesAndGenres(c *fiber.Ctx) error {
	q, sets, err := d.parseWithSets(c, params.TypesByLang)
	if err != nil {
		return err
	}
	return web.SendData(c, sets.TypesAndGenres(q.Langs))
}

// parseWithSets returns the parameters of a request with the value sets.
func (d Deps) parseWithSets(c *fiber.Ctx, operation params.Operation) (q params.Query, sets lists.ValueSets, err error) {
	if q, err = parse(c, operation); err != nil {
		return q, nil, err
	}
	sets, err = d.Lists.ValueSets(c.UserContext())
	return q, sets, err
}
