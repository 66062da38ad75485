// Package start is the page that people see first: what needs them.
package start

import (
	"net/http"

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
func accept(r *page.Request) error { return answer(r, "accept", "joined") }

func decline(r *page.Request) error { return answer(r, "decline", "declined") }

func answer(r *page.Request, how, notice string) error {
	invitation, err := r.UUID("invitation")
	if err != nil {
		return err
	}
	if _, err := r.Send(http.MethodPost, "/api/admin/user/invitations/"+invitation+"/"+how, "", nil, nil); err != nil {
		return err
	}
	return r.Go(page.Root+"/", notice)
}
