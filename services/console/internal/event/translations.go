package event

import (
	"net/http"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/translation"
	"litfass/services/console/internal/view"
)

// translations is the page with the texts of an event in all languages next to each other.
type translations struct {
	*sheet
	form *translation.Form
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
	return &translations{s, &translation.Form{
		Words: s.Text, Tag: s.tag, Original: string(s.event.TextLanguage), Texts: s.textsToTranslate(), Disabled: !s.edits(),
	}}, nil
}

func (t *translations) show() error {
	return t.Show(view.Page{
		Title: t.Text.T("translations") + " · " + t.title(), Section: t.event.OrgUUID, Content: translationsPage(t),
	})
}

// saveTranslations stores all translations, unless others have changed the event since the page was
// shown.
func saveTranslations(r *page.Request) error {
	t, err := readTranslations(r)
	if err != nil {
		return err
	}
	body := t.form.Read(t.Form)
	_, err = r.Admin().WriteEvent(t.event.UUID, "texts")(r.Form.Get("tag"), body)
	switch {
	case err == nil:
		return r.Go(t.address("translations"), "saved")
	case fault.Is(err, fault.Stale):
		t.form.Errors = view.Errors{"": t.Text.T("event.translations.stale")}
	case !view.Refusable(err):
		return err
	default:
		t.form.Refuse(err)
	}
	r.Status(http.StatusUnprocessableEntity)
	return t.show()
}

// textsToTranslate are the texts of the event, its images and its dates.
func (s *sheet) textsToTranslate() (texts []translation.Text) {
	for _, of := range translatedTexts {
		texts = append(texts, translation.Text{
			Path: of.name, Label: s.Text.T("event.field." + of.name), Original: of.original(&s.event), Max: of.max, Rows: of.rows,
			Into: translation.By(s.event.Texts, func(t adminapi.EventText) value.Text { return *t.Fields()[of.name] }),
		})
	}
	for i, image := range s.event.Images {
		name := s.Text.With("event.translations.image", "Number", s.Text.Integer(i+1))
		texts = append(texts, translation.OfImage(s.Text, name, image, s.event.Texts, func(t adminapi.EventText) map[string]adminapi.ImageText {
			return t.Images
		})...)
	}
	for _, date := range s.event.Dates {
		path, name := "dates."+date.UUID, s.dateName(date)
		texts = append(texts, translation.Text{
			Path: path + ".accessibility_info", Label: name + ": " + s.Text.T("dates.accessibility"), Original: string(date.AccessibilityInfo), Rows: 2,
			Into: translation.By(s.event.Texts, func(t adminapi.EventText) value.Text { return t.Dates[date.UUID].AccessibilityInfo }),
		}, translation.Text{
			Path: path + ".status_note", Label: name + ": " + s.Text.T("dates.status_note"), Original: string(date.StatusNote), Rows: 2,
			Into: translation.By(s.event.Texts, func(t adminapi.EventText) value.Text { return t.Dates[date.UUID].StatusNote }),
		})
	}
	return texts
}

// dateName names a date by its day and time.
func (s *sheet) dateName(date adminapi.Date) string {
	day, err := time.Parse(time.DateOnly, date.StartDate)
	if err != nil {
		return date.StartDate
	}
	name := s.Text.ShortDay(day) + " " + strconv.Itoa(day.Year())
	if date.StartTime != "" {
		name += ", " + s.Text.Clock(string(date.StartTime))
	}
	return name
}

// translatedInto names in a line the languages into which the event is translated, "" for none.
func (s *sheet) translatedInto() string { return translation.Languages(s.Text, s.event.Texts) }
