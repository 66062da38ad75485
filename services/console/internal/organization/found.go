package organization

import (
	"net/http"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// founding is the form that founds an organization.
type founding struct {
	name, city, country string
	countries           []view.Option
	first               bool // the person has none yet: it is the first step to an event
	errors              view.Errors
}

func showFounding(r *page.Request) error {
	return r.Show(foundingPage(r, founding{country: homeCountry(r.Text.Code)}))
}

// homeCountry is the country that is likely for a reader of a language.
func homeCountry(language string) string {
	if language == "da" {
		return "DNK"
	}
	return "DEU"
}

func foundingPage(r *page.Request, f founding) view.Page {
	f.countries, f.first = choose(r, "countries", f.country), len(r.Memberships()) == 0
	return view.Page{Title: r.Text.T("organization.new"), Content: foundingForm(r.Text, f)}
}

// found founds an organization with the person as its owner.
func found(r *page.Request) error {
	f := founding{name: r.Form.Text("name"), city: r.Form.Text("city"), country: r.Form.Text("country")}
	if again := sameName(r, f.name); again != "" {
		return r.Go(again, "")
	}
	first := len(r.Memberships()) == 0
	var made adminapi.WrittenOrganization
	if f.name == "" {
		f.errors = view.Errors{"name": r.Text.T("reason.required")}
	} else {
		var err error
		body := map[string]any{"name": f.name, "city": r.Form.TextOrNil("city"), "country": r.Form.TextOrNil("country")}
		made, err = r.Admin().AddOrganization(body)
		if err != nil && !view.Refusable(err, fault.Forbidden, fault.TooLarge) {
			return err
		}
		if err != nil {
			f.errors = view.Reasons(err)
		}
	}
	if len(f.errors) > 0 {
		return r.Status(http.StatusUnprocessableEntity).Show(foundingPage(r, f))
	}
	if first {
		return r.Go(page.Root+"/first/place?organization="+made.UUID, "org_founded")
	}
	return r.Go(page.Root+"/organization/"+made.UUID, "org_founded")
}

// sameName returns the page that goes on with the person's organization of a name, "" for none: a
// person who goes back from a later step and sends the form again founds no second one.
func sameName(r *page.Request, name string) string {
	for _, m := range r.Memberships() {
		switch {
		case !strings.EqualFold(m.OrgName, name) || !permission.Set(m.Permissions).Has(permission.AddVenue):
		case len(r.Memberships()) == 1:
			return page.Root + "/first/place?organization=" + m.OrgUUID
		default:
			return page.Root + "/organization/" + m.OrgUUID
		}
	}
	return ""
}
