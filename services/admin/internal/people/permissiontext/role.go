package permissiontext

import "litfass/pkg/contracts/permission"

// RoleLabels are the names of the roles in each language, for people.
var RoleLabels = map[permission.Role]map[string]string{
	permission.Owner:       labels("Owner", "Inhaber", "Ejer"),
	permission.Manager:     labels("Manager", "Verwalter", "Administrator"),
	permission.Editor:      labels("Editor", "Redakteur", "Redaktør"),
	permission.Contributor: labels("Contributor", "Mitwirkender", "Bidragyder"),
	permission.Viewer:      labels("Viewer", "Betrachter", "Læser"),
}
