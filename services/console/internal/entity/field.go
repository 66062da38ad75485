package entity

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/hours"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// Kind is how a field is drawn and read.
type Kind int

// The kinds of fields.
const (
	Line   Kind = iota
	Area        // several lines
	Link        // the address of a web page
	Email       //
	Phone       //
	Day         //
	Number      // a whole one
	Degree      // a latitude or longitude
	Choice      // one of the field's options
	Triple      // yes, no or unknown
	Facts       // flags that are unknown as a whole, or each set or not
	Hours       // opening hours, in several fields
)

// Field is a field of an entity.
type Field struct {
	Key          string // in the admin API
	Kind         Kind
	Max          int // characters; 0 for no limit
	Required     bool
	Autocomplete string // "" for none
	// Options are the options of a Choice.
	Options func(e Entity, values version.Values) []view.Option
	// Fits reports whether the value fits the other ones of a form. One that does not is cleared. Nil:
	// it depends on no other.
	Fits func(r *page.Request, form page.Form) bool
}

// inputTypes are the types of inputs that are not text.
var inputTypes = map[Kind]string{Link: "url", Email: "email", Phone: "tel", Day: "date"}

// View returns a field of one line as it is drawn, without its label and value.
func (f Field) View() view.Field {
	drawn := view.Field{
		ID: f.Key, Name: f.Key, Type: inputTypes[f.Kind], Max: f.Max, Required: f.Required, Autocomplete: f.Autocomplete,
		Content: f.Kind == Line || f.Kind == Area, Rows: 4,
	}
	switch f.Kind {
	case Number:
		drawn.Inputmode = "numeric"
	case Degree:
		drawn.Inputmode = "decimal"
	default:
	}
	return drawn
}

// draw returns a field with its value.
func (e Entity) draw(f Field, values version.Values, errors view.Errors) templ.Component {
	drawn := f.View()
	drawn.Label, drawn.Value, drawn.Error, drawn.Disabled = e.label(f.Key), values.Text(f.Key), errors[f.Key], e.Locked
	if id := e.Kind + "." + f.Key + "_hint"; e.Text.Has(id) {
		drawn.Hint = e.Text.T(id)
	}
	switch f.Kind {
	case Area:
		return view.TextArea(drawn)
	case Choice:
		return view.Select(drawn, e.options(f, values))
	case Triple:
		return view.Choices(drawn, "radio", e.options(f, values))
	case Hours:
		return opening.Fields(e.Text, hoursIn(values, f.Key), errors, e.Locked)
	case Facts:
		return factsField(e.Text, facts{
			Name: f.Key, Label: drawn.Label, Hint: drawn.Hint, Flags: e.Sets.Accessibility, Mask: values.Mask(f.Key),
			Icons: accessibilityIcons, Disabled: e.Locked,
		})
	default:
		return view.Input(drawn)
	}
}

// options are the options of a Choice or a Triple.
func (e Entity) options(f Field, values version.Values) []view.Option {
	if f.Kind == Choice {
		return f.Options(e, values)
	}
	chosen := values.Text(f.Key)
	return []view.Option{
		{Value: "true", Label: e.Text.T("yes"), Chosen: chosen == "true"},
		{Value: "false", Label: e.Text.T("no"), Chosen: chosen == "false"},
		{Label: e.Text.T("not_stated"), Chosen: chosen == ""},
	}
}

// Body reads a group from a form. Invalid values stay in the body as they were typed.
func (g Group) Body(r *page.Request, form page.Form) (map[string]any, view.Errors) {
	body, errors := map[string]any{}, view.Errors{}
	if lat, lon := geo.SplitPair(form.Text("lat"), form.Text("lon")); lon != "" {
		form.Set("lat", lat)
		form.Set("lon", lon)
	}
	for _, f := range g.Fields {
		stored, wrong := f.read(r, form)
		if typed, is := stored.(opening.Values); is {
			read, bad := typed.Hours(r.Text)
			maps.Copy(errors, bad)
			if body[f.Key] = read; len(bad) > 0 {
				body[f.Key] = typed
			}
			continue
		}
		body[f.Key] = stored
		if wrong != "" {
			errors[f.Key] = wrong
		}
	}
	if _, positioned := body["lat"]; positioned {
		maps.Copy(errors, CheckPosition(r.Text, form.Text("lat"), form.Text("lon")))
	}
	return body, errors
}

// read reads a field from a form, and returns its error; "" for none.
func (f Field) read(r *page.Request, form page.Form) (stored any, wrong string) {
	typed := form.Text(f.Key)
	switch {
	case f.Kind == Facts:
		return maskOf(form.Values, f.Key), ""
	case f.Kind == Hours:
		return opening.Read(form), "" // see Body
	case typed == "" && f.Required:
		return "", r.Text.T("reason.required")
	case typed == "" || f.Fits != nil && !f.Fits(r, form):
		return nil, ""
	}
	switch f.Kind {
	case Triple:
		return typed == "true", ""
	case Link:
		link, valid := form.Link(f.Key)
		if !valid {
			wrong = r.Text.T("reason.not_url")
		}
		return link, wrong
	case Email:
		if !strings.Contains(typed, "@") {
			wrong = r.Text.T("reason.not_email")
		}
	case Number:
		number, err := strconv.Atoi(typed)
		if err != nil {
			return typed, r.Text.T("reason.not_integer")
		}
		return number, ""
	case Degree:
		if angle, err := strconv.ParseFloat(geo.Decimal(typed), 64); err == nil {
			return angle, ""
		} // else CheckPosition names it
	default:
	}
	return typed, wrong
}

// hoursIn returns opening hours, stored or as they were typed, as their fields show them.
func hoursIn(values version.Values, key string) opening.Values {
	var typed opening.Values
	if json.Unmarshal(values[key], &typed) == nil {
		return typed
	}
	var stored hours.Hours
	if json.Unmarshal(values[key], &stored) != nil {
		return opening.Values{}
	}
	return opening.Of(stored)
}

func isDegree(key string) bool { return key == "lat" || key == "lon" }

// CheckPosition returns the errors of a position; none for a valid or missing one.
func CheckPosition(t *text.Texts, lat, lon string) view.Errors {
	errors := view.Errors{}
	switch {
	case lat == "" && lon == "":
		return errors
	case lat == "":
		errors["lat"] = t.T("reason.point_incomplete")
	case geo.ParsePoint(lat, "0") == nil:
		errors["lat"] = t.T("position.lat_wrong")
	}
	switch {
	case lon == "":
		errors["lon"] = t.T("reason.point_incomplete")
	case geo.ParsePoint("0", lon) == nil:
		errors["lon"] = t.T("position.lon_wrong")
	}
	return errors
}
