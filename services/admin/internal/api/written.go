package api

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/editing"
	"litfass/services/admin/internal/version"
)

// merged is one JSON object with the fields of several, in their order. None of them has a key of
// another.
type merged []any

// MarshalJSON joins the objects.
func (m merged) MarshalJSON() ([]byte, error) {
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

// warned is what an answer to a write holds beside the resource.
type warned struct {
	Warnings []editing.Warning `json:"warnings"`
}

// sendWritten answers a write with a message, the objects that it has changed, the warnings where
// the operation knows any, and the version.
func sendWritten(c *fiber.Ctx, text string, stored int64, warnings []editing.Warning, resource ...any) error {
	answer := append(merged{message{text}}, resource...)
	if warnings != nil {
		answer = append(answer, warned{warnings})
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(answer)
}
