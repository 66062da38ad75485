package view

import (
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/text"
)

// RoleWords returns the name of a role and what it allows; "" for permissions one by one.
func RoleWords(t *text.Texts, role permission.Role) (name, allows string) {
	if role == permission.Custom || !t.Has("team.role."+string(role)) {
		return "", ""
	}
	return t.T("team.role." + string(role)), t.T("team.role." + string(role) + ".text")
}
