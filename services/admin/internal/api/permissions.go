package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/language"
	"litfass/pkg/value"
	"litfass/services/admin/internal/permission"
)

// permissionInfo is one permission in words.
type permissionInfo struct {
	Bit         int    `json:"bit"`
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description"`
}

// listPermissions answers the permissions by group, in the language nearest to the parameter lang.
func listPermissions(c *fiber.Ctx) error {
	lang := language.Nearest(c.Query("lang"))
	groups := map[string][]permissionInfo{}
	for _, info := range permission.Infos {
		groups[info.Group] = append(groups[info.Group], permissionInfo{
			Bit: info.Bit, Name: info.Name, Label: info.Labels[lang], Description: info.Description(lang),
		})
	}
	return c.JSON(groups)
}

// roleInfo is one role in words, with its permissions as a mask and bit by bit.
type roleInfo struct {
	Name        permission.Role `json:"name"`
	Label       string          `json:"label"`
	Permissions value.Mask      `json:"permissions"`
	Bits        []int           `json:"bits"`
}

// listRoles answers the roles, the strongest first, in the language nearest to the parameter lang.
func listRoles(c *fiber.Ctx) error {
	lang := language.Nearest(c.Query("lang"))
	roles := []roleInfo{}
	for _, preset := range permission.Presets {
		mask := value.Mask(preset.Set)
		roles = append(roles, roleInfo{preset.Role, preset.Labels[lang], mask, mask.Bits()})
	}
	return c.JSON(fiber.Map{"roles": roles})
}
