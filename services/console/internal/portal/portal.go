// Package portal is the pages on which an organization or the operator writes portals.
package portal

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// section is the page of an owner with its portals.
const section = view.OrganizationPortals

// Mount adds the pages.
func Mount(r page.Router) {
	for _, root := range owner.Roots {
		all, one := root+section, root+section+"/:portal"
		r.Get(all, kind.Show)
		r.Post(all, kind.Create)
		r.Get(one, page.With(read, form.show))
		r.Post(one, page.With(read, form.save))
		r.Post(one+"/count", countFound)
		r.Get(one+"/delete", page.With(read, form.askDelete))
		r.Post(one+"/delete", page.With(read, form.remove))
	}
}

// kind is portals as items of an owner.
var kind = owner.Kind{
	Section: section, Words: "portal", Title: "name",
	Read: func(r *page.Request, o owner.Owner) (shown owner.Overview, err error) {
		found, err := r.Admin().Portals(o.UUID, view.Paged(r.Query))
		shown.Page = found.Page
		for _, portal := range found.Portals {
			shown.Items = append(shown.Items, owner.Item{
				UUID: portal.UUID, Title: portal.Name, Address: "/p/" + portal.Slug, Row: o.Row(portal.UUID, string(portal.OrgUUID), string(portal.OrgName)),
			})
		}
		return shown, err
	},
	Add: func(r *page.Request, fields map[string]any) (uuid string, err error) {
		added, err := r.Admin().AddPortal(fields)
		return added.UUID, err
	},
}

// form is a portal with what was typed.
type form struct {
	*page.Request
	owner   owner.Owner
	portal  adminapi.Portal
	tag     string
	filter  string // as a search would have it in its address
	include string // addresses, one a line
	exclude string
	events  int // upcoming ones in it
	counted bool
	errors  view.Errors
}

// read reads the portal of the path. Another owner's is NotFound.
func read(r *page.Request) (f form, err error) {
	f.Request = r
	if f.owner, err = owner.Of(r, section); err != nil {
		return f, err
	}
	uuid, err := r.UUID("portal")
	if err != nil {
		return f, err
	}
	if f.portal, f.tag, err = r.Admin().Portal(uuid); err != nil {
		return f, err
	}
	if !f.owner.Owns(string(f.portal.OrgUUID)) {
		return f, fault.New(fault.NotFound, "", "there is no such page")
	}
	f.filter, f.include, f.exclude = queryOf(f.portal.Filter), addressesOf(f.portal.Include), addressesOf(f.portal.Exclude)
	return f, nil
}

// path is the address of the page of the portal.
func (f form) path() string { return f.owner.Path(f.portal.UUID) }

func (f form) show() error {
	if total, err := f.Public().UpcomingIn(f.portal.Slug); err == nil { // else it is not public yet
		f.events, f.counted = total, true
	}
	return f.owner.Show(f.portal.Name, formPage(f))
}

// countFound counts the events that a filter finds while it is typed, and says why it cannot.
func countFound(r *page.Request) error {
	if _, err := owner.Of(r, section); err != nil {
		return err
	}
	typed, refused := filterOf(r.Form.Text("filter"))
	if refused != "" {
		return r.ShowPart(found(r.Text.With("portal.error.filter", "Part", refused)))
	}
	search, err := url.ParseQuery(queryOf(typed))
	if err != nil {
		return err
	}
	events, err := r.Public().Upcoming(search)
	switch {
	case err == nil:
		return r.ShowPart(found(r.Text.Count("portal.filter.events", events)))
	case view.Refusable(err):
		return r.ShowPart(found(r.Text.T("portal.filter.refused")))
	default:
		return r.ShowPart(found(""))
	}
}

// save stores all fields, unless others have saved since the page was shown.
func (f form) save() error {
	f.errors = view.Errors{}
	typed := f.read()
	if len(f.errors) == 0 {
		_, err := f.Admin().WritePortal(f.portal.UUID)(f.Form.Get("tag"), typed)
		switch {
		case err == nil:
			return f.Go(f.path(), "saved")
		case fault.Is(err, fault.Stale):
			f.errors["name"] = f.Text.T("portal.error.stale")
		case !view.Refusable(err, fault.Conflict):
			return err
		default:
			for field, why := range view.Reasons(err) {
				f.errors[inputOf(field)] = why
			}
		}
	}
	f.Status(http.StatusUnprocessableEntity)
	return f.show()
}

