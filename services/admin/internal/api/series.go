package api

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/version"
)

// mountSeries adds the operations on series.
func (r Catalogue) mountSeries(admin fiber.Router, large fiber.Handler) {
	admin.Get("/series", ofOrganization(r.Overview.Series))
	admin.Get("/user/choosable-series", r.listChoosableSeries)
	admin.Put("/series", large, create[seriesBody](r.Editor, "series created", r.Editor.CreateSeries))
	admin.Get("/series/:seriesId", show("seriesId", r.Editor.Series))
	admin.Put("/series/:seriesId", large, update[seriesBody]("series updated", r.Editor.UpdateSeries, "seriesId"))
	admin.Delete("/series/:seriesId", remove("series deleted", r.Editor.RemoveSeries, "seriesId"))
	image := pictures[*rules.Series]{r.Images.OfSeries(), "seriesId", mainImage}
	admin.Get("/series/:seriesId/image/meta", image.show)
	admin.Post("/series/:seriesId/image", fileLine, image.put)
	admin.Delete("/series/:seriesId/image", r.removeSeriesImage)
	admin.Get("/series/:seriesId/events", r.listSeriesEvents)
	admin.Put("/series/:seriesId/event/:eventId", r.decideSeries)
}

// seriesBody is a series; clients may send back its image, which is ignored.
type seriesBody struct {
	rules.Series
	Image readOnly `json:"image"`
}

// removeSeriesImage removes the image of a series.
func (r Catalogue) removeSeriesImage(c *fiber.Ctx) error {
	at, err := target(c, "seriesId")
	if err != nil {
		return err
	}
	removed, err := r.Images.OfSeries().Remove(c.UserContext(), at, rules.MainImage)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(removed.Version))
	return c.JSON(adminapi.Deleted{Done: done("image deleted"), UUID: at.Key})
}

// listChoosableSeries answers series that an event may ask to belong to: those of series_uuids, and
// others with the text search in their title.
func (r Catalogue) listChoosableSeries(c *fiber.Ctx) error {
	p := parametersOf(c)
	var uuids []string
	for _, uuid := range strings.FieldsFunc(c.Query("series_uuids"), func(r rune) bool { return r == ',' }) {
		uuids = append(uuids, p.checkUUID("series_uuids", uuid))
	}
	if len(uuids) > adminapi.MaxSeriesOfEvent {
		p.bad.Add("series_uuids", reason.TooMany(adminapi.MaxSeriesOfEvent))
	}
	text := p.optional("search")
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.ChoosableSeries(c.UserContext(), uuids, strings.TrimSpace(text))
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// listSeriesEvents answers the events of a series, with ?state= those in one state.
func (r Catalogue) listSeriesEvents(c *fiber.Ctx) error {
	at, err := target(c, "seriesId")
	if err != nil {
		return err
	}
	p := parametersOf(c)
	page, state := p.page(), c.Query("state")
	if state != "" && !slices.Contains(adminapi.SeriesStates, state) {
		p.bad.Add("state", reason.NotOneOf(adminapi.SeriesStates))
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.SeriesEvents(c.UserContext(), at.Key, state, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// decideSeries accepts an event into a series, or refuses it.
func (r Catalogue) decideSeries(c *fiber.Ctx) error {
	p := parametersOf(c)
	series, event := p.uuid("seriesId"), p.uuid("eventId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readBody[struct {
		Accepted *bool `json:"accepted"`
	}](c, smallBody)
	if err != nil {
		return err
	}
	if body.Accepted == nil {
		missing := fault.Violations{fault.Violate("accepted", reason.Required)}
		return missing.Err("invalid_body", "the body is not what this operation reads")
	}
	state, err := r.Editor.DecideSeries(c.UserContext(), series, event, *body.Accepted)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.WrittenSeriesEvent{Done: done("decision stored"), SeriesUUID: series, EventUUID: event, State: state})
}
