package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/permissiontext"
)

// listPermissions answers the permissions by group, in the language closest to the parameter lang.
func listPermissions(c *fiber.Ctx) error {
	lang := language.Nearest(c.Query("lang"))
	groups := map[string][]adminapi.Permission{}
	for _, info := range permissiontext.Infos {
		groups[info.Group] = append(groups[info.Group], adminapi.Permission{
			Bit: info.Bit, Name: info.Name, Label: info.Labels[lang], Description: info.Description(lang),
		})
	}
	return c.JSON(groups)
}

// listRoles answers the roles, the strongest first, in the language closest to the parameter lang.
func listRoles(c *fiber.Ctx) error {
	lang := language.Nearest(c.Query("lang"))
	shown := adminapi.Roles{Roles: []adminapi.Role{}}
	for _, preset := range permission.Presets {
		mask := value.Mask(preset.Set)
		label := permissiontext.RoleLabels[preset.Role][lang]
		shown.Roles = append(shown.Roles, adminapi.Role{Name: preset.Role, Label: label, Permissions: mask, Bits: mask.Bits()})
	}
	return c.JSON(shown)
}
