package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
)

func (o Organizations) listMemberships(c *fiber.Ctx) error { return sendPage(c, o.Teams.Memberships) }

func (o Organizations) listInvitations(c *fiber.Ctx) error { return sendPage(c, o.Teams.Waiting) }

func (o Organizations) acceptListed(c *fiber.Ctx) error {
	p := parametersOf(c)
	invitation := p.uuid("invitationId")
	if err := p.err(); err != nil {
		return err
	}
	accepted, err := o.Teams.AcceptListed(c.UserContext(), invitation)
	if err != nil {
		return err
	}
	return sendAccepted(c, accepted)
}

func (o Organizations) declineInvitation(c *fiber.Ctx) error {
	p := parametersOf(c)
	invitation := p.uuid("invitationId")
	if err := p.err(); err != nil {
		return err
	}
	if err := o.Teams.Decline(c.UserContext(), invitation); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("invitation declined"), UUID: invitation})
}

func sendAccepted(c *fiber.Ctx, accepted adminapi.Accepted) error {
	return c.JSON(adminapi.AcceptedInvitation{Done: done("invitation accepted"), Accepted: accepted})
}
