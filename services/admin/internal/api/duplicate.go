package api

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
)

// duplicateEvent adds a copy of an event as a draft. Without a body it has the same dates.
func (r Catalogue) duplicateEvent(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	var how adminapi.Duplication
	if hasBody(c) {
		if how, err = readBody[adminapi.Duplication](c, smallBody); err != nil {
			return err
		}
	}
	made, err := r.Images.DuplicateEvent(c.UserContext(), at, editing.Duplication(how))
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated).Location(fmt.Sprintf("%s/event/%s", Prefix, made.Answer.UUID))
	return sendWritten(c, "event duplicated", made.Version, made.Warnings, made.Answer)
}
