package api

import (
	"github.com/gofiber/fiber/v2"
)

// exportData answers all data about the user, in chunks while it is read. When reading fails, the
// connection ends without the last chunk.
func (a Accounts) exportData(c *fiber.Ctx) error {
	export, err := a.Users.Export(c.UserContext())
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="litfass-export.json"`)
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.SendStream(export)
}

func (a Accounts) deleteAccount(c *fiber.Ctx) error {
	body, err := readConfirmation(c)
	if err != nil {
		return err
	}
	if err := a.Users.Delete(c.UserContext(), a.Avatars, body.Password); err != nil {
		return err
	}
	return c.JSON(done("account deleted"))
}
