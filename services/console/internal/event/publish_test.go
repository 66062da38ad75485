package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page/pagetest"
)

// publicEvent returns an event that visitors see.
func publicEvent() adminapi.Event {
	e := ready()
	e.ReleaseStatus, e.Categories, e.TicketFlags = adminapi.StatusReleased, []int{}, []string{}
	return e
}

// filled is the form of a public event as a page sends it that nothing was changed on, and changes.
func filled(t *testing.T, body string, changes url.Values) url.Values {
	t.Helper()
	form := url.Values{
		"title": {"Jazz am Hafen"}, "subtitle": {"mit Blick"}, "type": {"1"}, "genre": {"1:1003"},
		"tags": {"hafen"}, "languages": {"de"}, "price_type": {"not_specified"},
	}
	for name, values := range changes {
		form[name] = values
	}
	if form["base"] == nil {
		form.Set("base", base(t, body, publishForm))
	}
	return form
}

// TestChangesOfAPublicEventGather: its groups are no forms that are saved as they are edited; one
// form sends the changes of all, in one request, and only the changed fields.
func TestChangesOfAPublicEventGather(t *testing.T) {
	c := start(t, publicEvent())
	body := c.Get(address).Body
	for _, form := range []string{"edit-title", "edit-summary", "edit-price", "edit-release-date"} {
		if strings.Contains(body, `<form id="`+form+`"`) || !strings.Contains(body, `<div id="`+form+`" class="auto" data-gathered`) {
			t.Errorf("%s is not gathered", form)
		}
	}
	if strings.Contains(body, `hx-trigger="change`) || !strings.Contains(body, `<input form="publish" id="title"`) {
		t.Errorf("something is saved as it is edited: %s", body)
	}
	c.Answer("PATCH "+operation, http.StatusOK, adminapi.WrittenEvent{})
	got := c.Post(address+"/publish", filled(t, body, url.Values{"title": {"Blues"}, "tags": {"hafen", "blues"}, "min_price": {"5"}, "currency": {"EUR"}}))
	calls := c.Calls("PATCH " + operation)
	if got.Status != http.StatusSeeOther || len(calls) != 1 || calls[0].Header.Get("If-Match") != `"1"` {
		t.Fatalf("%d, %d requests", got.Status, len(calls))
	}
	want := `{"currency":"EUR","max_price":null,"min_price":5,"price_type":"not_specified","tags":["hafen","blues"],"title":"Blues"}`
	if sent := string(calls[0].Body); sent != want {
		t.Errorf("sends %s, want %s", sent, want)
	}
	if to := got.Header.Get("Location"); to != address+"?notice=published" {
		t.Errorf("leads to %s", to)
	}
	if got := c.Post(address+"/publish", filled(t, body, nil)); got.Status != http.StatusSeeOther || len(c.Calls("PATCH "+operation)) != 1 {
		t.Errorf("without changes: %d", got.Status)
	}
}

// TestARefusedPublicationPublishesNothing: a bad field of one group is named there, and the others
// keep what was typed.
func TestARefusedPublicationPublishesNothing(t *testing.T) {
	c := start(t, publicEvent())
	body := c.Get(address).Body
	got := c.Post(address+"/publish", filled(t, body, url.Values{"title": {"Blues"}, "min_age": {"zwölf"}}))
	for _, want := range []string{`value="Blues"`, `value="zwölf"`, "Enter a whole number"} {
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) {
			t.Errorf("%d, %q is not in the page", got.Status, want)
		}
	}
	byScript := c.Post(address+"/publish", filled(t, body, url.Values{"title": {"Blues"}, "min_age": {"zwölf"}, "scripts": {"1"}}))
	if strings.Contains(byScript.Body, `value="Blues"`) || !strings.Contains(byScript.Body, `value="Jazz am Hafen"`) {
		t.Error("a script is not shown what visitors see")
	}
	c.Refuse("PATCH "+operation, http.StatusConflict, adminapi.Error{Code: "already_public", Error: "public", Details: []fault.Violation{
		{Field: "release_date", Code: "not_while_public", Reason: "cannot"},
	}})
	got = c.Post(address+"/publish", filled(t, body, url.Values{"release_date": {"2099-01-01T10:00"}}))
	_, field, _ := strings.Cut(got.Body, `id="release_date"`)
	field, _, _ = strings.Cut(field, "data-seen")
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(field, "A public event cannot have a publication date in the future") {
		t.Errorf("a conflict: %d, %s", got.Status, field)
	}
	c.Refuse("PATCH "+operation, http.StatusServiceUnavailable, adminapi.Error{Code: "busy", Error: "busy", RetryAfter: 2})
	got = c.Post(address+"/publish", filled(t, body, url.Values{"title": {"Blues"}}))
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "data-failed>Someone else is saving") || !strings.Contains(got.Body, `value="Blues"`) {
		t.Errorf("busy: %d", got.Status)
	}
}

