package team

import (
	"net/http"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// list are the members and the open invitations of a team.
type list struct {
	t      *text.Texts
	now    time.Time
	org    page.Organization
	team   adminapi.Team
	self   int // the person's user id
	rights rights
	email  string // of an invitation that was refused
	errors view.Errors

	lastOwner bool // the person is: they cannot leave
}

func showTeam(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManageTeam)
	if err != nil {
		return err
	}
	viewer, _ := permission.Of(permission.Viewer)
	return showList(r, list{org: org}, viewer)
}

// showList shows the team; chosen are the permissions that the form for invitations offers.
func showList(r *page.Request, l list, chosen permission.Set) error {
	l.t, l.now, l.self = r.Text, r.Now, r.User.UserID
	own, _ := r.Membership(l.org.UUID)
	l.lastOwner = own.LastOwner
	var err error
	if l.team, err = r.Admin().Team(l.org.UUID, view.Paged(r.Query)); err != nil {
		return err
	}
	if l.rights, err = readRights(r, l.org.May, chosen); err != nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("organization.nav.team") + " · " + l.org.Name, Section: l.org.UUID, Content: members(l),
	})
}

// invite invites a person by their address.
func invite(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManageTeam)
	if err != nil {
		return err
	}
	l := list{org: org, email: r.Form.Text("email"), errors: view.Errors{}}
	offered := given(r.Form)
	if !strings.Contains(l.email, "@") {
		l.errors["email"] = r.Text.T("team.error.email")
	}
	if offered.Role == "" && offered.Permissions == nil {
		l.errors["role"] = r.Text.T("team.error.role")
	}
	if len(l.errors) == 0 {
		body := adminapi.NewInvitation{Email: l.email, Offered: offered}
		err := r.Admin().Invite(org.UUID, body)
		if err == nil {
			return r.Go(org.Path("team"), "team_invited")
		}
		if !view.Refusable(err) {
			return err
		}
		l.errors = notInvited(r, err)
	}
	r.Status(http.StatusUnprocessableEntity)
	return showList(r, l, set(offered))
}

// renew mails an invitation again, with the same permissions.
func renew(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManageTeam)
	if err != nil {
		return err
	}
	mask := given(page.Form{Values: map[string][]string{
		"role": {string(permission.Custom)}, "permission": r.Form.Values["permission"],
	}})
	body := adminapi.NewInvitation{Email: r.Form.Text("email"), Offered: mask}
	err = r.Admin().Invite(org.UUID, body)
	if err != nil && !view.Refusable(err) {
		return err
	}
	if err != nil {
		r.Status(http.StatusUnprocessableEntity)
		return showList(r, list{org: org, errors: notInvited(r, err)}, set(mask))
	}
	return r.Go(org.Path("team"), "team_invited")
}

// notInvited returns the errors of an invitation that was refused. Beyond a limit they say when to
// try again.
func notInvited(r *page.Request, err error) view.Errors {
	errors := view.Reasons(err)
	f := fault.Of(err)
	if f.Kind != fault.TooMany || f.RetryAfter <= 0 {
		return errors
	}
	message, unit := "team.again_minutes", time.Minute
	if f.RetryAfter > 90*time.Minute {
		message, unit = "team.again_hours", time.Hour
	}
	errors[""] += " " + r.Text.Count(message, int((f.RetryAfter+unit-1)/unit))
	return errors
}

// pager leads through the members and the invitations, of which each page shows a part.
func (l list) pager() view.Pager {
	shown := l.team.Page
	shown.TotalCount = max(shown.TotalCount, l.team.InvitationCount)
	return view.Pager{Page: shown, Path: l.org.Path("team")}
}

// mayChange reports whether the person may change the permissions of a member.
func (l list) mayChange(m adminapi.Member) bool {
	return l.org.May.Has(permission.ManagePermissions) && l.org.May.MayChange(permission.Set(m.Permissions), 0)
}

// mayRemove reports whether the person may remove a member, or revoke an invitation with these
// permissions.
func (l list) mayRemove(has permission.Set) bool {
	return l.org.May.Has(permission.ManageTeam) && l.org.May.MayChange(has, 0)
}

// nameOf returns the name of a member.
func nameOf(m adminapi.Member) string {
	for _, name := range []string{string(m.DisplayName), strings.TrimSpace(string(m.FirstName) + " " + string(m.LastName))} {
		if name != "" {
			return name
		}
	}
	return m.Email
}

// day writes the day of a moment.
func (l list) day(moment time.Time) string { return dayOf(l.t, l.now, moment) }

func dayOf(t *text.Texts, now, moment time.Time) string {
	local := moment.In(now.Location())
	if local.Year() == now.Year() {
		return t.ShortDay(local)
	}
	return t.ShortDay(local) + " " + local.Format("2006")
}
