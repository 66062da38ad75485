package account

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// showInvitation asks before an invitation is accepted; without a login it leads to the login or to
// the signup, and back from both.
func showInvitation(r *page.Request, token string) error {
	return r.Show(invitationPage(r, token, ""))
}

func invitationPage(r *page.Request, token, problem string) view.Page {
	content := invitationForStrangers(r.Text)
	if r.User != nil {
		content = invitation(r.Text, token, r.User.Name, problem)
	}
	return view.Page{Title: r.Text.T("invitation"), Content: content}
}

func acceptInvitation(r *page.Request) error {
	token := r.Form.Get("token")
	accepted, err := r.Admin().AcceptMailedInvitation(adminapi.InvitationToken{Token: token})
	switch {
	case isBroken(err):
		return broken(r, keptInvitation)
	case fault.Is(err, fault.Conflict): // the person is a member already
		r.Drop(keptInvitation)
		return r.Go(page.Root+"/", "already_member")
	case fault.Is(err, fault.Forbidden):
		return r.Status(http.StatusForbidden).Show(invitationPage(r, token, r.Text.T("invitation.other_address")))
	case err != nil:
		return err
	}
	r.Drop(keptInvitation)
	return r.Go(page.Root+"/organization/"+accepted.OrgUUID, "joined")
}
