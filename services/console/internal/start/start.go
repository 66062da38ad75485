// Package start has the start page: everything that waits for the person.
package start

import (
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds its pages.
func Mount(r page.Router) {
	r.Get("/", show)
	r.Post("/invitations/:invitation/accept", accept)
	r.Post("/invitations/:invitation/decline", decline)
}

func show(r *page.Request) error {
	needs, err := read(r)
	if err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("nav.start"), Section: view.SectionStart, Content: content(r, needs)})
}

// accept joins the team of a waiting invitation.
func accept(r *page.Request) error { return answer(r, r.Admin().AcceptInvitation, "joined") }

func decline(r *page.Request) error { return answer(r, r.Admin().DeclineInvitation, "declined") }

func answer(r *page.Request, send func(uuid string) error, notice string) error {
	invitation, err := r.UUID("invitation")
	if err != nil {
		return err
	}
	if err := send(invitation); err != nil {
		return err
	}
	return r.Go(page.Root+"/", notice)
}
