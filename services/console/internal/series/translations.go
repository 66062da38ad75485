package series

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/translation"
	"litfass/services/console/internal/view"
)

// translations is the page with the texts of a series in all languages next to each other.
type translations struct {
	form
	texts *translation.Form
}

func readTranslations(r *page.Request) (t translations, err error) {
	if t.form, err = read(r); err != nil {
		return t, err
	}
	t.texts = &translation.Form{
		Words: t.Text, Tag: t.tag, Original: string(t.series.TextLanguage), Texts: t.textsToTranslate(),
	}
	return t, nil
}

// textsToTranslate are the texts of the series and of its picture.
func (f form) textsToTranslate() []translation.Text {
	s := f.series
	texts := []translation.Text{
		{Path: "title", Original: s.Title, Max: adminapi.MaxName},
		{Path: "subtitle", Original: string(s.Subtitle), Max: adminapi.MaxTitle},
		{Path: "description", Original: string(s.Description), Max: adminapi.MaxText, Rows: 6},
	}
	for i := range texts {
		one := &texts[i]
		one.Label = f.Text.T("series." + one.Path)
		one.Into = translation.By(s.Texts, func(t adminapi.SeriesText) value.Text { return *t.Fields()[one.Path] })
	}
	if s.Image != nil {
		texts = append(texts, translation.OfImage(f.Text, f.Text.T("series.picture"), *s.Image, s.Texts,
			func(t adminapi.SeriesText) map[string]adminapi.ImageText { return t.Images })...)
	}
	return texts
}

// translatedInto names in a line the languages into which the series is translated, "" for none.
func (f form) translatedInto() string { return translation.Languages(f.Text, f.series.Texts) }

func (t translations) show() error {
	return t.owner.Show(t.Text.T("translations")+" · "+t.series.Title, translationsPage(t))
}

// save stores all translations, unless others have changed the series since the page was shown.
func (t translations) save() error {
	body := t.texts.Read(t.Form)
	_, err := t.Admin().WriteSeries(t.series.UUID)(t.Form.Get("tag"), body)
	switch {
	case err == nil:
		return t.Go(t.path()+"/translations", "saved")
	case fault.Is(err, fault.Stale):
		t.texts.Errors = view.Errors{"": t.Text.T("series.error.stale")}
	case !view.Refusable(err):
		return err
	default:
		t.texts.Refuse(err)
	}
	t.Status(http.StatusUnprocessableEntity)
	return t.show()
}
