package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
)

// readConfirmation decodes the body of what cannot be undone. Known clients send none at times:
// then the password is what is missing, and the use case says so to those who may know.
func readConfirmation(c *fiber.Ctx) (adminapi.Confirmation, error) {
	if !hasBody(c) {
		return adminapi.Confirmation{}, nil
	}
	return readBody[adminapi.Confirmation](c, smallBody)
}
