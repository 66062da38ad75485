package permission

// Role is the name of a set of permissions.
type Role string

// The roles. A member whose permissions equal no preset has the role Custom.
const (
	Owner       Role = "owner"
	Manager     Role = "manager"
	Editor      Role = "editor"
	Contributor Role = "contributor"
	Viewer      Role = "viewer"
	Custom      Role = "custom"
)

// Preset is a role with its permissions.
type Preset struct {
	Role Role
	Set  Set
}

const (
	viewer      = ViewEventInsights
	contributor = viewer | ChooseAsEventOrganization | ChooseVenue | AddEvent | EditEvent // writes drafts, never releases
	editor      = contributor | ChooseAsEventPartner | ReceiveOrganizationMsgs | ReleaseEvent | DeleteEvent |
		AddVenue | EditVenue | AddSpace | EditSpace
	manager = All &^ DeleteOrganization
)

// Presets lists the roles with their permissions, the strongest first. Each contains all that
// follow.
var Presets = []Preset{
	{Owner, All},
	{Manager, manager},
	{Editor, editor},
	{Contributor, contributor},
	{Viewer, viewer},
}

// Of returns the permissions of a role, and whether the role has a preset.
func Of(role Role) (Set, bool) {
	for _, preset := range Presets {
		if preset.Role == role {
			return preset.Set, true
		}
	}
	return 0, false
}

// RoleOf returns the preset that the set equals, or Custom. Exactly the whole set is Owner.
func RoleOf(set Set) Role {
	for _, preset := range Presets {
		if preset.Set == set.Plain() {
			return preset.Role
		}
	}
	return Custom
}
