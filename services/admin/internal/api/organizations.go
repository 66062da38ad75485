package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/team"
)

// Organizations are the operations on the teams of organizations, on API keys, and on the audit.
type Organizations struct {
	Teams *team.Service
	Keys  *apikey.Service
	Audit *audit.Service
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
// Paths of fixed words come before those with an organization's uuid in the same place.
func (o Organizations) Mount(admin fiber.Router) {
	admin.Get("/permissions/list", listPermissions)
	admin.Get("/roles/list", listRoles)

	admin.Post("/organization/team/invite/accept", o.acceptInvitation)
	admin.Get("/organization/:organizationId/audit", o.listAudit)
	admin.Get("/event/:eventId/history", o.showHistory)

	admin.Get("/organization/:organizationId/team", o.listTeam)
	admin.Post("/organization/:organizationId/team/invite", o.rightFirst(permission.ManageTeam, o.invite))
	admin.Delete("/organization/:organizationId/team/member/:memberId", o.removeMember)
	admin.Get("/organization/:organizationId/member/:memberId/permissions", o.getRights)
	admin.Put("/organization/:organizationId/member/:memberId/permissions",
		o.rightFirst(permission.ManagePermissions, o.setRights))
	admin.Get("/user/memberships", o.listMemberships)
	admin.Get("/user/invitations", o.listInvitations)
	admin.Post("/user/invitations/:invitationId/accept", o.acceptListed)
	admin.Post("/user/invitations/:invitationId/decline", o.declineInvitation)

	admin.Get("/user/api-keys", o.listKeys)
	admin.Post("/user/api-keys", o.createKey)
	admin.Put("/user/api-keys/:keyId", o.renameKey)
	admin.Delete("/user/api-keys/:keyId", o.revokeKey)
	admin.Get("/organization/:organizationId/api-keys", o.listKeys)
	admin.Post("/organization/:organizationId/api-keys", o.rightFirst(permission.ManagePermissions, o.createKey))
	admin.Put("/organization/:organizationId/api-keys/:keyId", o.rightFirst(permission.ManagePermissions, o.renameKey))
	admin.Delete("/organization/:organizationId/api-keys/:keyId", o.revokeKey)
}

// rightFirst has the missing right of an operation refused before its body, which the operation
// reads and checks first (RULES.md, Rights). The right is looked up only for a body that is
// refused.
func (o Organizations) rightFirst(need permission.Set, operation fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		refused := operation(c)
		org, valid := value.UUIDv7(c.Params("organizationId"))
		if !valid || !fault.Is(refused, fault.Invalid) {
			return refused
		}
		if err := o.Teams.Require(c.UserContext(), org, need); err != nil {
			return err
		}
		return refused
	}
}
