package start

import (
	"net/http"
	"net/url"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// firstPlace is the form for the first place of a new organization, the second of the three steps
// to its first event. The page of the venue asks for the rest.
type firstPlace struct {
	org    string
	values map[string]string // by the keys of the venue
	errors view.Errors
}

// placeKeys are the fields of the form.
var placeKeys = []string{"name", "street", "house_number", "postal_code", "city"}

// showPlace asks for the place, in the town of the organization.
func showPlace(r *page.Request) error {
	p := firstPlace{org: r.Query.Get("organization"), values: map[string]string{}}
	if err := r.Require(p.org, permission.AddVenue); err != nil {
		return err
	}
	if org, err := r.Admin().Organization(p.org); err == nil { // else the town is typed
		p.values["city"] = string(org.City)
	}
	return p.show(r)
}

func (p firstPlace) show(r *page.Request) error {
	return r.Show(view.Page{Title: r.Text.T("first.place.title"), Section: p.org, Content: placeForm(r.Text, p)})
}

// addPlace adds the venue and leads to the first event there.
func addPlace(r *page.Request) error {
	p := firstPlace{org: r.Form.Text("org_uuid"), values: map[string]string{}}
	if err := r.Require(p.org, permission.AddVenue); err != nil {
		return err
	}
	org, err := r.Admin().Organization(p.org)
	if err != nil {
		return err
	}
	fields := map[string]any{"org_uuid": p.org, "country": org.Country}
	for _, key := range placeKeys {
		p.values[key] = r.Form.Text(key)
		fields[key] = r.Form.TextOrNil(key)
	}
	if p.values["name"] == "" {
		p.errors = view.Errors{"name": r.Text.T("field.required")}
		return p.show(r.Status(http.StatusUnprocessableEntity))
	}
	made, err := r.Admin().AddVenue(fields)
	switch {
	case fault.Is(err, fault.Invalid):
		p.errors = view.ErrorsOf(err)
		return p.show(r.Status(http.StatusUnprocessableEntity))
	case err != nil:
		return err
	}
	return r.Go(p.next(made.UUID), "venue_added")
}

// next is the address of the third step; venue is "" for none.
func (p firstPlace) next(venue string) string {
	query := url.Values{"organization": {p.org}, "first": {"1"}}
	if venue != "" {
		query.Set("venue", venue)
	}
	return page.Root + "/event/new?" + query.Encode()
}

// labels are the names of the fields.
func (p firstPlace) labels(t interface{ T(string) string }) map[string]string {
	labels := map[string]string{}
	for _, key := range placeKeys {
		labels[key] = t.T("venue." + key)
	}
	return labels
}
