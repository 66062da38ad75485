package api

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/version"
)

// eventBody is an event without uuid and images. The parts of an event are read and written as
// types of adminapi, whose fields have the same names as in rules.Event.
type eventBody struct {
	adminapi.HeaderPart
	adminapi.PlacePart
	adminapi.SummaryPart
	adminapi.DescriptionPart
	adminapi.TypesPart
	adminapi.LanguagesPart
	adminapi.TextsPart
	adminapi.TagsPart
	adminapi.ParticipationPart
	adminapi.ReleasePart
	EventLinks []rules.EventLink `json:"event_links"`
	Dates      []rules.Date      `json:"dates"`
	adminapi.SeriesOfEventPart
	Contributors []rules.EventContributor `json:"contributors"`
}

// mountEvents adds the operations on events and their parts. Paths of fixed words come before those
// with an event's uuid in the same place.
func (r Catalogue) mountEvents(admin fiber.Router, large fiber.Handler) {
	admin.Post("/event/create", large, create[eventBody](r.Editor, "event created", r.Editor.CreateEvent))
	admin.Get("/event/:eventId", showBy(sendCurrent, "eventId", r.Editor.Event))
	admin.Patch("/event/:eventId", large, update[eventBody]("event updated", r.Editor.PatchEvent, "eventId"))
	admin.Delete("/event/:eventId", remove("event deleted", r.Editor.RemoveEvent, "eventId"))

	edit, release := r.Editor.UpdateEvent, r.Editor.Release
	admin.Put("/event/:eventId/header", part[adminapi.HeaderPart]("header updated", edit))
	admin.Put("/event/:eventId/description", large, part[adminapi.DescriptionPart]("description updated", edit))
	admin.Put("/event/:eventId/summary", large, part[adminapi.SummaryPart]("summary updated", edit))
	admin.Put("/event/:eventId/texts", large, part[adminapi.TextsPart]("texts updated", edit))
	admin.Put("/event/:eventId/types", part[adminapi.TypesPart]("types updated", edit))
	admin.Put("/event/:eventId/place", part[adminapi.PlacePart]("place updated", edit))
	admin.Put("/event/:eventId/tags", part[adminapi.TagsPart]("tags updated", edit))
	admin.Put("/event/:eventId/languages", part[adminapi.LanguagesPart]("languages updated", edit))
	admin.Put("/event/:eventId/participation-infos", large,
		part[adminapi.ParticipationPart]("participation infos updated", edit))
	admin.Put("/event/:eventId/release-status", part[adminapi.ReleasePart]("release status updated", release))

	admin.Put("/event/:eventId/link", r.addLink)
	admin.Put("/event/:eventId/link/:linkId",
		update[rules.EventLink]("link updated", r.Editor.UpdateLink, "eventId", "linkId"))
	admin.Delete("/event/:eventId/link/:linkId", r.removeLink)
}

// part is update for the fields of an event in B: the answer has these, and the missing fields of
// the event as warnings.
func part[B any](
	text string,
	operation func(
		context.Context, editing.Target, func(*rules.Event) error,
	) (editing.Versioned[editing.EventView], error),
) fiber.Handler {
	mustFit[B, rules.Event]()
	return func(c *fiber.Ctx) error {
		updated, err := change[B](c, operation, "eventId")
		if err != nil {
			return err
		}
		event := updated.Answer
		return sendWritten(c, text, updated.Version, updated.Warnings,
			adminapi.PartOfEvent{UUID: event.UUID, Checklist: event.Checklist}, pick[B](event.Event))
	}
}

// addLink answers 201 with the new link.
func (r Catalogue) addLink(c *fiber.Ctx) error {
	added, err := change[adminapi.LinkFields](c, r.Editor.AddLink, "eventId")
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated)
	return sendWritten(c, "link added", added.Version, added.Warnings, added.Answer)
}

// removeLink needs no password: a link is easily added again.
func (r Catalogue) removeLink(c *fiber.Ctx) error {
	at, err := target(c, "eventId", "linkId")
	if err != nil {
		return err
	}
	stored, err := r.Editor.RemoveLink(c.UserContext(), at)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(adminapi.Deleted{Done: done("link deleted"), UUID: at.Part})
}
