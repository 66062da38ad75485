package organization

import (
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// audited are the kinds of what entries of the log lead to, each with a read that fails when it is
// gone.
var audited = map[string]func(a client.Admin, uuid string) error{
	"event":       func(a client.Admin, uuid string) error { _, _, err := a.Event(uuid); return err },
	"venue":       func(a client.Admin, uuid string) error { _, err := a.Venue(uuid); return err },
	"space":       func(a client.Admin, uuid string) error { _, err := a.Space(uuid); return err },
	"contributor": func(a client.Admin, uuid string) error { _, _, err := a.Contributor(uuid); return err },
	"series":      func(a client.Admin, uuid string) error { _, _, err := a.Series(uuid); return err },
	"portal":      func(a client.Admin, uuid string) error { _, _, err := a.Portal(uuid); return err },
	"list":        func(a client.Admin, uuid string) error { _, _, err := a.List(uuid); return err },
}

// pageOf returns the address of the page of what an entry is about.
func pageOf(org page.Organization, kind, uuid string) string {
	switch kind {
	case "series", "portal", "list":
		return org.Path(strings.TrimSuffix(kind, "s")+"s") + "/" + uuid
	}
	return page.Root + "/" + kind + "/" + uuid
}

// openAudited leads to the page of what an entry of the log is about, or says that it is gone: the
// log outlives it.
func openAudited(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	if !org.May.Has(permission.ManageTeam) && !org.May.Has(permission.ManagePermissions) {
		return page.ErrForbidden
	}
	kind := r.Param("kind")
	read := audited[kind]
	if read == nil {
		return fault.New(fault.NotFound, "", "there is no such page")
	}
	uuid, err := r.UUID("entity")
	if err != nil {
		return err
	}
	switch err := read(r.Admin(), uuid); {
	case err == nil:
		return r.Go(pageOf(org, kind, uuid), "")
	case !fault.Is(err, fault.NotFound):
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("organization.audit.gone") + " · " + org.Name, Section: org.UUID, Content: gonePage(r.Text, org, kind),
	})
}
