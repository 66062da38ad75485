package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/undelivered"
	"litfass/services/admin/internal/people/user"
)

// Platform has the operations by which platform administrators run the platform.
type Platform struct {
	Users    *user.Service
	Overview *overview.Service
	Mails    undelivered.Service
	Nodes    ReadNodes
}

// ReadNodes lists the read nodes; see readnode.Monitor.
type ReadNodes interface {
	List(ctx context.Context) (adminapi.ReadNodes, error)
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (p Platform) Mount(admin fiber.Router) {
	admin.Get("/people", p.listPeople)
	admin.Put("/people/:userId/state", p.putPersonState)
	admin.Get("/organizations", p.listOrganizations)
	admin.Get("/mails", p.listMails)
	admin.Post("/mails/:mailId/retry", p.retryMail)
	admin.Delete("/mails/:mailId", p.dropMail)
	admin.Get("/nodes", p.listNodes)
}

func (p Platform) listPeople(c *fiber.Ctx) error {
	params := parametersOf(c)
	page := params.page()
	filter := user.ParsePeopleFilter(&params.bad, func(name string) string { return c.Query(name) })
	if err := params.err(); err != nil {
		return err
	}
	shown, err := p.Users.People(c.UserContext(), filter, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (p Platform) putPersonState(c *fiber.Ctx) error {
	address := parametersOf(c)
	id := positive(&address.bad, "userId", c.Params("userId"))
	if err := address.err(); err != nil {
		return err
	}
	body, err := readBody[adminapi.PersonState](c, smallBody)
	if err != nil {
		return err
	}
	if body.Active == nil {
		missing := fault.Violations{fault.Violate("active", reason.Required)}
		return missing.Err("invalid_body", "the body is not what this operation reads")
	}
	person, err := p.Users.SetActive(c.UserContext(), id, *body.Active, body.Reason)
	if err != nil {
		return err
	}
	ownerless, err := p.Users.Ownerless(c.UserContext(), person.Email)
	if err != nil {
		return err
	}
	stored := adminapi.WrittenPersonState{
		Done: done("state stored"), Person: person, Ownerless: []adminapi.OwnerlessOrganization{},
	}
	for _, organization := range ownerless {
		stored.Ownerless = append(stored.Ownerless, adminapi.OwnerlessOrganization(organization))
	}
	return c.JSON(stored)
}

func (p Platform) listOrganizations(c *fiber.Ctx) error {
	params := parametersOf(c)
	page := params.page()
	filter := overview.ParsePlatformFilter(&params.bad, func(name string) string { return c.Query(name) })
	if err := params.err(); err != nil {
		return err
	}
	shown, err := p.Overview.Platform(c.UserContext(), filter, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (p Platform) listMails(c *fiber.Ctx) error { return sendPage(c, p.Mails.List) }

func (p Platform) retryMail(c *fiber.Ctx) error {
	return changeMail(c, p.Mails.Retry, "the mail is sent again")
}

func (p Platform) dropMail(c *fiber.Ctx) error {
	return changeMail(c, p.Mails.Drop, "mail deleted")
}

func changeMail(c *fiber.Ctx, change func(ctx context.Context, id int64) error, text string) error {
	address := parametersOf(c)
	id := positive(&address.bad, "mailId", c.Params("mailId"))
	if err := address.err(); err != nil {
		return err
	}
	if err := change(c.UserContext(), int64(id)); err != nil {
		return err
	}
	return c.JSON(done(text))
}

func (p Platform) listNodes(c *fiber.Ctx) error {
	ctx := c.UserContext()
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return err
	}
	shown, err := p.Nodes.List(ctx)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}
