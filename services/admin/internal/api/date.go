package api

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// mountDates adds the operations on the dates of events, and on events with their dates.
func (r Catalogue) mountDates(admin fiber.Router, large fiber.Handler) {
	admin.Post("/event/date-rule/preview", large, r.previewDates)
	mustFit[bulkEdit, rules.Event]()
	admin.Put("/events/bulk", large, r.updateEvents)
	admin.Post("/event/:eventId/duplicate", r.duplicateEvent)
	admin.Post("/event/:eventId/date", large, r.addDates)
	admin.Put("/event/:eventId/date/:dateId", large,
		update[rules.Date]("date updated", r.Editor.UpdateDates, "eventId", "dateId"))
	admin.Delete("/event/:eventId/date/:dateId", r.removeDates)
	admin.Get("/date/:dateId/availability", show("dateId", r.Editor.Availability))
	admin.Put("/date/:dateId/availability",
		update[adminapi.DateAvailability]("availability updated", r.Editor.SetAvailability, "dateId"))
}

// addDates adds a date to an event, or the dates of a rule. The answer is 201 with all of them.
func (r Catalogue) addDates(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	asked, err := readDates[editing.NewDates](c)
	if err != nil {
		return cmp.Or(r.Images.OfEvents().CheckEdit(c.UserContext(), at), err)
	}
	added, err := r.Editor.AddDates(c.UserContext(), at, asked)
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated).Location(fmt.Sprintf("%s/event/%s", Prefix, at.Key))
	return sendWritten(c, "date added", added.Version, added.Warnings, added.Answer)
}

// previewDates answers the dates of a rule; it changes nothing.
func (r Catalogue) previewDates(c *fiber.Ctx) error {
	asked, err := readDates[editing.PlannedDates](c)
	if err != nil {
		return err
	}
	shown, err := r.Editor.PreviewDates(c.UserContext(), asked)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// readDates reads a date and its rule. The keys of a date are not chosen by the client.
func readDates[B any](c *fiber.Ctx) (*B, error) {
	body, err := readPatch[B](c, entityBody)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"uuid", "rule_uuid", "recurrence_id"} {
		if _, given := body.keys[name]; given {
			body.wrong(name, reason.FromClient)
		}
	}
	return &body.given, body.refuse(rulesOf[B, B](body, true))
}

// removeDates removes a date, and with ?scope= further dates of its rule. Known clients send a
// password from one page and no body from another: a password must be right if there is one.
func (r Catalogue) removeDates(c *fiber.Ctx) error {
	at, err := target(c, "eventId", "dateId")
	if err != nil {
		return err
	}
	body, err := readConfirmation(c)
	if err != nil {
		return err
	}
	removed, err := r.Editor.RemoveDates(c.UserContext(), at, body.Password)
	if err != nil {
		return err
	}
	return sendWritten(c, "date deleted", removed.Version, removed.Warnings, removed.Answer)
}
