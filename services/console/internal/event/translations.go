package event

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// translations is the page with the texts of an event in all languages next to each other.
type translations struct {
	*sheet
	original string // language of the original texts; "" for one that is not stated
	texts    adminapi.EventTexts
	errors   view.Errors
}

// translated is a text of an event with its translation into a language.
type translated struct {
	view.Field
	original string
	lines    bool // it has several
}

// translatedTexts are the texts of events in their order on the page, with the rows of their
// fields: 0 for one line.
var translatedTexts = []struct {
	name     string
	max      int
	rows     int
	original func(*adminapi.Event) string
}{
	{"title", adminapi.MaxTitle, 0, func(e *adminapi.Event) string { return e.Title }},
	{"subtitle", adminapi.MaxTitle, 0, func(e *adminapi.Event) string { return string(e.Subtitle) }},
	{"summary", adminapi.MaxText, 3, func(e *adminapi.Event) string { return string(e.Summary) }},
	{"description", adminapi.MaxDescription, 8, func(e *adminapi.Event) string { return string(e.Description) }},
	{"participation_info", adminapi.MaxText, 3, func(e *adminapi.Event) string { return string(e.ParticipationInfo) }},
	{"meeting_point", adminapi.MaxTitle, 0, func(e *adminapi.Event) string { return string(e.MeetingPoint) }},
	{"status_note", adminapi.MaxReason, 2, func(e *adminapi.Event) string { return string(e.StatusNote) }},
}

func showTranslations(r *page.Request) error {
	t, err := readTranslations(r)
	if err != nil {
		return err
	}
	return t.show()
}

func readTranslations(r *page.Request) (*translations, error) {
	s, err := read(r)
	if err != nil {
		return nil, err
	}
	if err := r.Require(s.event.OrgUUID, permission.EditEvent); err != nil {
		return nil, err
	}
	return &translations{sheet: s, original: string(s.event.TextLanguage), texts: s.event.Texts}, nil
}

func (t *translations) show() error {
	return t.Show(view.Page{
		Title: t.Text.T("event.translations") + " · " + t.title(), Section: t.event.OrgUUID, Content: translationsPage(t),
	})
}

// saveTranslations stores all translations, unless others have changed the event since the page was
// shown.
func saveTranslations(r *page.Request) error {
	t, err := readTranslations(r)
	if err != nil {
		return err
	}
	body := t.typed()
	_, err = r.Admin().WriteEvent(t.event.UUID, "texts")(r.Form.Get("tag"), body)
	switch {
	case err == nil:
		return r.Go(t.address("translations"), "saved")
	case fault.Is(err, fault.Stale):
		t.errors = view.Errors{"": t.Text.T("event.translations.stale")}
	case !view.Refusable(err):
		return err
	default:
		t.errors = view.Errors{}
		for field, why := range view.Reasons(err) {
			t.errors[strings.TrimPrefix(field, "texts.")] = why
		}
	}
	r.Status(http.StatusUnprocessableEntity)
	return t.show()
}

// typed takes the fields of the form, and returns what is to be stored: null for a text that is
// empty, and for a language that has become that of the original.
func (t *translations) typed() map[string]any {
	t.original = t.Form.Text("text_language")
	t.texts = maps.Clone(t.texts)
	if t.texts == nil {
		t.texts = adminapi.EventTexts{}
	}
	texts := map[string]any{}
	for _, code := range language.Codes {
		if code == t.original {
			texts[code] = nil
			delete(t.texts, code)
			continue
		}
		typed, fields, images := t.texts[code], map[string]any{}, map[string]any{}
		for name, field := range typed.Fields() {
			if input := code + "." + name; t.Form.Has(input) {
				*field = value.Text(t.Form.Text(input))
				fields[name] = t.Form.TextOrNil(input)
			}
		}
		typed.Images = maps.Clone(typed.Images)
		if typed.Images == nil {
			typed.Images = map[string]adminapi.ImageText{}
		}
		for _, image := range t.event.Images {
			if input := imageInput(code, image.UUID); t.Form.Has(input + ".alt_text") {
				typed.Images[image.UUID] = adminapi.ImageText{
					AltText: value.Text(t.Form.Text(input + ".alt_text")), Description: value.Text(t.Form.Text(input + ".description")),
				}
				images[image.UUID] = map[string]any{
					"alt_text": t.Form.TextOrNil(input + ".alt_text"), "description": t.Form.TextOrNil(input + ".description"),
				}
			}
		}
		fields["images"], fields["dates"] = images, t.typedDates(code, &typed)
		texts[code], t.texts[code] = fields, typed
	}
	var original any
	if t.original != "" {
		original = t.original
	}
	return map[string]any{"text_language": original, "texts": texts}
}

// typedDates reads the fields of dates in a language, and returns the changes to store.
func (t *translations) typedDates(code string, typed *adminapi.EventText) map[string]any {
	dates := map[string]any{}
	typed.Dates = maps.Clone(typed.Dates)
	if typed.Dates == nil {
		typed.Dates = map[string]adminapi.DateText{}
	}
	for _, date := range t.event.Dates {
		of, fields := typed.Dates[date.UUID], map[string]any{}
		for name, text := range map[string]*value.Text{"accessibility_info": &of.AccessibilityInfo, "status_note": &of.StatusNote} {
			if input := dateInput(code, date.UUID) + "." + name; t.Form.Has(input) {
				*text, fields[name] = value.Text(t.Form.Text(input)), t.Form.TextOrNil(input)
			}
		}
		if len(fields) > 0 {
			typed.Dates[date.UUID], dates[date.UUID] = of, fields
		}
	}
	return dates
}

