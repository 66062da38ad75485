package venue

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// ChoiceKeys are the fields of an event that choose its venue and space.
var ChoiceKeys = []string{"space_uuid", "venue_uuid"}

// draft is a venue that is about to be added.
type draft struct {
	*page.Request
	values        url.Values
	errors        view.Errors
	organizations []page.OrganizationName // in which the person may add venues
	event         *adminapi.Event         // for which it is added; nil for none
	first         bool                    // it is the first of a new organization
	tag           string                  // of the event
	base          string                  // digest of the event's place as the person has seen it
	back          string                  // page that the person comes from
	similar       []candidate             // that may be the same venue
	where         position
	hours         opening.Values
	sets          lookup.Sets
}

// candidate is a venue that may be the one that is about to be added.
type candidate struct {
	UUID, Name, Address, OrgName string
	OrgUUID                      string
	Distance                     *float64 // in metres; nil when it is not known
	Choosable                    bool     // for the event
	Asks                         bool     // its owner decides on requests
}

// begin shows the form with the country of the organization, in which most of its venues are; the
// first is most likely in its town. Without an answer there is none to begin with.
func (d *draft) begin() error {
	if org, err := d.Admin().Organization(d.text("org_uuid")); err == nil {
		d.values.Set("country", string(org.Country))
		if d.first {
			d.values.Set("city", string(org.City))
		}
	}
	return d.show()
}

// draftForEvent reads a venue that is added for an event: the person may edit that.
func draftForEvent(r *page.Request) (*draft, error) {
	e, tag, err := r.EventFor(permission.EditEvent)
	if err != nil {
		return nil, err
	}
	d, err := newDraft(r, e.OrgUUID)
	if err != nil {
		return nil, err
	}
	d.event, d.tag, d.back = &e, tag, page.EventPath(e.UUID)+"#place"
	d.base = cmp.Or(r.Form.Get("base"), version.ValuesOf(e).DigestOf(ChoiceKeys...))
	return d, nil
}

func draftForOrganization(r *page.Request) (*draft, error) {
	org, err := r.UUID("organization")
	if err != nil {
		return nil, err
	}
	if err := r.Require(org, permission.AddVenue); err != nil {
		return nil, err
	}
	d, err := newDraft(r, org)
	if err != nil {
		return nil, err
	}
	d.back = ListPath(org)
	return d, nil
}

// draft reads a venue from a form. The error is Forbidden for people who may add none anywhere.
func newDraft(r *page.Request, org string) (*draft, error) {
	allowed, err := r.Allowed(permission.AddVenue, org)
	if err != nil {
		return nil, err
	}
	d := &draft{Request: r, values: url.Values{}, organizations: allowed, sets: r.Lookup().Sets(), hours: opening.Read(r.Form)}
	d.values.Set("org_uuid", org)
	given := r.Form.Values
	if len(given) == 0 { // the form is asked for
		given = r.Query
	}
	for _, key := range append([]string{"org_uuid", "name", "lat", "lon", "like", "wikidata_id", "osm_id"}, geo.AddressKeys...) {
		if text := strings.TrimSpace(given.Get(key)); text != "" {
			d.values.Set(key, text)
		}
	}
	if lat, lon := geo.SplitPair(d.text("lat"), d.text("lon")); lon != "" {
		d.values.Set("lat", lat)
		d.values.Set("lon", lon)
	}
	d.takeLike()
	return d, nil
}

// takeLike takes the position of the venue nearby that was chosen, unless one was typed.
func (d *draft) takeLike() {
	if d.text("lat") != "" || d.text("lon") != "" {
		return
	}
	if lat, lon, found := strings.Cut(d.text("like"), " "); found {
		d.values.Set("lat", lat)
		d.values.Set("lon", lon)
	}
}

func (d *draft) text(key string) string { return d.values.Get(key) }

func (d *draft) point() *geo.Point { return geo.ParsePoint(d.text("lat"), d.text("lon")) }

