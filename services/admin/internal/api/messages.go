package api

import (
	"encoding/json"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/inbox"
)

// messageBody is a message to an organization, whose context_id is a uuid, or to a user, whose
// context_id is an integer.
type messageBody struct {
	Context   string          `json:"context"`
	ContextID json.RawMessage `json:"context_id"`
	Subject   string          `json:"subject"`
	Message   string          `json:"message"`
}

// check returns the message that the body describes and records what is wrong with it.
func (b messageBody) check(violations *fault.Violations) inbox.NewMessage {
	asked := inbox.NewMessage{Subject: b.Subject, Message: b.Message}
	switch b.Context {
	case "organization":
		var text string
		_ = json.Unmarshal(b.ContextID, &text) // another type is not a uuid
		id, valid := value.UUIDv7(text)
		if !valid {
			violations.Add("context_id", "must be the uuid of an organization, a UUIDv7")
		}
		asked.OrgUUID = id
	case "user":
		asked.UserID = positive(violations, "context_id", string(b.ContextID))
	default:
		violations.Add("context", "must be organization or user")
		if b.ContextID == nil {
			violations.Add("context_id", "is required")
		}
	}
	asked.Check(violations)
	return asked
}

func (i Inbox) sendMessage(c *fiber.Ctx) error {
	body, err := readPatch[messageBody](c, smallBody)
	if err != nil {
		return err
	}
	var violations fault.Violations
	asked := body.given.check(&violations)
	if err := body.refuse(func(broken *fault.Violations) { *broken = violations }); err != nil {
		return err
	}
	if err := violations.Err("invalid_parameters", "some fields are not right"); err != nil {
		return err
	}
	id, err := i.Service.Send(c.UserContext(), asked)
	if err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(numbered{message{"message sent"}, id})
}

// numbered is the answer to a write of an entity whose id is an integer.
type numbered struct {
	message
	ID int `json:"id"`
}

func (i Inbox) markRead(c *fiber.Ctx) error {
	p := parametersOf(c)
	id := positive(&p.bad, "messageId", c.Params("messageId"))
	if err := p.err(); err != nil {
		return err
	}
	read, err := i.Service.MarkRead(c.UserContext(), id)
	if err != nil {
		return err
	}
	return c.JSON(read)
}
