package event

import (
	"slices"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// organization is whose event it is. Its form has a button: another choice takes the event from a
// team at once.
var organization = group{
	name: "organization", write: "header", keys: []string{"org_uuid"}, frame: moveForm,
	read: func(d *formBody) { d.body["org_uuid"] = d.Text("org_uuid") },
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return view.Select(s.field("org_uuid", nil, state), s.homes(values.Text("org_uuid")))
	},
	locked: func(s *sheet) bool { return !s.movable() },
}

// homes are the organizations that may have the event: the ones where the person may edit events,
// and the present one.
func (s *sheet) homes(chosen string) []view.Option {
	var all []view.Option
	for _, membership := range s.Memberships() {
		if membership.OrgUUID == s.event.OrgUUID || s.Rights(membership.OrgUUID).Has(permission.EditEvent) {
			all = append(all, view.Option{
				Value: membership.OrgUUID, Label: membership.OrgName, Chosen: membership.OrgUUID == chosen,
			})
		}
	}
	present := func(o view.Option) bool { return o.Value == s.event.OrgUUID }
	if !slices.ContainsFunc(all, present) { // an administrator of the platform is no member of it
		all = append(all, view.Option{Value: s.event.OrgUUID, Label: s.event.OrgName, Chosen: s.event.OrgUUID == chosen})
	}
	return all
}

// movable reports whether the person may give the event to another organization.
func (s *sheet) movable() bool { return s.edits() && len(s.homes("")) > 1 }
