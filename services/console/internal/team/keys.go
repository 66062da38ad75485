package team

import (
	"net/http"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// keyList are the API keys of an organization.
type keyList struct {
	t       *text.Texts
	now     time.Time
	org     page.Organization
	keys    adminapi.APIKeys
	made    *adminapi.MadeAPIKey // one that was just made, whose text is shown this once
	rights  rights
	name    string // of a key that was refused
	expires string
	renamed string // uuid of a key whose new name was refused
	errors  view.Errors
}

func showKeys(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManagePermissions)
	if err != nil {
		return err
	}
	viewer, _ := permission.Of(permission.Viewer)
	return showKeyList(r, keyList{org: org, expires: r.Today.AddDate(1, 0, 0).Format(time.DateOnly)}, viewer)
}

// showKeyList shows the keys; chosen are the permissions that the form for a new one offers. The
// text of a key that was just made is shown nowhere else, so that page comes also without the
// list.
func showKeyList(r *page.Request, l keyList, chosen permission.Set) error {
	l.t, l.now = r.Text, r.Now
	var err error
	l.keys, err = r.Admin().OrganizationKeys(l.org.UUID, view.Paged(r.Query))
	if err != nil && l.made == nil {
		return err
	}
	if err != nil {
		l.keys = adminapi.APIKeys{APIKeys: []adminapi.APIKey{l.made.APIKey}, Page: adminapi.Page{TotalCount: 1}}
	}
	if l.rights, err = readRights(r, l.org.May, chosen); err != nil && l.made == nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("organization.nav.keys") + " · " + l.org.Name, Section: l.org.UUID, Content: keys(l),
	})
}

// makeKey makes a key and shows its text, which is not stored.
func makeKey(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManagePermissions)
	if err != nil {
		return err
	}
	l := keyList{org: org, name: r.Form.Text("name"), expires: r.Form.Text("expires"), errors: view.Errors{}}
	offered := given(r.Form)
	body := adminapi.NewAPIKey{Name: l.name, Offered: offered}
	if l.name == "" {
		l.errors["name"] = r.Text.T("team.error.name")
	}
	if offered.Role == "" && offered.Permissions == nil {
		l.errors["role"] = r.Text.T("team.error.role")
	}
	if l.expires != "" {
		end, err := time.ParseInLocation(time.DateOnly, l.expires, r.Today.Location())
		end = end.AddDate(0, 0, 1) // that day is its last
		if err != nil || !end.After(r.Now) {
			l.errors["expires"] = r.Text.T("team.error.expires")
		}
		body.ExpiresAt = &end
	}
	if len(l.errors) == 0 {
		made, err := r.Admin().MakeOrganizationKey(org.UUID, body)
		if err == nil {
			viewer, _ := permission.Of(permission.Viewer)
			return showKeyList(r, keyList{org: org, made: &made}, viewer)
		}
		if !view.Refusable(err) {
			return err
		}
		l.errors = view.Reasons(err)
	}
	r.Status(http.StatusUnprocessableEntity)
	return showKeyList(r, l, set(offered))
}

// renameKey renames a key.
func renameKey(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManagePermissions)
	if err != nil {
		return err
	}
	uuid, err := r.UUID("key")
	if err != nil {
		return err
	}
	body := adminapi.APIKeyName{Name: r.Form.Text("key-name")}
	errors := view.Errors{"key-name": r.Text.T("team.error.name")}
	if body.Name != "" {
		if err = r.Admin().RenameOrganizationKey(org.UUID, uuid, body); err == nil {
			return r.Go(org.Path("keys"), "saved")
		}
		if !view.Refusable(err) {
			return err
		}
		errors = view.Errors{"key-name": fault.Of(err).Message}
	}
	viewer, _ := permission.Of(permission.Viewer)
	r.Status(http.StatusUnprocessableEntity)
	return showKeyList(r, keyList{org: org, renamed: uuid, name: body.Name, errors: errors}, viewer)
}

// showRevocation asks before a key stops working.
func showRevocation(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManagePermissions)
	if err != nil {
		return err
	}
	uuid, err := r.UUID("key")
	if err != nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("team.key.revoke"), Section: org.UUID, Content: revocation(r.Text, org, uuid),
	})
}

// revokeKey revokes a key.
func revokeKey(r *page.Request) error {
	org, err := r.OrganizationFor(permission.ManagePermissions)
	if err != nil {
		return err
	}
	uuid, err := r.UUID("key")
	if err != nil {
		return err
	}
	if err := r.Admin().RevokeOrganizationKey(org.UUID, uuid); err != nil {
		return err
	}
	return r.Go(org.Path("keys"), "team_key_revoked")
}
