package api

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/editing"
)

// duplicateEvent adds a draft like an event. Without a body its dates are those of the event.
func (r Catalogue) duplicateEvent(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	var how editing.Duplication
	if hasBody(c) {
		if how, err = readBody[editing.Duplication](c, smallBody); err != nil {
			return err
		}
	}
	made, err := r.Images.DuplicateEvent(c.UserContext(), at, how)
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated).Location(fmt.Sprintf("%s/event/%s", Prefix, made.Answer.UUID))
	return sendWritten(c, "event duplicated", made.Version, made.Warnings, made.Answer)
}
