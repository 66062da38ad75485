package images

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// maxCharacters are the limits of the words about an image, by field.
var maxCharacters = map[string]int{
	"alt_text": adminapi.MaxTitle, "description": adminapi.MaxText, "license": 100, "creator_name": adminapi.MaxName,
	"copyright": adminapi.MaxName,
}

// aiGenerated is whether a model has made the image.
const aiGenerated = "ai_generated"

// saveWords stores the words about an image.
func (k Kind) saveWords(r *page.Request) error { return k.save(r, (*sheet).wordsPart) }

// saveFocus stores the point of an image that stays in view.
func (k Kind) saveFocus(r *page.Request) error { return k.save(r, (*sheet).focusPart) }

func (k Kind) save(r *page.Request, partOf func(*sheet, int) autosave.Part) error {
	s, err := k.read(r)
	if err != nil {
		return err
	}
	at, err := s.chosen()
	if err != nil {
		return err
	}
	return autosave.Save(r, k.resource(s, s.of.Images[at]), partOf(s, at))
}

// resource is an image for autosave. It has the ETag of its subject.
func (k Kind) resource(s *sheet, m adminapi.Image) autosave.Resource {
	return autosave.Resource{
		Org: s.of.Org, Need: s.of.Need, Read: s.of.Image(placeOf(m)).Read(), Page: s.of.Page + k.Section,
		Public: func(version.Values) bool { return s.of.Public },
		Changed: func([]string) string {
			if s.of.Changed == nil {
				return ""
			}
			return s.of.Changed(m.UUID)
		},
		Whole: func(r *page.Request, id string, drawn templ.Component) error {
			s.drawn = map[string]templ.Component{id: drawn}
			return k.Whole(r, section(s))
		},
		Elsewhere: func(*page.Request, version.Values) []templ.Component {
			if s.reload() != nil {
				return nil // the success is shown all the same
			}
			return append(slices.Clone(s.of.Beside), s.besideImage(m.UUID)...)
		},
	}
}

// part is one of the two forms of the image at an index. It is gone once another image has its
// place.
func (s *sheet) part(at int, name string) autosave.Part {
	m := s.of.Images[at]
	return autosave.Part{
		ID: name + "-" + m.UUID, Label: s.Text.T("images."+name) + ", " + s.title(at),
		Write: s.of.Image(placeOf(m)).Write(), Question: s.of.Question,
		Of: func(stored version.Values) (version.Values, bool) { return stored, stored.Text("uuid") == m.UUID },
	}
}

// wordsPart has the words about the image at an index.
func (s *sheet) wordsPart(at int) autosave.Part {
	part := s.part(at, "words")
	part.Dependent = []string{"license", "creator_name", "copyright"}
	part.Names = map[string]string{}
	for key := range maxCharacters {
		part.Names[key] = s.Text.T("images." + key)
	}
	part.Names[aiGenerated] = s.Text.T("images." + aiGenerated + ".yes")
	part.Body = func(form page.Form) (map[string]any, view.Errors) {
		body, errors := map[string]any{aiGenerated: form.Text(aiGenerated) == "true"}, view.Errors{}
		for key, limit := range maxCharacters {
			body[key] = form.TextOrNil(key)
			if count := utf8.RuneCountInString(form.Text(key)); count > limit {
				errors[key] = s.Text.With("images.too_long", "Max", s.Text.Integer(limit), "Count", s.Text.Integer(count))
			}
		}
		return body, errors
	}
	part.Print = func(key string, value json.RawMessage) string {
		text := version.Values{key: value}.Text(key)
		if key == "license" {
			return s.licences.Name(text)
		}
		return text
	}
	part.Draw = func(values version.Values, state view.State) templ.Component {
		return wordsForm(s, at, s.form(at, part, state), values)
	}
	return part
}

// focusPart is the point of the image at an index that stays in view.
func (s *sheet) focusPart(at int) autosave.Part {
	part := s.part(at, "focus")
	part.Dependent = []string{"focus_x", "focus_y"}
	part.Names = map[string]string{"focus_x": s.Text.T("images.focus_x"), "focus_y": s.Text.T("images.focus_y")}
	part.Body = func(form page.Form) (map[string]any, view.Errors) {
		body, errors := map[string]any{}, view.Errors{}
		for _, key := range slices.Sorted(maps.Keys(part.Names)) {
			share, valid := shareOf(form.Text(key))
			body[key] = share
			if !valid {
				errors[key] = s.Text.T("images.not_a_percentage")
			}
		}
		halved(body)
		return body, errors
	}
	part.Print = func(_ string, value json.RawMessage) string { return typedPercent(value) + " %" }
	part.Draw = func(values version.Values, state view.State) templ.Component {
		return focusForm(s, at, s.form(at, part, state), values)
	}
	return part
}

// formOf draws the form of a part with its stored values, unless it is drawn already.
func (s *sheet) formOf(at int, part autosave.Part) templ.Component {
	if drawn, given := s.drawn[part.ID]; given {
		return drawn
	}
	values := version.ValuesOf(s.of.Images[at])
	return part.Draw(values, view.State{Base: part.Base(values)})
}

// form returns the frame of the form of a part.
func (s *sheet) form(at int, part autosave.Part, state view.State) view.AutoForm {
	name, _, _ := strings.Cut(part.ID, "-")
	return view.AutoForm{
		ID: part.ID, Label: part.Label, State: state, Locked: !s.of.Edits, Public: s.of.Public,
		Action: s.address("pictures", s.of.Images[at].UUID, name),
	}
}

// shareOf returns a percentage as a share of 1; nil for none. What is no percentage stays as it was
// typed.
func shareOf(typed string) (share any, valid bool) {
	if typed == "" {
		return nil, true
	}
	text := strings.TrimSpace(strings.TrimSuffix(typed, "%"))
	number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	const whole = 100
	if err != nil || !(number >= 0 && number <= whole) { // NaN, too
		return typed, false
	}
	return math.Round(number*whole) / (whole * whole), true
}

// halved puts the middle where only the other one of both numbers is given.
func halved(body map[string]any) {
	const middle = 0.5
	for key, other := range map[string]string{"focus_x": "focus_y", "focus_y": "focus_x"} {
		if body[key] == nil && body[other] != nil {
			body[key] = middle
		}
	}
}

// percent writes a share of 1 in percent; "" for none.
func percent(share *float64) string {
	if share == nil {
		return ""
	}
	const digits = 1e4
	return strconv.FormatFloat(math.Round(*share*digits)/100, 'f', -1, 64)
}

// typedPercent writes a stored share in percent, and invalid input as it is.
func typedPercent(value json.RawMessage) string {
	var share *float64
	if json.Unmarshal(value, &share) == nil {
		return percent(share)
	}
	return version.Values{"": value}.Text("")
}
