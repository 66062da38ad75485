package api

import (
	"cmp"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
)

// orderImages answers the images in their new order, and the missing fields of the event as
// warnings.
func (r Catalogue) orderImages(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	order, err := readBody[adminapi.ImageOrder](c, smallBody)
	if err != nil {
		return cmp.Or(r.Images.OfEvents().CheckEdit(c.UserContext(), at), err)
	}
	ordered, err := r.Editor.OrderImages(c.UserContext(), at, order.Images)
	if err != nil {
		return err
	}
	event := ordered.Answer
	return sendWritten(c, "images ordered", ordered.Version, ordered.Warnings,
		adminapi.PartOfEvent{UUID: event.UUID, Checklist: event.Checklist}, imagesOf{event.Images})
}

type imagesOf struct {
	Images []rules.Image `json:"images"`
}
