// Package webhook has the pages of webhooks: the lists of an organization, of the person and of the
// platform, and the page of one with its log.
package webhook

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	for _, at := range []struct {
		path string
		of   place
	}{
		{"/organization/:organization/webhooks", ofOrganization}, {"/account/webhooks", ofPerson},
		{"/administration/webhooks", moderated},
	} {
		r.Get(at.path, func(r *page.Request) error { return showList(r, at.of) })
		r.Post(at.path, func(r *page.Request) error { return create(r, at.of) })
	}
	const one = "/webhook/:webhook"
	r.Get(one, showOne)
	r.Post(one, change)
	r.Post(one+"/secret", rotate)
	r.Post(one+"/test", test)
	r.Post(one+"/active", activate)
	r.Post(one+"/delivery/:delivery", repeat)
	r.Get(one+"/delete", confirmDeletion)
	r.Post(one+"/delete", remove)
}

// list are the webhooks of an owner, as one of the pages shows them.
type list struct {
	path  string // of the page
	hooks client.Webhooks
	org   *page.Organization // nil for those of the person and the platform
	show  func(r *page.Request, l list) error

	found adminapi.Webhooks
	form  form
	made  *adminapi.SecretWebhook // just now, with its secret; nil for none
}

// place finds the list of a page.
type place func(r *page.Request) (list, error)

func ofOrganization(r *page.Request) (list, error) {
	org, err := r.OrganizationFor(permission.EditOrganization)
	if err != nil {
		return list{}, err
	}
	return list{
		path: org.Path("webhooks"), hooks: r.Admin().OrganizationWebhooks(org.UUID), org: &org,
		show: func(r *page.Request, l list) error {
			return r.Show(view.Page{
				Title: r.Text.T("webhooks") + " · " + org.Name, Section: org.UUID, Content: inOrganization(r, l),
			})
		},
	}, nil
}

func ofPerson(r *page.Request) (list, error) {
	return list{
		path: account.PageWebhooks, hooks: r.Admin().OwnWebhooks(),
		show: func(r *page.Request, l list) error {
			return r.Show(view.Page{Title: r.Text.T("webhooks"), Section: view.SectionAccount, Content: inAccount(r, l)})
		},
	}, nil
}

// moderated is the list of the platform, for its administrators.
func moderated(r *page.Request) (l list, err error) {
	err = moderation.Administrators(func(r *page.Request) error {
		l = list{
			path: page.Root + "/administration/webhooks", hooks: r.Admin().PlatformWebhooks(),
			show: func(r *page.Request, l list) error { return moderation.Show(r, moderation.TabWebhooks, content(r, l)) },
		}
		return nil
	})(r)
	return l, err
}

// showList shows the list with the form for a new webhook.
func showList(r *page.Request, of place) error {
	l, err := of(r)
	if err != nil {
		return err
	}
	return showFound(r, l, newForm(l.org != nil))
}

// showFound shows the list. The secret of a new webhook is shown nowhere else, so that page comes
// also without the list.
func showFound(r *page.Request, l list, f form) (err error) {
	l.form = f
	if l.found, err = l.hooks.List(view.Paged(r.Query)); err != nil && l.made == nil {
		return err
	}
	return l.show(r, l)
}

func create(r *page.Request, of place) error {
	l, err := of(r)
	if err != nil {
		return err
	}
	f := readForm(r)
	made, err := l.hooks.Make(f.fields(l.org, adminapi.WebhookFilter{}))
	if err == nil {
		l.made = &made
		return showFound(r, l, newForm(l.org != nil))
	}
	if !view.Refusable(err) {
		return err
	}
	f.errors = errorsOf(err)
	r.Status(http.StatusUnprocessableEntity)
	return showFound(r, l, f)
}
