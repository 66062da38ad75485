package source

import (
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/importing"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// intervals are the offered ones, in minutes.
var intervals = []int{15, 30, 60, 180, 360, 720, 1440, 10080}

// readForm returns the body of a form, and its errors. What the form does not have stays as it is
// stored.
func readForm(r *page.Request, org page.Organization, body adminapi.SourceBody) (adminapi.SourceBody, view.Errors) {
	errors := view.Errors{}
	body.Name, body.Address = r.Form.Text("name"), value.Text(r.Form.Text("address"))
	if body.Name == "" {
		errors["name"] = r.Text.T("source.error.name")
	}
	if body.Address == "" {
		errors["address"] = r.Text.T("source.error.address")
	}
	var err error
	if body.IntervalMinutes, err = strconv.Atoi(r.Form.Get("interval")); err != nil {
		errors["interval"] = r.Text.T("source.error.interval")
	}
	venue, space, _ := strings.Cut(r.Form.Get("place"), "/")
	body.Defaults.VenueUUID, body.Defaults.SpaceUUID = value.Text(venue), value.Text(space)
	if language := r.Form.Get("language"); language != first(body.Defaults.Languages) {
		body.Defaults.Languages = nil
		if language != "" {
			body.Defaults.Languages = []string{language}
		}
	}
	if kind := r.Form.Get("type"); kind != kindOf(body) {
		body.Defaults.EventTypes = nil
		if id, err := strconv.Atoi(kind); err == nil {
			body.Defaults.EventTypes = []adminapi.EventType{{TypeID: id}}
		}
	}
	if org.May.Has(permission.ReleaseEvent) {
		body.Defaults.ReleaseStatus, body.Missing = value.Text(r.Form.Get("release")), value.Text(r.Form.Get("missing"))
	}
	if format := r.Form.Get("format"); format == adminapi.ImportLitfass || body.Format == adminapi.ImportLitfass && format != "" {
		body.Format = format
	}
	importing.ReadChoices(r.Form.Values, &body)
	body.Paused = r.Form.Get("paused") == "true"
	return body, errors
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func kindOf(body adminapi.SourceBody) string {
	if len(body.Defaults.EventTypes) == 0 {
		return ""
	}
	return strconv.Itoa(body.Defaults.EventTypes[0].TypeID)
}

// placeOf returns the default place as a choice of the form.
func placeOf(body adminapi.SourceBody) string {
	return strings.TrimSuffix(string(body.Defaults.VenueUUID+"/"+body.Defaults.SpaceUUID), "/")
}

// labels are the names of the fields for the list of errors.
func labels(t *text.Texts) map[string]string {
	return map[string]string{
		"name": t.T("source.name"), "address": t.T("source.address"), "interval": t.T("source.interval"), "place": t.T("import.place"),
		"language": t.T("import.language"), "type": t.T("import.type"), "missing": t.T("source.missing"),
	}
}

// interval names an interval.
func interval(t *text.Texts, minutes int) string {
	if id := "source.interval." + strconv.Itoa(minutes); t.Has(id) {
		return t.T(id)
	}
	return t.Count("source.interval.minutes", minutes)
}

// intervalOptions are the offered intervals, and the stored one.
func intervalOptions(t *text.Texts, chosen int) (options []view.Option) {
	offered := false
	for _, minutes := range intervals {
		offered = offered || minutes == chosen
		options = append(options, view.Option{Value: strconv.Itoa(minutes), Label: interval(t, minutes), Chosen: minutes == chosen})
	}
	if !offered {
		options = append(options, view.Option{Value: strconv.Itoa(chosen), Label: interval(t, chosen), Chosen: true})
	}
	return options
}

// formatOptions are what may be at an address.
func formatOptions(t *text.Texts, chosen string) []view.Option {
	litfass := chosen == adminapi.ImportLitfass
	return []view.Option{
		{Value: "guess", Label: t.T("source.format.guess"), Chosen: !litfass},
		{Value: adminapi.ImportLitfass, Label: t.T("source.format.litfass"), Hint: t.T("source.format.litfass.hint"), Chosen: litfass},
	}
}

func releaseOptions(t *text.Texts, chosen value.Text) (options []view.Option) {
	if chosen == "" {
		chosen = "draft"
	}
	for _, status := range []string{"draft", "review", "released"} {
		options = append(options, view.Option{
			Value: status, Label: t.T("source.release." + status), Hint: t.T("source.release." + status + ".hint"), Chosen: status == string(chosen),
		})
	}
	return options
}

func missingOptions(t *text.Texts, chosen value.Text) (options []view.Option) {
	if chosen == "" {
		chosen = adminapi.MissingKeep
	}
	for _, action := range []string{adminapi.MissingKeep, adminapi.MissingCancel, adminapi.MissingDraft} {
		options = append(options, view.Option{Value: action, Label: t.T("source.missing." + action), Chosen: action == string(chosen)})
	}
	return options
}
