package api

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/version"
)

// joined is one JSON object with the fields of several, in order. Their keys are distinct.
type joined []any

// MarshalJSON joins the objects.
func (m joined) MarshalJSON() ([]byte, error) {
	var fields [][]byte
	for _, part := range m {
		object, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		if inner := object[1 : len(object)-1]; len(inner) > 0 {
			fields = append(fields, inner)
		}
	}
	return append(append([]byte("{"), bytes.Join(fields, []byte(","))...), '}'), nil
}

// sendWritten answers a write with a message, the changed objects, any warnings, and the version.
func sendWritten(c *fiber.Ctx, text string, stored int64, warnings []adminapi.Warning, resource ...any) error {
	answer := append(joined{done(text)}, resource...)
	if warnings != nil {
		answer = append(answer, adminapi.Warned{Warnings: warnings})
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(answer)
}
