package series

import (
	"net/http"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/owner"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// form is a series with what was typed.
type form struct {
	*page.Request
	owner  owner.Owner
	series adminapi.Series
	tag    string
	events adminapi.SeriesEvents
	errors view.Errors
}

// read reads the series of the path. Another organization's is NotFound.
func read(r *page.Request) (f form, err error) {
	f.Request = r
	if f.owner, err = owner.Of(r, section); err != nil {
		return f, err
	}
	uuid, err := r.UUID("series")
	if err != nil {
		return f, err
	}
	if f.series, f.tag, err = r.Admin().Series(uuid); err != nil {
		return f, err
	}
	if !f.owner.Owns(f.series.OrgUUID) {
		return f, fault.New(fault.NotFound, "", "there is no such page")
	}
	return f, nil
}

// path is the address of the page of the series.
func (f form) path() string { return f.owner.Path(f.series.UUID) }

func (f form) show() (err error) {
	if f.events, err = f.Admin().SeriesEvents(f.series.UUID, view.Paged(f.Query)); err != nil {
		return err
	}
	return f.owner.Show(f.series.Title, formPage(f))
}

// save stores the series with its parts, unless others have saved since the page was shown.
func (f form) save() error {
	s := &f.series
	s.Title, s.Slug, s.Public = f.Form.Text("title"), f.Form.Text("slug"), f.Form.Get("public") == "true"
	s.Subtitle, s.Description = value.Text(f.Form.Text("subtitle")), value.Text(f.Form.Text("description"))
	s.WebLink = value.Text(f.Form.Text("web_link"))
	s.StartDate, s.EndDate = value.Text(f.Form.Text("start_date")), value.Text(f.Form.Text("end_date"))
	parts, err := f.typedParts()
	if err != nil {
		return err
	}
	s.Parts = parts
	_, err = f.Admin().WriteSeries(s.UUID)(f.Form.Get("tag"), map[string]any{
		"title": s.Title, "slug": s.Slug, "public": s.Public, "subtitle": s.Subtitle, "description": s.Description, "web_link": s.WebLink,
		"start_date": s.StartDate, "end_date": s.EndDate, "parts": s.Parts,
	})
	if err == nil {
		return f.Go(f.path(), "saved")
	}
	return f.refused(err)
}

// typedParts returns the parts of the form in order; one without a title is removed.
func (f form) typedParts() ([]adminapi.SeriesPart, error) {
	uuids, kinds, titles := f.Form.Values["part"], f.Form.Values["part-kind"], f.Form.Values["part-title"]
	texts := f.Form.Values["part-description"]
	if len(kinds) != len(uuids) || len(titles) != len(uuids) || len(texts) != len(uuids) {
		return nil, fault.New(fault.Invalid, "", "the form is incomplete")
	}
	parts := []adminapi.SeriesPart{}
	for i, uuid := range uuids {
		if title := strings.TrimSpace(titles[i]); title != "" {
			parts = append(parts, adminapi.SeriesPart{UUID: uuid, Kind: kinds[i], Title: title, Description: value.Text(strings.TrimSpace(texts[i]))})
		}
	}
	return parts, nil
}

// blankParts is the number of rows for new parts.
const blankParts = 3

// parts are the rows of the form: the parts, and blank ones.
func (f form) parts() []adminapi.SeriesPart {
	return append(f.series.Parts[:len(f.series.Parts):len(f.series.Parts)], make([]adminapi.SeriesPart, blankParts)...)
}

// kinds are the kinds to choose from.
func (f form) kinds(of adminapi.SeriesPart) []view.Option {
	options := make([]view.Option, len(adminapi.SeriesPartKinds))
	for i, kind := range adminapi.SeriesPartKinds {
		options[i] = view.Option{Value: kind, Label: f.Text.T("series.kind." + kind), Chosen: kind == of.Kind}
	}
	return options
}

// decide accepts events, or refuses them.
func (f form) decide() error {
	decided := ""
	for _, event := range f.Form.Values["event"] {
		err := f.Admin().DecideSeries(f.series.UUID, event, f.Form.Get("accepted") == "true")
		switch {
		case err == nil:
			decided = "saved"
		case !fault.Is(err, fault.NotFound): // the event has left meanwhile
			return err
		}
	}
	return f.Go(f.path(), decided)
}

// byState returns the events of the page that wait for a decision, and the others.
func (f form) byState() (asked, others []adminapi.SeriesEvent) {
	for _, event := range f.events.Events {
		if event.State == adminapi.SeriesAsked {
			asked = append(asked, event)
		} else {
			others = append(others, event)
		}
	}
	return asked, others
}

// refused shows the form again with the reasons for which it was refused.
func (f form) refused(err error) error {
	switch {
	case fault.Is(err, fault.Stale):
		f.errors = view.Errors{"title": f.Text.T("series.error.stale")}
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

// labels name the inputs above the form.
func (f form) labels() map[string]string {
	labels := map[string]string{}
	for _, name := range []string{"title", "slug", "subtitle", "description", "web_link", "start_date", "end_date", "parts"} {
		labels[name] = f.Text.T("series." + name)
	}
	return labels
}

// dayOf writes a day, "" for none.
func (f form) dayOf(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return f.Text.Day(at)
}

// refuseWords name the button that refuses an event: one that belongs to the series is removed.
func refuseWords(event adminapi.SeriesEvent) string {
	if event.State == adminapi.SeriesAccepted {
		return "series.remove"
	}
	return "series.refuse"
}

func (f form) askDelete() error {
	return f.owner.ShowAlone(f.Text.T("series.delete"), deletion(f))
}

// remove deletes the series with the password.
func (f form) remove() error {
	var err error
	if f.errors, err = f.DeleteConfirmed(f.Admin().DeleteSeries(f.series.UUID)); err != nil {
		return err
	}
	if len(f.errors) > 0 {
		f.Status(http.StatusUnprocessableEntity)
		return f.askDelete()
	}
	return f.Go(f.owner.Path(""), "series_deleted")
}
