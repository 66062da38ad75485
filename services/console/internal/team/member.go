package team

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// member is the page on which the rights of a member are changed.
type member struct {
	t      *text.Texts
	org    page.Organization
	member adminapi.Rights
	tag    string
	rights rights
	errors view.Errors
}

// readMember returns the member that the address names.
func readMember(r *page.Request) (m member, err error) {
	m.t = r.Text
	if m.org, err = r.OrganizationFor(permission.ManagePermissions); err != nil {
		return m, err
	}
	uuid, err := r.UUID("member")
	if err != nil {
		return m, err
	}
	m.member, m.tag, err = r.Admin().MemberRights(m.org.UUID, uuid)
	return m, err
}

func showMember(r *page.Request) error {
	m, err := readMember(r)
	if err != nil {
		return err
	}
	return m.show(r, permission.Set(m.member.Permissions))
}

func (m member) show(r *page.Request, chosen permission.Set) (err error) {
	if m.rights, err = readRights(r, m.org.May, chosen); err != nil {
		return err
	}
	title := r.Text.With("team.member.title", "Name", m.name())
	return r.Show(view.Page{Title: title, Section: m.org.UUID, Content: memberPage(m, title)})
}

func (m member) name() string {
	if m.member.DisplayName == "" {
		return m.t.T("team.unnamed")
	}
	return string(m.member.DisplayName)
}

// mayChange reports whether the person may change this member.
func (m member) mayChange() bool {
	return m.org.May.MayChange(permission.Set(m.member.Permissions), 0)
}

// setRights changes the permissions of a member. A change of another person in the meantime is not
// overwritten: the page shows it with the choice.
func setRights(r *page.Request) error {
	m, err := readMember(r)
	if err != nil {
		return err
	}
	offered := given(r.Form)
	if offered.Role == "" && offered.Permissions == nil {
		m.errors = view.Errors{"role": r.Text.T("team.error.role")}
	} else if tag := r.Form.Get("tag"); tag != "" && tag != m.tag {
		m.errors = view.Errors{"": r.Text.With("team.error.stale", "Role", roleName(r.Text, m.member.Role))}
	} else {
		err := r.Admin().SetMemberRights(m.org.UUID, m.member.UUID, m.tag, offered)
		if err == nil {
			return r.Go(m.org.Path("team"), "saved")
		}
		if m.errors = view.Unconfirmed(r.Text, err); m.errors == nil {
			if !view.Refusable(err) {
				return err
			}
			m.errors = view.Reasons(err)
		}
	}
	r.Status(http.StatusUnprocessableEntity)
	return m.show(r, set(offered))
}