// inputOf returns the input that a field of the API is typed in.
func inputOf(field string) string {
	field, _, _ = strings.Cut(field, "[")
	part, rest, _ := strings.Cut(field, ".")
	if part == "look" {
		return rest
	}
	return part
}

// read takes the fields of the form, notes those that cannot be read, and returns what is to be
// stored.
func (f *form) read() map[string]any {
	p := &f.portal
	p.Name, p.Slug = f.Form.Text("name"), f.Form.Text("slug")
	p.Titles, p.Languages = []adminapi.PortalTitle{}, f.Form.Values["languages"]
	for _, code := range language.Codes {
		if title := f.Form.Text("title-" + code); title != "" {
			p.Titles = append(p.Titles, adminapi.PortalTitle{Language: code, Title: title})
		}
	}
	if first := f.Form.Text("first"); slices.Contains(p.Languages, first) { // the default comes first
		p.Languages = append([]string{first}, slices.DeleteFunc(slices.Clone(p.Languages), func(code string) bool { return code == first })...)
	}
	f.filter, f.include, f.exclude = f.Form.Text("filter"), f.Form.Text("include"), f.Form.Text("exclude")
	var refused string
	if p.Filter, refused = filterOf(f.filter); refused != "" {
		f.errors["filter"] = f.Text.With("portal.error.filter", "Part", refused)
	}
	if p.Include, refused = selectionOf(f.include); refused != "" {
		f.errors["include"] = f.Text.With("portal.error.address", "Line", refused)
	}
	if p.Exclude, refused = selectionOf(f.exclude); refused != "" {
		f.errors["exclude"] = f.Text.With("portal.error.address", "Line", refused)
	}
	look := map[string]any{"accent": f.Form.TextOrNil("accent"), "accent_dark": f.Form.TextOrNil("accent_dark")}
	return map[string]any{
		"name": p.Name, "slug": p.Slug, "titles": p.Titles, "languages": orEmpty(p.Languages), "look": look, "filter": p.Filter,
		"include": p.Include, "exclude": p.Exclude,
	}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// title returns the title in a language, "" without one.
func (f form) title(code string) string {
	for _, title := range f.portal.Titles {
		if title.Language == code {
			return title.Title
		}
	}
	return ""
}

// languages are the languages to tick.
func (f form) languages() []view.Option {
	options := make([]view.Option, len(language.Codes))
	for i, code := range language.Codes {
		options[i] = view.Option{Value: code, Label: f.Text.T("language." + code), Chosen: slices.Contains(f.portal.Languages, code)}
	}
	return options
}

// firstLanguage are the languages of which one comes first.
func (f form) firstLanguage() []view.Option {
	options := f.languages()
	for i := range options {
		options[i].Chosen = len(f.portal.Languages) > 0 && options[i].Value == f.portal.Languages[0]
	}
	return options
}

// colour returns a colour of the form: as it was typed, else as it is stored.
func (f form) colour(name string, stored string) string {
	if f.Form.Has(name) {
		return f.Form.Text(name)
	}
	return stored
}

// labels name the inputs above the form.
func (f form) labels() map[string]string {
	labels := map[string]string{}
	for _, name := range []string{"name", "slug", "titles", "languages", "accent", "accent_dark", "filter", "include", "exclude"} {
		labels[name] = f.Text.T("portal." + name)
	}
	return labels
}

func (f form) askDelete() error {
	return f.owner.ShowAlone(f.Text.T("portal.delete"), deletion(f))
}

// remove deletes the portal with the password.
func (f form) remove() error {
	var err error
	if f.errors, err = f.DeleteConfirmed(f.Admin().DeletePortal(f.portal.UUID)); err != nil {
		return err
	}
	if len(f.errors) > 0 {
		f.Status(http.StatusUnprocessableEntity)
		return f.askDelete()
	}
	return f.Go(f.owner.Path(""), "portal_deleted")
}
