package api

import (
	"encoding/json"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/inbox"
)

// messageBody is a message to an organization, whose context_id is a uuid, or to a user, whose
// context_id is an integer.
type messageBody struct {
	Context   string          `json:"context"`
	ContextID json.RawMessage `json:"context_id"`
	Subject   string          `json:"subject"`
	Message   string          `json:"message"`
}

// check returns the message that the body describes and adds violations for invalid fields.
func (b messageBody) check(violations *fault.Violations) inbox.NewMessage {
	asked := inbox.NewMessage{Subject: b.Subject, Message: b.Message}
	switch b.Context {
	case adminapi.ToOrganization:
		var text string
		_ = json.Unmarshal(b.ContextID, &text) // another type is not a uuid
		id, valid := value.UUIDv7(text)
		if !valid {
			violations.Add("context_id", reason.NotUUID)
		}
		asked.OrgUUID = id
	case adminapi.ToUser:
		asked.UserID = positive(violations, "context_id", string(b.ContextID))
	default:
		violations.Add("context", reason.NotOneOf([]string{adminapi.ToOrganization, adminapi.ToUser}))
		if b.ContextID == nil {
			violations.Add("context_id", reason.Required)
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
	return c.Status(http.StatusCreated).JSON(adminapi.Numbered{Done: done("message sent"), ID: id})
}

func (i Inbox) markRead(c *fiber.Ctx) error {
	id, err := messageID(c)
	if err != nil {
		return err
	}
	read, err := i.Service.MarkRead(c.UserContext(), id)
	if err != nil {
		return err
	}
	return c.JSON(read)
}

func messageID(c *fiber.Ctx) (int, error) {
	p := parametersOf(c)
	id := positive(&p.bad, "messageId", c.Params("messageId"))
	return id, p.err()
}

func (i Inbox) reply(c *fiber.Ctx) error {
	to, err := messageID(c)
	if err != nil {
		return err
	}
	body, err := readPatch[adminapi.Reply](c, smallBody)
	if err != nil {
		return err
	}
	reply := inbox.NewReply{Subject: body.given.Subject, Message: body.given.Message}
	if err := body.refuse(reply.Check); err != nil {
		return err
	}
	id, err := i.Service.Reply(c.UserContext(), to, reply)
	if err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(adminapi.Numbered{Done: done("reply sent"), ID: id})
}

// deleteMessage ignores the body, as deleteTodo does.
func (i Inbox) deleteMessage(c *fiber.Ctx) error {
	id, err := messageID(c)
	if err != nil {
		return err
	}
	if _, err := web.ReadBody(c, smallBody); err != nil {
		return err
	}
	if err := i.Service.DeleteMessage(c.UserContext(), id); err != nil {
		return err
	}
	return c.JSON(adminapi.Numbered{Done: done("message deleted"), ID: id})
}
