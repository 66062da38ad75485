package api_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// A body changes the languages and the texts that it names, and no others.
func TestTranslationsAreMerged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, created := s.newEvent(t)
	put := func(body string) answer {
		t.Helper()
		changed := s.as(t, "editor", http.MethodPut, "/event/"+id+"/texts", body)
		changed.want(t, body, ok, "")
		return changed
	}
	danish := created.body["texts"].(map[string]any)["da"].(map[string]any)
	for _, step := range []struct {
		body string
		edit func(texts map[string]any)
	}{
		{`{"texts": {"da": {"title": "Nyt"}}}`, func(map[string]any) { danish["title"] = "Nyt" }},
		{`{"texts": {"da": {"subtitle": null, "summary": " "}}}`, func(map[string]any) { delete(danish, "subtitle"); delete(danish, "summary") }},
		{`{"texts": {"DA": {"title": "Nyere"}}}`, func(map[string]any) { danish["title"] = "Nyere" }},
		{`{"texts": {"en": null}}`, func(texts map[string]any) { delete(texts, "en") }},
		{`{"texts": {"EN": {"title": "New"}, "da": {}}}`, func(texts map[string]any) { texts["en"] = map[string]any{"title": "New"} }},
		{`{"texts": {"en": {"title": ""}}}`, func(texts map[string]any) { delete(texts, "en") }},
	} {
		texts := s.as(t, "editor", http.MethodGet, "/event/"+id, "").body["texts"].(map[string]any)
		texts["da"] = danish
		step.edit(texts)
		if got := put(step.body).body["texts"]; !reflect.DeepEqual(got, any(texts)) {
			t.Errorf("%s: got %v, want %v", step.body, got, texts)
		}
	}
	put(`{"texts": null, "text_language": null}`)
	read := s.as(t, "editor", http.MethodGet, "/event/"+id, "")
	if texts, _ := read.body["texts"].(map[string]any); len(texts) > 0 || read.body["text_language"] != nil {
		t.Errorf("nothing is cleared: %v %v", read.body["text_language"], read.body["texts"])
	}
}

// The translated texts of an image go with it, to a duplicate, too.
func TestTranslationsOfImages(t *testing.T) {
	t.Parallel()
	s := newGallery(t)
	id := strings.TrimPrefix(s.path, "/event/")
	upload := func(index int) string { return fmt.Sprint(s.upload(t, index, avatarFile(t)).body["uuid"]) }
	first, second := upload(1), upload(2)
	s.as(t, "owner", http.MethodPut, "/event/"+id+"/texts", fmt.Sprintf(
		`{"texts": {"da": {"images": {%q: {"alt_text": "Et kor"}, %q: {"alt_text": "En fløjte", "description": "Sølv"}}}}}`, first, second)).
		want(t, "translate", ok, "")
	images := func(id string) map[string]any {
		t.Helper()
		read := s.as(t, "owner", http.MethodGet, "/event/"+id, "")
		read.want(t, "read", ok, "")
		danish, _ := read.body["texts"].(map[string]any)["da"].(map[string]any)
		found, _ := danish["images"].(map[string]any)
		return found
	}
	copied := s.as(t, "owner", http.MethodPost, "/event/"+id+"/duplicate", `{}`)
	copied.want(t, "duplicate", http.StatusCreated, "")
	of := images(fmt.Sprint(copied.body["uuid"]))
	for _, image := range copied.body["images"].([]any) {
		want := map[string]any{"alt_text": "Et kor"}
		if image.(map[string]any)["identifier"] != "main" {
			want = map[string]any{"alt_text": "En fløjte", "description": "Sølv"}
		}
		if got := of[image.(map[string]any)["uuid"].(string)]; !reflect.DeepEqual(got, any(want)) {
			t.Errorf("of the duplicate: got %v, want %v", got, want)
		}
	}
	s.as(t, "owner", http.MethodDelete, "/event/"+id+"/image?index=1", "").want(t, "delete", ok, "")
	if left := images(id); len(left) != 1 || left[second] == nil {
		t.Errorf("after the deletion of %s there are texts of %v", first, left)
	}
	replaced := upload(2)
	if left := images(id); len(left) != 0 {
		t.Errorf("after %s was replaced by %s there are texts of %v", second, replaced, left)
	}
}

