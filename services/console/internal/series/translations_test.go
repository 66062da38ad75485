package series

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

const translated = root + "/" + fest + "/translations"

// startTranslated begins with a series with German texts, a Danish title and a picture.
func startTranslated(t *testing.T) *pagetest.Console {
	t.Helper()
	c := start(t)
	c.Answer(own, 200, adminapi.Series{
		UUID: fest, OrgUUID: pagetest.Org, Slug: "fest", Title: "Fest <b>", Subtitle: "Drei Tage", TextLanguage: "de",
		Texts: adminapi.SeriesTexts{"da": {Title: "Havnefest"}}, Image: &adminapi.Image{UUID: poster, Identifier: "main", AltText: "Schiffe"},
	})
	return c
}

// The page has the original next to each translation, and names what is missing; that of the series
// leads there.
func TestTranslationsAreSideBySide(t *testing.T) {
	c := startTranslated(t)
	page := c.Get(translated).Body
	wants(t, page,
		`<details class="translation" data-language="da" open>`, `<details class="translation" data-language="en">`,
		`lang="de">Fest &lt;b&gt;</p>`, `lang="de">Drei Tage</p>`, `name="da.title" type="text" value="Havnefest"`,
		`name="da.images.`+poster+`.alt_text"`, `lang="de">Schiffe</p>`, "Missing: Subtitle", "Nothing is translated yet",
	)
	for _, surplus := range []string{`data-language="de"`, `name="da.description"`, `name="da.images.` + poster + `.description"`} {
		if strings.Contains(page, surplus) {
			t.Errorf("%s is in %s", surplus, page)
		}
	}
	wants(t, c.Get(root+"/"+fest).Body, `href="`+translated+`"`, "<p>Dansk</p>")
}

// The form stores the texts that it has: null for an empty one, and for the language of the
// original.
func TestTranslationsAreSaved(t *testing.T) {
	c := startTranslated(t)
	c.Answer(write, http.StatusOK, adminapi.WrittenSeries{})
	got := c.Post(translated, url.Values{
		"tag": {`"3"`}, "text_language": {"de"}, "da.title": {"Havnefest 2"}, "da.subtitle": {""}, "en.title": {"Harbour"},
		"da.images." + poster + ".alt_text": {"Skibe"},
	})
	calls := c.Calls(write)
	if got.Status != http.StatusSeeOther || len(calls) != 1 || calls[0].Header.Get("If-Match") != `"3"` {
		t.Fatalf("%d, %d writes", got.Status, len(calls))
	}
	var body, want any
	if err := json.Unmarshal(calls[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"text_language": "de", "texts": {
		"da": {"title": "Havnefest 2", "subtitle": null, "images": {"`+poster+`": {"alt_text": "Skibe"}}},
		"en": {"title": "Harbour"}, "de": null}}`), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(body, want) {
		t.Errorf("the service gets %s", calls[0].Body)
	}
}

// What was typed stays in the form when it is refused, with the reason at its field.
func TestTranslationsAreRefused(t *testing.T) {
	for status, test := range map[int]struct {
		refusal adminapi.Error
		want    string
	}{
		http.StatusBadRequest:         {adminapi.Error{Error: "no", Code: "invalid_series", Details: []fault.Violation{fault.Violate("texts.da.title", reason.TooLong(500))}}, `href="#da.title"`},
		http.StatusPreconditionFailed: {adminapi.Error{Error: "no", Code: "stale_series"}, "Someone else has changed this series"},
	} {
		c := startTranslated(t)
		c.Refuse(write, status, test.refusal)
		got := c.Post(translated, url.Values{"tag": {`"3"`}, "text_language": {"de"}, "da.title": {"Langer Titel"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, test.want) || !strings.Contains(got.Body, `value="Langer Titel"`) {
			t.Errorf("%d: %s", got.Status, got.Body)
		}
	}
}