// TestAPublicationMeetsAnother: what others have changed meanwhile is published only after a
// decision; fields that only they have changed stay.
func TestAPublicationMeetsAnother(t *testing.T) {
	e := publicEvent()
	c := start(t, e)
	body := c.Get(address).Body
	form := filled(t, body, url.Values{"title": {"Mine"}, "subtitle": {"mit Blick"}})
	e.Title, e.Subtitle = "Theirs", "Another"
	c.Answer("GET "+operation, http.StatusOK, e)
	c.Answer("PATCH "+operation, http.StatusOK, adminapi.WrittenEvent{})
	got := c.Post(address+"/publish", form)
	_, after, found := strings.Cut(got.Body, `name="mine" value="`)
	mine, _, _ := strings.Cut(after, `"`)
	if got.Status != http.StatusUnprocessableEntity || !found || len(c.Calls("PATCH "+operation)) > 0 {
		t.Fatalf("%d, no conflict in %s", got.Status, got.Body)
	}
	form["theirs"] = []string{"title"}
	if got := c.Post(address+"/publish", form); got.Status != http.StatusSeeOther || len(c.Calls("PATCH "+operation)) > 0 {
		t.Errorf("giving way: %d", got.Status)
	}
	delete(form, "theirs")
	form["mine"] = []string{mine}
	got = c.Post(address+"/publish", form)
	if calls := c.Calls("PATCH " + operation); got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"title":"Mine"}` {
		t.Errorf("overwriting: %d, %+v", got.Status, calls)
	}
}

// TestAConflictNamesWhoHasChangedIt: with the time, and when it was the person themselves.
func TestAConflictNamesWhoHasChangedIt(t *testing.T) {
	for want, written := range map[string]adminapi.HistoryEntry{
		"Edda Ebert changed this on Tuesday, 3 November 2026, 10:00.":                              {ActorName: "Edda Ebert", After: []byte(`{"title":"Theirs"}`)},
		"You changed this in another tab or on another device on Tuesday, 3 November 2026, 10:00.": {ActorName: "Edda Ebert", Own: true, After: []byte(`{"title":"Theirs"}`)},
		"Someone has changed this in the meantime":                                                 {ActorName: "Edda Ebert", After: []byte(`{"summary":"Another"}`)},
	} {
		for _, e := range []adminapi.Event{ready(), publicEvent()} {
			c := start(t, e)
			body := c.Get(address).Body
			id, path := "edit-title", "/edit/title"
			if e.ReleaseStatus == adminapi.StatusReleased {
				id, path = publishForm, "/publish"
			}
			form := filled(t, body, url.Values{"title": {"Mine"}, "base": {base(t, body, id)}})
			e.Title = "Theirs"
			c.Answer("GET "+operation, http.StatusOK, e)
			written.At = time.Date(2026, 11, 3, 10, 0, 0, 0, time.UTC)
			c.Answer("GET "+operation+"/history", http.StatusOK, adminapi.EventHistory{Entries: []adminapi.HistoryEntry{written}})
			if got := c.Post(address+path, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) {
				t.Errorf("%s: %d, %q is missing", path, got.Status, want)
			}
		}
	}
}

// TestOnlyEditorsPublish: others are refused before the content.
func TestOnlyEditorsPublish(t *testing.T) {
	c := start(t, publicEvent())
	contributor, _ := permission.Of(permission.Contributor)
	c.Member(contributor)
	body := c.Get(address).Body
	if strings.Contains(body, `id="publish"`) {
		t.Error("the form is offered")
	}
	got := c.Post(address+"/publish", url.Values{"title": {"Blues"}, "min_age": {"x"}})
	if got.Status != http.StatusForbidden || len(c.Writes()) > 0 {
		t.Errorf("%d", got.Status)
	}
}

// TestADraftThatBecamePublic: a form of its page publishes nothing; an earlier value is restored by
// its button.
func TestADraftThatBecamePublic(t *testing.T) {
	c := start(t, ready())
	form := url.Values{"title": {"Typed"}, "base": {base(t, c.Get(address).Body, "edit-title")}}
	c.Answer("GET "+operation, http.StatusOK, publicEvent())
	c.Answer("PUT "+operation+"/header", http.StatusOK, adminapi.WrittenHeader{})
	got := c.Post(address+"/edit/title", form, pagetest.Script...)
	if got.Header.Get("HX-Refresh") != "true" || len(c.Writes()) > 0 {
		t.Errorf("by script: %d, %v, %d writes", got.Status, got.Header, len(c.Writes()))
	}
	got = c.Post(address+"/edit/title", form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="Typed"`) || len(c.Writes()) > 0 {
		t.Errorf("%d, %d writes", got.Status, len(c.Writes()))
	}
	form.Set("undo", `{"title":"Earlier"}`)
	if c.Post(address+"/edit/title", form); len(c.Writes()) != 1 {
		t.Errorf("an earlier value: %d writes", len(c.Writes()))
	}
}

