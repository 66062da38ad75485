package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/editing"
	"litfass/services/admin/internal/version"
)

// The bodies of the operations on events. Their fields are those of catalog.Event that they read,
// and that answers show under the same names.

// newEventBody is a whole event but for its uuid and its images.
type newEventBody struct {
	headerBody
	placeBody
	summaryBody
	descriptionBody
	typesBody
	languagesBody
	tagsBody
	participationBody
	releaseBody
	EventLinks []catalog.EventLink `json:"event_links"`
	Dates      []catalog.Date      `json:"dates"`
}

type headerBody struct {
	OrgUUID    string     `json:"org_uuid"` // another one moves the event
	Title      string     `json:"title"`
	Subtitle   value.Text `json:"subtitle"`
	SourceLink value.Text `json:"source_link"`
}

type descriptionBody struct {
	Description value.Text `json:"description"`
}

type summaryBody struct {
	Summary value.Text `json:"summary"`
}

type typesBody struct {
	Categories []int               `json:"categories"`
	EventTypes []catalog.EventType `json:"event_types"`
}

type placeBody struct {
	VenueUUID  value.Text `json:"venue_uuid"`
	SpaceUUID  value.Text `json:"space_uuid"`
	OnlineLink value.Text `json:"online_link"`
}

type tagsBody struct {
	Tags []string `json:"tags"`
}

type languagesBody struct {
	Languages []string `json:"languages"`
}

type participationBody struct {
	ParticipationInfo value.Text  `json:"participation_info"`
	MeetingPoint      value.Text  `json:"meeting_point"`
	MinAge            *int        `json:"min_age"`
	MaxAge            *int        `json:"max_age"`
	MaxAttendees      *int        `json:"max_attendees"`
	PriceType         string      `json:"price_type"`
	MinPrice          *float64    `json:"min_price"`
	MaxPrice          *float64    `json:"max_price"`
	Currency          value.Text  `json:"currency"`
	TicketFlags       []string    `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask `json:"visitor_info_flags"`
	Occasion          int         `json:"occasion"`
}

type releaseBody struct {
	ReleaseStatus string     `json:"release_status"`
	ReleaseDate   *time.Time `json:"release_date"`
}

// mountEvents adds the operations on events and their parts. Paths of fixed words come before those
// with an event's uuid in the same place.
func (r Catalogue) mountEvents(admin fiber.Router, large fiber.Handler) {
	admin.Post("/event/create", large, create[newEventBody]("event created", r.Editor.CreateEvent))
	admin.Get("/event/:eventId", show("eventId", r.Editor.Event))
	admin.Delete("/event/:eventId", remove("event deleted", r.Editor.RemoveEvent, "eventId"))

	edit, release := r.Editor.UpdateEvent, r.Editor.Release
	admin.Put("/event/:eventId/header", part[headerBody]("header updated", edit))
	admin.Put("/event/:eventId/description", large, part[descriptionBody]("description updated", edit))
	admin.Put("/event/:eventId/summary", large, part[summaryBody]("summary updated", edit))
	admin.Put("/event/:eventId/types", part[typesBody]("types updated", edit))
	admin.Put("/event/:eventId/place", part[placeBody]("place updated", edit))
	admin.Put("/event/:eventId/tags", part[tagsBody]("tags updated", edit))
	admin.Put("/event/:eventId/languages", part[languagesBody]("languages updated", edit))
	admin.Put("/event/:eventId/participation-infos", large, part[participationBody]("participation infos updated", edit))
	admin.Put("/event/:eventId/release-status", part[releaseBody]("release status updated", release))

	admin.Put("/event/:eventId/link", r.addLink)
	admin.Put("/event/:eventId/link/:linkId",
		update[catalog.EventLink]("link updated", r.Editor.UpdateLink, "eventId", "linkId"))
	admin.Delete("/event/:eventId/link/:linkId", r.removeLink)
}

// partOfEvent is what the answer to a write of a part of an event holds beside the part's fields.
type partOfEvent struct {
	UUID      string                  `json:"uuid"`
	Checklist []editing.ChecklistItem `json:"checklist"`
}

// part is update for the fields of an event that B has: the answer holds these, and what the event
// lacks.
func part[B any](
	text string,
	operation func(
		context.Context, editing.Target, func(*catalog.Event) error,
	) (editing.Versioned[editing.EventView], error),
) fiber.Handler {
	mustFit[B, catalog.Event]()
	return func(c *fiber.Ctx) error {
		updated, err := change[B](c, operation, "eventId")
		if err != nil {
			return err
		}
		event := updated.Answer
		return sendWritten(c, text, updated.Version, updated.Warnings,
			partOfEvent{event.UUID, event.Checklist}, pick[B](event.Event))
	}
}

// addLink answers 201 with the new link.
func (r Catalogue) addLink(c *fiber.Ctx) error {
	added, err := change[newLinkBody](c, r.Editor.AddLink, "eventId")
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated)
	return sendWritten(c, "link added", added.Version, added.Warnings, added.Answer)
}

type newLinkBody struct {
	Type  string     `json:"type"`
	Label value.Text `json:"label"`
	URL   string     `json:"url"`
}

// removeLink needs no password: a link is quickly added again.
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
	return c.JSON(deleted{message{"link deleted"}, at.Part})
}
