package curated

import (
	"net/http"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// form is a list with what was typed.
type form struct {
	*page.Request
	owner   owner.Owner
	list    adminapi.List
	tag     string
	entries []adminapi.ShownListEntry
	words   string             // that were searched for
	found   []publicapi.Listed // by them
	errors  view.Errors
}

// read reads the list of the path. Another owner's is NotFound.
func read(r *page.Request) (f form, err error) {
	f.Request = r
	if f.owner, err = owner.Of(r, section); err != nil {
		return f, err
	}
	uuid, err := r.UUID("list")
	if err != nil {
		return f, err
	}
	if f.list, f.tag, err = r.Admin().List(uuid); err != nil {
		return f, err
	}
	if !f.owner.Owns(string(f.list.OrgUUID)) {
		return f, fault.New(fault.NotFound, "", "there is no such page")
	}
	return f, nil
}

// path is the address of the page of the list.
func (f form) path() string { return f.owner.Path(f.list.UUID) }

// maxFound is the number of events that a search shows.
const maxFound = "12"

func (f form) show() (err error) {
	if f.entries, err = f.Admin().ListEntries(f.list.UUID); err != nil {
		return err
	}
	if f.words = f.Query.Get("search"); f.words != "" {
		if f.found, err = f.Public().Events(f.words, maxFound); err != nil {
			return err
		}
	}
	return f.owner.Show(f.list.Name, formPage(f))
}

// save stores the fields of the list but for its entries, unless others have saved since the page
// was shown.
func (f form) save() error {
	l := &f.list
	l.Name, l.Slug, l.Description = f.Form.Text("name"), f.Form.Text("slug"), value.Text(f.Form.Text("description"))
	l.Public, l.Titles = f.Form.Get("public") == "true", []adminapi.ListTitle{}
	for _, code := range language.Codes {
		title, description := f.Form.Text("title-"+code), f.Form.Text("description-"+code)
		if title+description != "" {
			l.Titles = append(l.Titles, adminapi.ListTitle{Language: code, Title: title, Description: value.Text(description)})
		}
	}
	_, err := f.Admin().WriteList(l.UUID)(f.Form.Get("tag"), map[string]any{
		"name": l.Name, "slug": l.Slug, "description": l.Description, "titles": l.Titles, "public": l.Public,
	})
	if err == nil {
		return f.Go(f.path(), "saved")
	}
	return f.refused(err)
}

// refused shows the form again with the reasons for which it was refused.
func (f form) refused(err error) error {
	switch {
	case fault.Is(err, fault.Stale):
		f.errors = view.Errors{"name": f.Text.T("curated.error.stale")}
	case !view.Refusable(err, fault.Conflict):
		return err
	default:
		f.errors = view.Errors{}
		for field, why := range view.Reasons(err) {
			field, _, _ = strings.Cut(field, "[")
			f.errors[field] = why
		}
	}
	f.Status(http.StatusUnprocessableEntity)
	return f.show()
}

// title returns the title in a language, the zero value without one.
func (f form) title(code string) adminapi.ListTitle {
	for _, title := range f.list.Titles {
		if title.Language == code {
			return title
		}
	}
	return adminapi.ListTitle{}
}

// has reports whether the list has an event as a whole.
func (f form) has(event string) bool {
	for _, entry := range f.list.Entries {
		if entry.EventUUID == event && entry.DateUUID == "" {
			return true
		}
	}
	return false
}

// labels name the inputs above the form.
func (f form) labels() map[string]string {
	labels := map[string]string{}
	for _, name := range []string{"name", "slug", "description", "titles", "entries"} {
		labels[name] = f.Text.T("curated." + name)
	}
	return labels
}

func (f form) askDelete() error {
	return f.owner.ShowAlone(f.Text.T("curated.delete"), deletion(f))
}

// remove deletes the list with the password.
func (f form) remove() error {
	var err error
	if f.errors, err = f.DeleteConfirmed(f.Admin().DeleteList(f.list.UUID)); err != nil {
		return err
	}
	if len(f.errors) > 0 {
		f.Status(http.StatusUnprocessableEntity)
		return f.askDelete()
	}
	return f.Go(f.owner.Path(""), "list_deleted")
}
