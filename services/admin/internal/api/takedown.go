package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
)

func (m Moderation) takeBack(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	body, err := readBody[adminapi.TakedownReason](c, smallBody)
	if err != nil {
		return err
	}
	taken, err := m.Editor.TakeBack(c.UserContext(), at, body.Reason)
	if err != nil {
		return err
	}
	return sendModerated(c, "event taken back", taken)
}

func (m Moderation) liftTakedown(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	lifted, err := m.Editor.LiftTakedown(c.UserContext(), at)
	if err != nil {
		return err
	}
	return sendModerated(c, "takedown lifted", lifted)
}

func sendModerated(c *fiber.Ctx, text string, event editing.Versioned[editing.EventView]) error {
	shown := event.Answer
	return sendVersion(c, event.Version, adminapi.WrittenTakedown{
		Done: done(text), UUID: shown.UUID, ReleaseStatus: shown.ReleaseStatus,
		TakenBack: (*adminapi.Takedown)(shown.TakenBack),
	})
}
