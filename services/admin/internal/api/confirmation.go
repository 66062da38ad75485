package api

import (
	"github.com/gofiber/fiber/v2"
)

// confirmation is the body of what cannot be undone.
type confirmation struct {
	Password string `json:"password"`
}

// readConfirmation decodes the body of what cannot be undone. Known clients send none at times:
// then the password is what is missing, and the use case says so to those who may know.
func readConfirmation(c *fiber.Ctx) (confirmation, error) {
	if !hasBody(c) {
		return confirmation{}, nil
	}
	return readBody[confirmation](c, smallBody)
}

// deleted is the answer to a deletion.
type deleted struct {
	message
	UUID string `json:"uuid"`
}