// dateInput begins the names of the fields of a date.
func dateInput(code, date string) string { return code + ".dates." + date }

// imageInput begins the names of the fields of an image.
func imageInput(code, image string) string { return code + ".images." + image }

// languages are those that the original may be translated into.
func (t *translations) languages() []string {
	return slices.DeleteFunc(slices.Clone(language.Codes), func(code string) bool { return code == t.original })
}

// originals are the choices of the language of the original.
func (t *translations) originals() []view.Option {
	options := []view.Option{{Value: "", Label: t.Text.T("event.translations.unstated"), Chosen: t.original == ""}}
	for _, code := range language.Codes {
		options = append(options, view.Option{Value: code, Label: t.Text.T("language." + code), Chosen: code == t.original})
	}
	return options
}

// fields are the texts that there are, in the original or in the language.
func (t *translations) fields(code string) (fields []translated) {
	text := t.texts[code]
	for _, of := range translatedTexts {
		field := t.translated(code+"."+of.name, t.Text.T("event.field."+of.name), of.original(&t.event), string(*text.Fields()[of.name]))
		field.Max, field.Rows, field.lines = of.max, of.rows, of.rows > 0
		fields = append(fields, field)
	}
	for i, image := range t.event.Images {
		of, name := text.Images[image.UUID], t.Text.With("event.translations.image", "Number", t.Text.Integer(i+1))
		input := imageInput(code, image.UUID)
		alt := t.translated(input+".alt_text", name+": "+t.Text.T("images.alt_text"), string(image.AltText), string(of.AltText))
		description := t.translated(input+".description", name+": "+t.Text.T("images.description"), string(image.Description), string(of.Description))
		description.Rows, description.lines = 2, true
		fields = append(fields, alt, description)
	}
	for _, date := range t.event.Dates {
		of, input, name := text.Dates[date.UUID], dateInput(code, date.UUID), t.dateName(date)
		access := t.translated(input+".accessibility_info", name+": "+t.Text.T("dates.accessibility"), string(date.AccessibilityInfo), string(of.AccessibilityInfo))
		note := t.translated(input+".status_note", name+": "+t.Text.T("dates.status_note"), string(date.StatusNote), string(of.StatusNote))
		access.Rows, access.lines, note.Rows, note.lines = 2, true, 2, true
		fields = append(fields, access, note)
	}
	return slices.DeleteFunc(fields, func(f translated) bool {
		return f.original == "" && f.Value == "" && !strings.HasSuffix(f.Name, ".alt_text")
	})
}

// dateName names a date by its day and time.
func (t *translations) dateName(date adminapi.Date) string {
	day, err := time.Parse(time.DateOnly, date.StartDate)
	if err != nil {
		return date.StartDate
	}
	name := t.Text.ShortDay(day) + " " + strconv.Itoa(day.Year())
	if date.StartTime != "" {
		name += ", " + t.Text.Clock(string(date.StartTime))
	}
	return name
}

func (t *translations) translated(name, label, original, translation string) translated {
	return translated{
		Field:    view.Field{Name: name, Label: label, Value: translation, Error: t.errors[name], Content: true},
		original: original,
	}
}

// missing are the labels of the texts of the original that are not translated into a language.
func (t *translations) missing(code string) (labels []string) {
	for _, field := range t.fields(code) {
		if field.original != "" && field.Value == "" {
			labels = append(labels, field.Label)
		}
	}
	return labels
}

// state is a line about the texts that are missing in a language.
func (t *translations) state(code string) string {
	missing := t.missing(code)
	switch {
	case len(missing) == 0:
		return t.Text.T("event.translations.complete")
	case t.isEmpty(code):
		return t.Text.T("event.translations.none")
	default:
		return t.Text.With("event.translations.missing", "Fields", strings.Join(missing, ", "))
	}
}

// isEmpty reports whether nothing is translated into a language.
func (t *translations) isEmpty(code string) bool {
	return !slices.ContainsFunc(t.fields(code), func(f translated) bool { return f.Value != "" })
}

// labels name the fields above the form.
func (t *translations) labels() map[string]string {
	labels := map[string]string{"text_language": t.Text.T("event.field.text_language"), "texts": t.Text.T("event.translations")}
	for _, code := range t.languages() {
		labels[code] = t.Text.T("language." + code)
		for _, field := range t.fields(code) {
			labels[field.Name] = t.Text.T("language."+code) + ", " + field.Label
		}
	}
	return labels
}

// translatedInto names in a line the languages into which the event is translated, "" for none.
func (s *sheet) translatedInto() string {
	var names []string
	for _, code := range language.Codes {
		if _, is := s.event.Texts[code]; is {
			names = append(names, s.Text.T("language."+code))
		}
	}
	return strings.Join(names, ", ")
}
