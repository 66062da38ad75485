package account

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// keyList is the content of the page of the personal API keys.
type keyList struct {
	keys        adminapi.APIKeys
	roles       []adminapi.Role
	permissions []adminapi.Permission
	made        *adminapi.MadeAPIKey // just now, with its text; nil for none
}

// validities are how long a new key works, in days; 0 is without an end.
var validities = []int{30, 90, 365, 0}

func readKeys(r *page.Request) (keyList, error) {
	var list keyList
	var roles adminapi.Roles
	var permissions adminapi.Permissions
	err := r.Together(func() (err error) {
		list.keys, err = r.Admin().Keys(view.Paged(url.Values{"page": r.Query["page"]}))
		return err
	}, func() (err error) {
		roles, err = r.Admin().Roles()
		return err
	}, func() (err error) {
		permissions, err = r.Admin().Permissions()
		return err
	})
	list.roles = roles.Roles
	list.permissions = slices.Concat(permissions.Organization, permissions.Venue, permissions.Space, permissions.Event)
	return list, err
}

// showKeys is the page of the personal API keys.
func showKeys(r *page.Request, a attempt) error {
	list, err := readKeys(r)
	if err != nil {
		return err
	}
	return showKeyList(r.Status(a.status()), list, a)
}

func showKeyList(r *page.Request, list keyList, a attempt) error {
	return r.Show(view.Page{Title: r.Text.T("keys"), Section: view.SectionAccount, Content: keys(r, list, a)})
}

// makeKey makes a key and shows its text, this once.
func makeKey(r *page.Request) error {
	body, errors := newKey(r)
	if len(errors) > 0 {
		return showKeys(r, attempt{form: "new-key", given: r.Form, errors: errors})
	}
	made, err := r.Admin().MakeKey(body)
	if err != nil {
		return answer(r, "new-key", err, pageKeys, "", showKeys)
	}
	// The key exists and is shown nowhere else, so the page comes also without the list.
	list, err := readKeys(r)
	if err != nil {
		list = keyList{keys: adminapi.APIKeys{APIKeys: []adminapi.APIKey{made.APIKey}}}
	}
	list.made = &made
	return showKeyList(r, list, attempt{})
}

// newKey returns the key that a form describes.
func newKey(r *page.Request) (adminapi.NewAPIKey, view.Errors) {
	body := adminapi.NewAPIKey{Name: r.Form.Text("name")}
	errors := missing(r, "name", body.Name)
	if role := permission.Role(r.Form.Get("role")); role != permission.Custom {
		body.Role = role
		if role == "" {
			errors["role"] = r.Text.T("key.role_required")
		}
	} else if mask := chosenBits(r.Form); mask != 0 {
		body.Permissions = &mask
	} else {
		errors["bits"] = r.Text.T("key.bits_required")
	}
	if days, err := strconv.Atoi(r.Form.Get("days")); err == nil && days > 0 && slices.Contains(validities, days) {
		ends := r.Now.Add(time.Duration(days) * 24 * time.Hour).UTC().Truncate(time.Second)
		body.ExpiresAt = &ends
	}
	return body, errors
}

// chosenBits returns the permissions that are ticked one by one.
func chosenBits(form page.Form) (mask value.Mask) {
	for _, text := range form.Values["bits"] {
		if bit, err := strconv.Atoi(text); err == nil && bit >= 0 && bit < 64 {
			mask |= 1 << bit
		}
	}
	return mask
}

// words returns the role of a key, or its permissions one by one.
func (l keyList) words(key adminapi.APIKey) (list []string) {
	for _, role := range l.roles {
		if role.Permissions == key.Permissions {
			return []string{role.Label}
		}
	}
	for _, p := range l.permissions {
		if key.Permissions&(1<<p.Bit) != 0 {
			list = append(list, p.Label)
		}
	}
	return list
}

func renameKey(r *page.Request) error {
	key, err := r.UUID("key")
	if err != nil {
		return err
	}
	err = r.Admin().RenameKey(key, adminapi.APIKeyName{Name: r.Form.Text("name")})
	return answer(r, "key-"+key, err, pageKeys+"#key-"+key, "saved", showKeys)
}

// askRevoke asks before a key is revoked.
func askRevoke(r *page.Request) error {
	id, err := r.UUID("key")
	if err != nil {
		return err
	}
	list, err := r.Admin().Keys(client.All())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list.APIKeys, func(key adminapi.APIKey) bool { return key.UUID == id })
	if i < 0 {
		return fault.New(fault.NotFound, "", "there is no such key")
	}
	return r.Show(view.Page{Title: r.Text.T("key.revoke"), Section: view.SectionAccount, Content: revoking(r.Text, list.APIKeys[i])})
}

func revokeKey(r *page.Request) error {
	key, err := r.UUID("key")
	if err != nil {
		return err
	}
	if err := r.Admin().RevokeKey(key); err != nil {
		return err
	}
	return r.Go(pageKeys, "key_revoked")
}
