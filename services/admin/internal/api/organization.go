package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/organization"
	"litfass/services/admin/internal/version"
)

// organizationBody is enough for an organization with a description of 100,000 characters.
const organizationBody = 640 << 10

// organizationResult is the answer to a write.
type organizationResult struct {
	message
	*catalog.Organization
}

func (o Organizations) getOrganization(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	stored, err := o.Organizations.Get(c.UserContext(), org)
	if err != nil {
		return err
	}
	return sendVersion(c, stored.Version, stored.Entity)
}

func (o Organizations) createOrganization(c *fiber.Ctx) error {
	body, err := readPatch[catalog.Organization](c, organizationBody)
	if err != nil {
		return err
	}
	if _, given := body.keys["uuid"]; given {
		body.wrong("uuid", "is not chosen by the client")
	}
	if err := body.refuse(organizationRules(body, true)); err != nil {
		return err
	}
	stored, err := o.Organizations.Create(c.UserContext(), &body.given)
	if err != nil {
		return err
	}
	c.Status(http.StatusCreated).Location(Prefix + "/organization/" + stored.Entity.UUID)
	return sendStored(c, "organization created", stored)
}

func (o Organizations) changeOrganization(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[catalog.Organization](c, organizationBody)
	if err != nil {
		return err
	}
	if _, given := body.keys["uuid"]; given { // a client may send what it has read
		if id, valid := value.UUIDv7(body.given.UUID); !valid || id != org {
			body.wrong("uuid", "is not that of the path")
		}
	}
	if err := body.refuse(organizationRules(body, false)); err != nil {
		return err
	}
	stored, err := o.Organizations.Change(c.UserContext(), org, expected(c), body.apply)
	if err != nil {
		return err
	}
	return sendStored(c, "organization updated", stored)
}

// organizationRules records which values break a rule: of a whole organization, or of what is given to change one.
func organizationRules(body patch[catalog.Organization], whole bool) func(*fault.Violations) {
	return func(violations *fault.Violations) {
		given := body.given
		given.Normalize()
		for _, violation := range given.Validate() {
			_, named := body.keys[violation.Field]
			if named || whole && violation.Field != "uuid" { // a new one has no uuid yet
				*violations = append(*violations, violation)
			}
		}
	}
}

func sendStored(c *fiber.Ctx, text string, stored organization.Stored) error {
	c.Set(fiber.HeaderETag, version.Tag(stored.Version))
	return c.JSON(organizationResult{message{text}, stored.Entity})
}

// confirmation is the body of what cannot be undone.
type confirmation struct {
	Password string `json:"password"`
}

// readConfirmation decodes the body of what cannot be undone. Known clients send none at times: then the password is what
// is missing, and the use case says so to whoever may know.
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

func (o Organizations) deleteOrganization(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readConfirmation(c)
	if err != nil {
		return err
	}
	if err := o.Organizations.Delete(c.UserContext(), org, expected(c), body.Password); err != nil {
		return err
	}
	return c.JSON(deleted{message{"organization deleted"}, org})
}

func (o Organizations) dashboard(c *fiber.Ctx) error {
	p := parametersOf(c)
	page := p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Organizations.Dashboard(c.UserContext(), page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (o Organizations) listVenues(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page, start := p.uuid("organizationId"), p.page(), o.Organizations.Day(&p.bad, c.Query("start"))
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Organizations.Venues(c.UserContext(), org, start, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (o Organizations) listEvents(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page, start := p.uuid("organizationId"), p.page(), o.Organizations.Day(&p.bad, c.Query("start"))
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Organizations.Events(c.UserContext(), org, start, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}
