package team

import (
	"net/http"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// removal is the page that asks for the password before a person loses access.
type removal struct {
	t      *text.Texts
	org    page.Organization
	title  string
	text   string
	button string
	action string
	back   string
	errors view.Errors

	refused string // why it is not possible; "" when it is
}

// readRemoval finds the member or the invitation that the address names.
func readRemoval(r *page.Request) (removal, string, error) {
	org, err := r.OrganizationFor(permission.ManageTeam)
	if err != nil {
		return removal{}, "", err
	}
	uuid, err := r.UUID("member")
	if err != nil {
		return removal{}, "", err
	}
	x := removal{t: r.Text, org: org, action: org.Path("team/remove/" + uuid), back: org.Path("team")}
	for offset := 0; ; offset += 200 {
		query := client.All()
		query.Set("offset", strconv.Itoa(offset))
		team, err := r.Admin().Team(org.UUID, query)
		if err != nil {
			return x, "", err
		}
		for _, m := range team.Members {
			if m.UUID == uuid {
				x.title, x.text = r.Text.With("team.remove.title", "Name", nameOf(m)), r.Text.T("team.remove.text")
				x.button = r.Text.T("team.remove")
				return x, uuid, nil
			}
		}
		for _, i := range team.Invitations {
			if i.UUID == uuid {
				x.title, x.text = r.Text.With("team.revoke.title", "Email", i.Email), r.Text.T("team.revoke.text")
				x.button = r.Text.T("team.revoke")
				return x, uuid, nil
			}
		}
		if len(team.Members)+len(team.Invitations) == 0 {
			return x, "", fault.New(fault.NotFound, "", "there is no such member")
		}
	}
}

func (x removal) show(r *page.Request) error {
	return r.Show(view.Page{Title: x.title, Section: x.org.UUID, Content: removalPage(x)})
}

func showRemoval(r *page.Request) error {
	x, _, err := readRemoval(r)
	if err != nil {
		return err
	}
	return x.show(r)
}

// remove removes a member, or revokes an invitation.
func remove(r *page.Request) error {
	x, uuid, err := readRemoval(r)
	if err != nil {
		return err
	}
	return x.end(r, uuid, x.back, "team_removed")
}

// end ends a membership or an invitation and leads on.
func (x removal) end(r *page.Request, uuid, next, notice string) error {
	var err error
	if x.errors, err = r.DeleteConfirmed(r.Admin().RemoveMember(x.org.UUID, uuid)); err != nil {
		return err
	}
	if len(x.errors) > 0 {
		r.Status(http.StatusUnprocessableEntity)
		return x.show(r)
	}
	return r.Go(next, notice)
}

// readLeaving finds the person's own membership.
func readLeaving(r *page.Request) (removal, string, error) {
	org, err := r.Organization()
	if err != nil {
		return removal{}, "", err
	}
	own, member := r.Membership(org.UUID)
	if !member {
		return removal{}, "", fault.New(fault.NotFound, "", "there is no such member")
	}
	x := removal{
		t: r.Text, org: org, title: r.Text.With("team.leave.title", "Name", org.Name), text: r.Text.T("team.leave.text"),
		button: r.Text.T("organization.leave"), action: org.Path("leave"), back: page.Root + "/organization/" + org.UUID,
	}
	if own.LastOwner {
		x.refused = r.Text.T("confirm.last_owner")
	}
	return x, own.UUID, nil
}

func showLeaving(r *page.Request) error {
	x, _, err := readLeaving(r)
	if err != nil {
		return err
	}
	return x.show(r)
}

// leave ends the person's own membership.
func leave(r *page.Request) error {
	x, uuid, err := readLeaving(r)
	if err != nil {
		return err
	}
	if x.refused != "" {
		r.Status(http.StatusConflict)
		return x.show(r)
	}
	return x.end(r, uuid, page.Root+"/", "team_left")
}