// TestWithoutScriptsOneButtonSavesADraft: all groups are in one form; a bad field of one keeps the
// others as they were typed, and nothing is stored until all are good.
func TestWithoutScriptsOneButtonSavesADraft(t *testing.T) {
	c := start(t, ready())
	c.WithoutScripts()
	body := c.Get(address).Body
	if !strings.Contains(body, `action="`+address+`/save"`) || strings.Contains(body, "auto-button") && strings.Contains(body, `<form id="edit-title"`) || strings.Contains(body, "data-seen") {
		t.Fatalf("the page has no form for all groups: %.3000s", body)
	}
	c.Answer("PATCH "+operation, http.StatusOK, adminapi.WrittenEvent{})
	form := filled(t, body, url.Values{"title": {"Blues"}, "min_age": {"zwölf"}, "add_language": {"fr", "", "de"}, "add_type": {"3", ""}})
	got := c.Post(address+"/save", form)
	for _, want := range []string{`value="Blues"`, `value="zwölf"`, `name="languages" value="fr" checked`, `name="type" value="3" checked`} {
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) {
			t.Errorf("refused: %d, %q is not in the page", got.Status, want)
		}
	}
	if len(c.Writes()) > 0 {
		t.Error("something is stored")
	}
	form.Set("min_age", "12")
	got = c.Post(address+"/save", form)
	calls := c.Calls("PATCH " + operation)
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != address+"?notice=saved" || len(calls) != 1 {
		t.Fatalf("%d %s, %d requests", got.Status, got.Header.Get("Location"), len(calls))
	}
	for _, want := range []string{`"title":"Blues"`, `"min_age":12`, `"languages":["de","fr"]`, `{"type_id":3,"genre_id":0}`} {
		if !strings.Contains(string(calls[0].Body), want) {
			t.Errorf("%s is not in %s", want, calls[0].Body)
		}
	}
	c.Answer("GET "+operation, http.StatusOK, publicEvent())
	form.Set("title", "Half a ti")
	got = c.Post(address+"/save", form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="Half a ti"`) || !strings.Contains(got.Body, `action="`+address+`/publish"`) || len(c.Writes()) != 1 {
		t.Errorf("after the release: %d, %d writes", got.Status, len(c.Writes()))
	}
}

// TestAPublicationOfAWithdrawnEvent: what was typed while visitors saw the event is stored.
func TestAPublicationOfAWithdrawnEvent(t *testing.T) {
	c := start(t, publicEvent())
	form := filled(t, c.Get(address).Body, url.Values{"title": {"Blues"}})
	e := publicEvent()
	e.ReleaseStatus = adminapi.StatusDraft
	c.Answer("GET "+operation, http.StatusOK, e)
	c.Answer("PATCH "+operation, http.StatusOK, adminapi.WrittenEvent{})
	got := c.Post(address+"/publish", form)
	if calls := c.Calls("PATCH " + operation); got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"title":"Blues"}` {
		t.Errorf("%d, %+v", got.Status, calls)
	}
}

// TestATextOfADraftThatBecamePublic: a link and an online link that were typed in a draft are
// published by a button only.
func TestATextOfADraftThatBecamePublic(t *testing.T) {
	const link = "0192f0a0-0000-7000-8000-0000000000f1"
	e := ready()
	e.EventLinks = []adminapi.Link{{UUID: link, LinkFields: adminapi.LinkFields{Type: "website", URL: "https://example.org"}}}
	c := start(t, e)
	body := c.Get(address).Body
	forms := map[string]url.Values{
		"/link/" + link: {"type": {"website"}, "url": {"https://example.org/half"}, "base": {base(t, body, "link-"+link)}},
		"/place/online": {"online_link": {"https://example.org/half"}, "base": {base(t, body, "place-online")}},
	}
	e.ReleaseStatus = adminapi.StatusReleased
	c.Answer("GET "+operation, http.StatusOK, e)
	c.Answer("PUT "+operation+"/place", http.StatusOK, adminapi.WrittenPlace{})
	c.Answer("PUT "+operation+"/link/"+link, http.StatusOK, adminapi.WrittenLink{})
	for path, form := range forms {
		before := len(c.Writes())
		if got := c.Post(address+path, form, pagetest.Script...); got.Header.Get("HX-Refresh") != "true" || len(c.Writes()) > before {
			t.Errorf("%s by script: %d, %d writes", path, got.Status, len(c.Writes()))
		}
		got := c.Post(address+path, form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="https://example.org/half"`) || !strings.Contains(got.Body, "has to be published") || len(c.Writes()) > before {
			t.Errorf("%s: %d, %d writes", path, got.Status, len(c.Writes()))
		}
		form.Set("public", "1")
		if got := c.Post(address+path, form); got.Status != http.StatusSeeOther || len(c.Writes()) != before+1 {
			t.Errorf("%s by its button: %d, %d writes", path, got.Status, len(c.Writes()))
		}
	}
}
