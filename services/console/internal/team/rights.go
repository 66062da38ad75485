package team

import (
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// rights is a choice of a role, or of permissions one by one.
type rights struct {
	groups []group
	chosen permission.Set
	role   permission.Role // permission.Custom for permissions one by one
	may    permission.Set  // of the person who chooses
}

// group are the permissions on one kind of thing.
type group struct {
	name        string // of its message
	permissions []adminapi.Permission
}

// readRights returns the choice with the words for the permissions; with an error only the roles.
func readRights(r *page.Request, may, chosen permission.Set) (rights, error) {
	choice := rights{chosen: chosen, role: permission.RoleOf(chosen), may: may}
	all, err := r.Admin().Permissions()
	if err != nil {
		return choice, err
	}
	for i := range all.Event {
		if permission.Set(1)<<all.Event[i].Bit == permission.ReleaseEvent {
			all.Event[i].Label = r.Text.T("team.permission.publish") // the API's label says release
		}
	}
	choice.groups = []group{
		{"organization", all.Organization}, {"event", all.Event}, {"venue", all.Venue}, {"space", all.Space},
	}
	return choice, nil
}

// roles are the roles that the person may grant, each with a sentence about it.
func (c rights) roles(t *text.Texts) []view.Option {
	var options []view.Option
	for _, preset := range permission.Presets {
		if c.may.Has(preset.Set) {
			options = append(options, view.Option{
				Value: string(preset.Role), Label: t.T("team.role." + string(preset.Role)),
				Hint: t.T("team.role." + string(preset.Role) + ".text"), Chosen: preset.Role == c.role,
			})
		}
	}
	return append(options, view.Option{
		Value: string(permission.Custom), Label: t.T("team.role.custom"), Hint: t.T("team.role.custom.text"),
		Chosen: c.role == permission.Custom,
	})
}

// offered are the permissions of a group that the person may grant.
func (c rights) offered(g group) []view.Option {
	var options []view.Option
	for _, p := range g.permissions {
		bit := permission.Set(1) << p.Bit
		if c.may.Has(bit) {
			options = append(options, view.Option{
				Value: strconv.Itoa(p.Bit), Label: p.Label, Hint: p.Description, Chosen: c.chosen.Has(bit),
			})
		}
	}
	return options
}

// given returns the grant of a form: the role, or with the role Custom its permissions. Bits that
// no permission has are left to the admin service to refuse.
func given(form page.Form) adminapi.Offered {
	role := permission.Role(form.Get("role"))
	if role != permission.Custom {
		return adminapi.Offered{Role: role}
	}
	var mask value.Mask
	for _, text := range form.Values["permission"] {
		if bit, err := strconv.Atoi(text); err == nil && bit >= 0 && bit < 64 {
			mask |= 1 << bit
		}
	}
	return adminapi.Offered{Permissions: &mask}
}

// set returns the permissions of an offer.
func set(o adminapi.Offered) permission.Set {
	if o.Permissions != nil {
		return permission.Set(*o.Permissions)
	}
	set, _ := permission.Of(o.Role) // an unknown role grants nothing
	return set
}

// roleName writes a role for people.
func roleName(t *text.Texts, role permission.Role) string {
	if id := "team.role." + string(role); t.Has(id) {
		return t.T(id)
	}
	return string(role)
}

// roleText describes a role in a sentence.
func roleText(t *text.Texts, role permission.Role) string {
	if id := "team.role." + string(role) + ".text"; t.Has(id) {
		return t.T(id)
	}
	return ""
}