// show shows the form as it is filled in.
func (d *draft) show() error {
	if d.first {
		if like := d.text("like"); d.Form.Has("like") {
			d.where.Like = &like
		}
		d.where.propose(d.Request, d.values)
		return d.Show(view.Page{Title: d.Text.T("first.place.title"), Section: d.text("org_uuid"), Content: firstPlace(d)})
	}
	d.where = positionOf(d.Request, d.values)
	return d.Show(view.Page{Title: d.Text.T("venue.new"), Section: d.text("org_uuid"), Content: newVenue(d)})
}

// add adds the venue, unless it may be there already or something is wrong with it.
func (d *draft) add() error {
	if d.Form.Get("look") != "" { // only the map is asked for
		return d.show()
	}
	if d.check(); len(d.errors) > 0 {
		return d.refuse()
	}
	if d.Form.Get("confirmed") != d.confirmation() {
		if d.findSimilar(); len(d.similar) > 0 {
			d.Status(http.StatusConflict)
			return d.show()
		}
	}
	made, err := d.Admin().AddVenue(d.body())
	switch {
	case fault.Is(err, fault.Invalid):
		d.errors = view.Errors{}
		for name, why := range view.ErrorsOf(err) {
			d.errors[opening.FieldOf(name)] = why
		}
		return d.refuse()
	case err != nil:
		return err
	}
	return d.added(made.UUID)
}

// added chooses the new venue for the event, or leads to its page or the first event. A venue that
// another person has chosen for the event in between stays.
func (d *draft) added(venue string) error {
	if d.first {
		return d.Go(FirstEventPath(d.text("org_uuid"), venue), "venue_chosen")
	}
	if d.event == nil {
		return d.Go(Path(venue), "venue_added")
	}
	choice := map[string]any{"venue_uuid": venue, "space_uuid": nil}
	err := version.Write(d.Text, func() error {
		if version.ValuesOf(d.event).DigestOf(ChoiceKeys...) != d.base {
			return version.ErrChanged
		}
		_, err := d.Admin().WriteEvent(d.event.UUID, "place")(d.tag, choice)
		return err
	}, func() error {
		e, tag, err := d.Admin().Event(d.event.UUID)
		d.event, d.tag = &e, tag
		return err
	})
	switch {
	case errors.Is(err, version.ErrChanged), errors.Is(err, version.ErrBusy):
		return d.Go(d.back, "venue_not_chosen")
	case err != nil:
		return err
	}
	return d.Go(d.back, "venue_chosen")
}

func (d *draft) refuse() error {
	d.Status(http.StatusUnprocessableEntity)
	return d.show()
}

// check looks for errors that people can correct at once.
func (d *draft) check() {
	d.errors = entity.CheckPosition(d.Text, d.text("lat"), d.text("lon"))
	_, wrong := d.hours.Hours(d.Text)
	maps.Copy(d.errors, wrong)
	if d.text("name") == "" {
		d.errors["name"] = d.Text.T("reason.required")
	}
}

// body is the body of the request.
func (d *draft) body() map[string]any {
	body := map[string]any{"org_uuid": d.text("org_uuid"), "name": d.text("name")}
	for _, key := range append([]string{"wikidata_id", "osm_id"}, geo.AddressKeys...) {
		body[key] = nil
		if text := d.text(key); text != "" {
			body[key] = text
		}
	}
	if at := d.point(); at != nil {
		body["lat"], body["lon"] = at.Lat, at.Lon
	}
	if hours, _ := d.hours.Hours(d.Text); !hours.Empty() {
		body["hours"] = hours
	}
	return body
}

// confirmation identifies the venue that was compared with others: a changed one is compared
// again.
func (d *draft) confirmation() string {
	parts := []string{}
	for _, key := range []string{"name", "lat", "lon", "street", "house_number", "postal_code", "city"} {
		parts = append(parts, d.text(key))
	}
	return strings.Join(parts, "\n")
}
