package api

import (
	"encoding/json"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/desk"
)

// letterBody is a message to an organization, whose context_id is a uuid, or to a user, whose context_id is an integer.
type letterBody struct {
	Context   string          `json:"context"`
	ContextID json.RawMessage `json:"context_id"`
	Subject   string          `json:"subject"`
	Message   string          `json:"message"`
}

// letter returns the message that the body asks for and records what is wrong with it.
func (b letterBody) letter(violations *fault.Violations) desk.Letter {
	letter := desk.Letter{Subject: b.Subject, Message: b.Message}
	switch b.Context {
	case "organization":
		var text string
		_ = json.Unmarshal(b.ContextID, &text) // another type is no uuid
		id, valid := value.UUIDv7(text)
		if !valid {
			violations.Add("context_id", "must be the uuid of an organization, a UUIDv7")
		}
		letter.OrgUUID = id
	case "user":
		letter.UserID = positive(violations, "context_id", string(b.ContextID))
	default:
		violations.Add("context", "must be organization or user")
		if b.ContextID == nil {
			violations.Add("context_id", "is required")
		}
	}
	letter.Check(violations)
	return letter
}

func (d Desk) sendMessage(c *fiber.Ctx) error {
	body, err := readPatch[letterBody](c, smallBody)
	if err != nil {
		return err
	}
	var violations fault.Violations
	letter := body.given.letter(&violations)
	if err := body.refuse(func(broken *fault.Violations) { *broken = violations }); err != nil {
		return err
	}
	if err := violations.Err("invalid_parameters", "some fields are not right"); err != nil {
		return err
	}
	id, err := d.Service.Send(c.UserContext(), letter)
	if err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(numbered{message{"message sent"}, id})
}

// numbered is the answer to a write of something that a number names.
type numbered struct {
	message
	ID int `json:"id"`
}

func (d Desk) markRead(c *fiber.Ctx) error {
	p := parametersOf(c)
	id := positive(&p.bad, "messageId", c.Params("messageId"))
	if err := p.err(); err != nil {
		return err
	}
	read, err := d.Service.MarkRead(c.UserContext(), id)
	if err != nil {
		return err
	}
	return c.JSON(read)
}