// The translated texts of a date go with it, and are of no other one.
func TestTranslationsOfDates(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, created := s.newEvent(t)
	uuid := func(i int) string { return created.body["dates"].([]any)[i].(map[string]any)["uuid"].(string) }
	first, second := uuid(0), uuid(1)
	translate := func(body string) answer {
		return s.as(t, "editor", http.MethodPut, "/event/"+id+"/texts", `{"texts": {"da": {"dates": `+body+`}}}`)
	}
	translate(fmt.Sprintf(`{%q: {"accessibility_info": "Tolk", "status_note": "Storm"}, %q: {"accessibility_info": "Rampe"}}`, first, second)).want(t, "translate", ok, "")
	translate(fmt.Sprintf(`{%q: {"status_note": null}}`, first)).want(t, "clear one", ok, "")
	wrong := translate(`{"0192f0a0-0000-7000-8000-000000000001": {"status_note": "Storm"}}`)
	if wrong.want(t, "no date", http.StatusBadRequest, "invalid_event"); wrong.fields() != "texts.da.dates.0192f0a0-0000-7000-8000-000000000001" {
		t.Errorf("named %s", wrong.fields())
	}
	dates := func() any {
		t.Helper()
		read := s.as(t, "editor", http.MethodGet, "/event/"+id, "")
		read.want(t, "read", ok, "")
		return read.body["texts"].(map[string]any)["da"].(map[string]any)["dates"]
	}
	want := map[string]any{first: map[string]any{"accessibility_info": "Tolk"}, second: map[string]any{"accessibility_info": "Rampe"}}
	if got := dates(); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("got %v, want %v", got, want)
	}
	s.as(t, "editor", http.MethodDelete, "/event/"+id+"/date/"+first, "").want(t, "delete", ok, "")
	delete(want, first)
	if got := dates(); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("without the first date: got %v, want %v", got, want)
	}
	s.as(t, "editor", http.MethodPatch, "/event/"+id, `{"dates": [{"start_date": "2028-05-01", "all_day": true}]}`).want(t, "other dates", ok, "")
	if got := dates(); got != nil {
		t.Errorf("without the second date: got %v", got)
	}
}

// A constraint keeps the language of the original out of the translations.
func TestOriginalIsNoTranslation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, _ := s.newEvent(t)
	_, err := s.db.Pool().Exec(t.Context(), "UPDATE event SET text_language = 'da' WHERE uuid = $1", id)
	if err == nil || !strings.Contains(err.Error(), "event_original_is_no_translation") {
		t.Errorf("the database says %v", err)
	}
}

// A body of a series changes the languages and the texts that it names, and no others. The texts of
// its image end with it.
func TestTranslationsOfSeries(t *testing.T) {
	t.Parallel()
	p := newPoster(t)
	first := fmt.Sprint(p.upload(t, "owner", "", avatarFile(t)).body["uuid"])
	put := func(body string) answer { return p.as(t, "owner", http.MethodPut, p.path, body) }
	put(fmt.Sprintf(`{"text_language": "de", "texts": {"da": {"title": "Havnefest", "images": {%q: {"alt_text": "Skibe"}}}, "en": {"title": "Harbour"}}}`, first)).
		want(t, "translate", ok, "")
	put(`{"texts": {"DA": {"subtitle": " Tre dage "}, "en": null}}`).want(t, "change a text", ok, "")
	want := map[string]any{"title": "Havnefest", "subtitle": "Tre dage", "images": map[string]any{first: map[string]any{"alt_text": "Skibe"}}}
	shown := func() map[string]any {
		t.Helper()
		read := p.as(t, "viewer", http.MethodGet, p.path, "")
		read.want(t, "read", ok, "")
		return read.body["texts"].(map[string]any)
	}
	if got := shown(); !reflect.DeepEqual(got, map[string]any{"da": want}) {
		t.Errorf("got %v, want %v in Danish", got, want)
	}
	for body, field := range map[string]string{
		`{"texts": {"de": {"title": "Fest"}}}`:                                                       "texts.de",
		`{"text_language": "da"}`:                                                                    "texts.da",
		`{"texts": {"fr": {"title": "Fête"}}}`:                                                       "texts.fr",
		`{"texts": {"da": {"summary": "x"}}}`:                                                        "texts.da.summary",
		`{"texts": {"da": {"title": "` + strings.Repeat("x", 501) + `"}}}`:                           "texts.da.title",
		`{"texts": {"da": {"images": {"0192f0a0-0000-7000-8000-000000000001": {"alt_text": "x"}}}}}`: "texts.da.images.0192f0a0-0000-7000-8000-000000000001",
	} {
		refused := put(body)
		if refused.want(t, body, http.StatusBadRequest, ""); refused.fields() != field {
			t.Errorf("%s: named %s", body, refused.fields())
		}
	}
	p.upload(t, "owner", "", avatarFile(t))
	delete(want, "images")
	if got := shown(); !reflect.DeepEqual(got, map[string]any{"da": want}) {
		t.Errorf("with another image: got %v, want %v in Danish", got, want)
	}
	put(`{"texts": null, "text_language": null}`).want(t, "clear all", ok, "")
	if got := shown(); len(got) > 0 {
		t.Errorf("nothing is cleared: %v", got)
	}
	_, err := p.db.Pool().Exec(t.Context(), `UPDATE series SET text_language = 'da', texts = '{"da": {}}' WHERE uuid = $1`, strings.TrimPrefix(p.path, "/series/"))
	if err == nil || !strings.Contains(err.Error(), "series_original_is_no_translation") {
		t.Errorf("the database says %v", err)
	}
}
