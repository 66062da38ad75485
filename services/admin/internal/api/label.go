package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// mountLabels adds the operations on labels, for platform administrators.
func (r Catalogue) mountLabels(admin fiber.Router) {
	admin.Get("/labels", r.listLabels)
	admin.Put("/label/:labelKey", r.putLabel)
	admin.Delete("/label/:labelKey", r.removeLabel)
	admin.Put("/event/:eventId/labels", r.putLabels)
}

func (r Catalogue) listLabels(c *fiber.Ctx) error {
	shown, err := r.Overview.Labels(c.UserContext())
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// putLabel answers 201 when it adds the label.
func (r Catalogue) putLabel(c *fiber.Ctx) error {
	body, err := readBody[adminapi.LabelNames](c, smallBody)
	if err != nil {
		return err
	}
	label := &rules.Label{ID: c.Params("labelKey"), Names: body.Names}
	saved, created, err := r.Editor.SaveLabel(c.UserContext(), label, expected(c))
	if err != nil {
		return err
	}
	text := "label updated"
	if created {
		text = "label created"
		c.Status(http.StatusCreated)
	}
	return sendVersion(c, saved.Version, adminapi.WrittenLabel{Done: done(text), Label: adminapi.Label(*saved.Answer)})
}

func (r Catalogue) removeLabel(c *fiber.Ctx) error {
	body, err := readConfirmation(c)
	if err != nil {
		return err
	}
	at := editing.Target{Key: c.Params("labelKey"), Expected: expected(c)}
	taken, err := r.Editor.RemoveLabel(c.UserContext(), at, body.Password)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.DeletedLabel{Done: done("label deleted"), ID: at.Key, Events: taken})
}

func (r Catalogue) putLabels(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	body, err := readBody[adminapi.LabelsPart](c, smallBody)
	if err != nil {
		return err
	}
	labelled, err := r.Editor.LabelEvent(c.UserContext(), at, body.Labels)
	if err != nil {
		return err
	}
	event := labelled.Answer
	return sendVersion(c, labelled.Version, adminapi.WrittenLabels{
		Done:        done("labels updated"),
		PartOfEvent: adminapi.PartOfEvent{UUID: event.UUID, Checklist: event.Checklist},
		LabelsPart:  adminapi.LabelsPart{Labels: event.Labels},
	})
}
