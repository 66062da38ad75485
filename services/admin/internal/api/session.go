package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
)

func (a Accounts) listSessions(c *fiber.Ctx) error {
	p := parametersOf(c)
	page := p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := a.Users.ListSessions(c.UserContext(), page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (a Accounts) endSession(c *fiber.Ctx) error {
	p := parametersOf(c)
	session := p.uuid("sessionId")
	if err := p.err(); err != nil {
		return err
	}
	if err := a.Users.EndSession(c.UserContext(), session); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("session ended"), UUID: session})
}
