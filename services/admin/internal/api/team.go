package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/version"
)

func (o Organizations) listTeam(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page := p.uuid("organizationId"), p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Teams.List(c.UserContext(), org, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// grant are the permissions in a body: a role, or a list.
type grant struct {
	Role        *string     `json:"role"`
	Permissions *value.Mask `json:"permissions"`
}

// set returns the permissions, or otherwise without any, and adds violations for invalid ones. A
// role and a list may be given together if they agree, as in answers.
func (o grant) set(violations *fault.Violations, otherwise permission.Set) permission.Set {
	switch {
	case o.Role != nil && o.Permissions != nil &&
		permission.Role(*o.Role) != permission.RoleOf(permission.Set(*o.Permissions)):
		violations.Add("permissions", reason.Contradicts("role"))
	case o.Role != nil && o.Permissions == nil:
		set, known := permission.Of(permission.Role(*o.Role))
		if !known {
			violations.Add("role", reason.NotOneOf([]string{"owner", "manager", "editor", "contributor", "viewer"}))
		}
		return set
	case o.Permissions != nil:
		set := permission.Set(*o.Permissions)
		if !set.Known() {
			violations.Add("permissions", reason.UnknownBits(permission.Every.String()))
		}
		return set.Plain()
	}
	return otherwise
}

type invitationBody struct {
	Email string `json:"email"`
	grant
}

// invite offers the role of a viewer unless the body names another. Known clients send a role_id,
// which is ignored.
func (o Organizations) invite(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[invitationBody](c, smallBody, "role_id")
	if err != nil {
		return err
	}
	var violations fault.Violations
	viewer, _ := permission.Of(permission.Viewer)
	asked := team.NewInvitation{
		Email: team.CheckInvitation(&violations, body.given.Email), Permissions: body.given.set(&violations, viewer),
		Locale: c.Query("lang"),
	}
	if err := body.refuseAll(violations); err != nil {
		return err
	}
	invited, err := o.Teams.Invite(c.UserContext(), org, asked)
	if err != nil {
		return err
	}
	text := done("invitation renewed")
	if !invited.Renewed {
		text.Message = "invitation on its way"
		c.Status(http.StatusCreated)
	}
	return c.JSON(adminapi.WrittenInvitation{Done: text, Invitation: invited.Invitation})
}

func (o Organizations) acceptInvitation(c *fiber.Ctx) error {
	body, err := readBody[adminapi.InvitationToken](c, smallBody)
	if err != nil {
		return err
	}
	accepted, err := o.Teams.Accept(c.UserContext(), body.Token)
	if err != nil {
		return err
	}
	return sendAccepted(c, accepted)
}

func (o Organizations) removeMember(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, member := p.uuid("organizationId"), p.uuid("memberId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readConfirmation(c)
	if err != nil {
		return err
	}
	if err := o.Teams.Remove(c.UserContext(), org, member, expected(c), body.Password); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("removed from the team"), UUID: member})
}

func (o Organizations) getRights(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, member := p.uuid("organizationId"), p.uuid("memberId")
	if err := p.err(); err != nil {
		return err
	}
	rights, err := o.Teams.Rights(c.UserContext(), org, member)
	if err != nil {
		return err
	}
	return sendVersion(c, rights.Version, rights.Rights)
}

// rightsBody changes one bit, or all. Clients may send back rights as they read them: uuid must be
// equal, and the user's name and id are ignored.
type rightsBody struct {
	UUID    *string `json:"uuid"`
	Bit     *int    `json:"bit"`
	Enabled *bool   `json:"enabled"`
	grant
}

// change returns the change of a member's permissions by the body, and adds violations for invalid
// fields.
func (b rightsBody) change(violations *fault.Violations) func(permission.Set) permission.Set {
	if b.Bit == nil && b.Enabled == nil {
		if b.Role == nil && b.Permissions == nil {
			violations.Add("bit", reason.OneRequired("bit and enabled, or role, or permissions"))
		}
		set := b.set(violations, 0)
		return func(permission.Set) permission.Set { return set }
	}
	var bit permission.Set
	switch {
	case b.Bit == nil:
		violations.Add("bit", reason.RequiredWith("enabled"))
	case *b.Bit < 0 || *b.Bit > 63 || !permission.Every.Has(1<<*b.Bit):
		violations.Add("bit", reason.NotPermission)
	default:
		bit = 1 << *b.Bit
	}
	if b.Enabled == nil {
		violations.Add("enabled", reason.RequiredWith("bit"))
	}
	if b.Role != nil {
		violations.Add("role", reason.GivenWith("bit"))
	}
	if b.Permissions != nil {
		violations.Add("permissions", reason.GivenWith("bit"))
	}
	return func(before permission.Set) permission.Set {
		if *b.Enabled {
			return before | bit
		}
		return before &^ bit
	}
}

func (o Organizations) setRights(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, member := p.uuid("organizationId"), p.uuid("memberId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[rightsBody](c, smallBody, "user_id", "user_display_name")
	if err != nil {
		return err
	}
	body.mustName(editing.Target{Key: member})
	var violations fault.Violations
	change := body.given.change(&violations)
	if err := body.refuseAll(violations); err != nil {
		return err
	}
	rights, err := o.Teams.SetRights(c.UserContext(), org, member, expected(c), change)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(rights.Version))
	return c.JSON(adminapi.WrittenRights{Done: done("permissions updated"), Rights: rights.Rights})
}
