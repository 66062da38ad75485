package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/editing"
)

// moderated is the answer to a takedown, and to lifting one.
type moderated struct {
	UUID          string            `json:"uuid"`
	ReleaseStatus string            `json:"release_status"`
	TakenBack     *catalog.Takedown `json:"taken_back"`
}

func (m Moderation) takeBack(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	body, err := readBody[struct {
		Reason string `json:"reason"`
	}](c, smallBody)
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
	return sendWritten(c, text, event.Version, nil, moderated{shown.UUID, shown.ReleaseStatus, shown.TakenBack})
}
