package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
)

// readConfirmation decodes the body that confirms an irreversible operation. Known clients may send
// none: then the use case answers that the password is missing, if the caller has access.
func readConfirmation(c *fiber.Ctx) (adminapi.Confirmation, error) {
	if !hasBody(c) {
		return adminapi.Confirmation{}, nil
	}
	return readBody[adminapi.Confirmation](c, smallBody)
}
