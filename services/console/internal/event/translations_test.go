package event

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
)

// translatedEvent has German texts, a Danish title and an image.
func translatedEvent() adminapi.Event {
	e := stored()
	e.Title, e.Subtitle, e.Summary, e.TextLanguage = "Konzert", "Untertitel", "", "de"
	e.Images = []adminapi.Image{{UUID: "image-1", Identifier: "main", AltText: "Ein Chor"}}
	e.Texts = adminapi.EventTexts{"da": {Title: "Koncert"}}
	e.Dates = []adminapi.Date{{UUID: "date-1", DateFields: adminapi.DateFields{StartDate: "2026-12-24", StartTime: "19:30", AccessibilityInfo: "Mit Dolmetscherin"}}}
	return e
}

// The page has the original next to each translation, and names what is missing.
func TestTranslationsAreSideBySide(t *testing.T) {
	c := start(t, translatedEvent())
	got := c.Get(address + "/translations")
	for _, want := range []string{
		`<details class="translation" data-language="da" open>`, `<details class="translation" data-language="en">`,
		`lang="de">Untertitel</p>`, `name="da.title" type="text" value="Koncert"`, `name="en.title" type="text" value=""`,
		`name="da.images.image-1.alt_text"`, `name="da.dates.date-1.accessibility_info"`, `lang="de">Mit Dolmetscherin</p>`, "Missing: Subtitle", "Nothing is translated yet",
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%s is missing in %s", want, got.Body)
		}
	}
	for _, surplus := range []string{`data-language="de"`, `name="da.summary"`, `name="da.dates.date-1.status_note"`} {
		if strings.Contains(got.Body, surplus) {
			t.Errorf("%s is in %s", surplus, got.Body)
		}
	}
	if page := c.Get(address); !strings.Contains(page.Body, address+"/translations") {
		t.Error("the page of the event does not lead to its translations")
	}
}

// The form stores the texts that it has: null for an empty one, and for the language of the
// original.
func TestTranslationsAreSaved(t *testing.T) {
	c := start(t, translatedEvent())
	const writing = "PUT " + operation + "/texts"
	c.Answer(writing, http.StatusOK, map[string]any{})
	got := c.Post(address+"/translations", url.Values{
		"tag": {`"7"`}, "text_language": {"de"}, "da.title": {"Koncert 2"}, "da.subtitle": {""}, "en.title": {"Concert"},
		"da.images.image-1.alt_text": {"Et kor"}, "da.images.image-1.description": {""}, "da.dates.date-1.accessibility_info": {"Med tolk"},
	})
	calls := c.Calls(writing)
	if got.Status != http.StatusSeeOther || len(calls) != 1 {
		t.Fatalf("%d, %d writes", got.Status, len(calls))
	}
	var body, want any
	if err := json.Unmarshal(calls[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"text_language": "de", "texts": {
		"da": {"title": "Koncert 2", "subtitle": null, "images": {"image-1": {"alt_text": "Et kor", "description": null}},
			"dates": {"date-1": {"accessibility_info": "Med tolk"}}},
		"en": {"title": "Concert"}, "de": null}}`), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(body, want) {
		t.Errorf("the service gets %s", calls[0].Body)
	}
}

// What was typed stays in the form when it is refused, with the reason at its field.
func TestTranslationsAreRefused(t *testing.T) {
	for _, test := range []struct {
		status  int
		refusal adminapi.Error
		want    string
	}{
		{http.StatusBadRequest, adminapi.Error{Error: "no", Code: "invalid_event", Details: []fault.Violation{fault.Violate("texts.da.title", reason.TooLong(2000))}}, `href="#da.title"`},
		{http.StatusPreconditionFailed, adminapi.Error{Error: "no", Code: "stale_event"}, "Someone has changed the event meanwhile."},
	} {
		c := start(t, translatedEvent())
		c.Refuse("PUT "+operation+"/texts", test.status, test.refusal)
		got := c.Post(address+"/translations", url.Values{"tag": {`"7"`}, "text_language": {"de"}, "da.title": {"Langer Titel"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, test.want) || !strings.Contains(got.Body, `value="Langer Titel"`) {
			t.Errorf("%d: %s", got.Status, got.Body)
		}
	}
}
