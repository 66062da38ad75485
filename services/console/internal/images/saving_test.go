package images_test

import (
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/version"
)

func decode(t *testing.T, content []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatal(err)
	}
}

func keys(of url.Values) iter.Seq[string] { return maps.Keys(of) }

var (
	wordKeys  = []string{"alt_text", "description", "license", "creator_name", "copyright", "ai_generated"}
	focusKeys = []string{"focus_x", "focus_y"}
)

// described runs the pages over an image in a place of the gallery.
func described(t *testing.T) (c *pagetest.Console, stored adminapi.ImageMeta) {
	t.Helper()
	m := image(second, "gallery_2", "A band")
	c = start(t, image(first, "main", "x"), m)
	stored = adminapi.ImageMeta{UUID: second, Identifier: m.Identifier, AltText: m.AltText, FocusX: m.FocusX, FocusY: m.FocusY}
	c.Answer("GET "+operation+"/image/3/meta", 200, stored)
	return c, stored
}

func TestWordsAreSaved(t *testing.T) {
	c, stored := described(t)
	after := stored
	after.AltText = "Three musicians"
	c.Answer("POST "+operation+"/image/3", 200, adminapi.WrittenImage{ImageMeta: after})
	form := url.Values{
		"base": {version.ValuesOf(stored).DigestOf(wordKeys...)}, "alt_text": {" Three musicians "}, "license": {"cc-by"},
		"ai_generated": {"true"},
	}
	got := c.Post(path+"/pictures/"+second+"/words", form, pagetest.Script...)
	has(t, "the answer", got, 200, "data-saved", "A band", "reminder-"+second, "thumb-"+second, `hx-swap-oob="true"`)
	calls := c.Calls("POST " + operation + "/image/3")
	if len(calls) != 1 || calls[0].Header.Get("If-Match") != `"1"` {
		t.Fatalf("%d calls", len(calls))
	}
	want := map[string]string{"alt_text": "Three musicians", "description": "", "license": "cc-by", "creator_name": "", "copyright": "", "ai_generated": "true"}
	if got := sent(t, calls[0]); !maps.Equal(got, want) {
		t.Errorf("the service gets %v", got)
	}
	plain := c.Post(path+"/pictures/"+second+"/words", form)
	if plain.Status != 303 || !strings.HasSuffix(plain.Header.Get("Location"), "#words-"+second) {
		t.Errorf("without scripts: %d to %s", plain.Status, plain.Header.Get("Location"))
	}
}

// TestWordsOfTwoPeople: another person's words are shown next to the typed ones.
func TestWordsOfTwoPeople(t *testing.T) {
	c, stored := described(t)
	seen := stored
	seen.AltText = value.Text("before")
	form := url.Values{"base": {version.ValuesOf(seen).DigestOf(wordKeys...)}, "alt_text": {"mine <b>"}}
	c.Answer("GET "+operation+"/history", 200, adminapi.EventHistory{Entries: []adminapi.HistoryEntry{
		{ActorName: "Bo Kruse", After: []byte(`{"images":[{"uuid":"another"}]}`)},
		{ActorName: "Edda Ebert", After: []byte(`{"images":[{"uuid":"` + second + `"}]}`)},
	}})
	has(t, "the conflict", c.Post(path+"/pictures/"+second+"/words", form, pagetest.Script...), 200,
		"Edda Ebert changed this on ", "Which version do you want to keep?", "A band", "mine &lt;b&gt;", "What does the image show?")
	plain := c.Post(path+"/pictures/"+second+"/words", form)
	has(t, "without scripts", plain, 422, "A band", "mine &lt;b&gt;", `<section id="pictures"`)
	if len(c.Calls("POST "+operation+"/image/3")) > 0 {
		t.Error("it is stored")
	}
}

func TestFocusIsSaved(t *testing.T) {
	for _, test := range []struct{ x, y, wantX, wantY string }{
		{"40", "0", "0.4", "0"}, {"33,5 %", "100", "0.335", "1"}, {"", "", "", ""}, {"10", "", "0.1", "0.5"}, {"", "7", "0.5", "0.07"},
	} {
		c, stored := described(t)
		c.Answer("POST "+operation+"/image/3", 200, adminapi.WrittenImage{ImageMeta: stored})
		form := url.Values{"base": {version.ValuesOf(stored).DigestOf(focusKeys...)}, "focus_x": {test.x}, "focus_y": {test.y}}
		has(t, test.x, c.Post(path+"/pictures/"+second+"/focus", form, pagetest.Script...), 200, "data-saved")
		calls := c.Calls("POST " + operation + "/image/3")
		if len(calls) != 1 {
			t.Fatalf("%+v: %d calls", test, len(calls))
		}
		if got := sent(t, calls[0]); got["focus_x"] != test.wantX || got["focus_y"] != test.wantY || len(got) != 2 {
			t.Errorf("%+v: the service gets %v", test, got)
		}
	}
}

// TestBadFields: what is wrong stays as it was typed, and is not sent.
func TestBadFields(t *testing.T) {
	c, stored := described(t)
	base := version.ValuesOf(stored).DigestOf(focusKeys...)
	for _, typed := range []string{"101", "-1", "NaN", "left", "1e999"} {
		form := url.Values{"base": {base}, "focus_x": {typed}, "focus_y": {"5"}}
		has(t, typed, c.Post(path+"/pictures/"+second+"/focus", form), 422, "Enter a number from 0 to 100.", `value="`+typed+`"`)
	}
	long := strings.Repeat("ä", 2001)
	form := url.Values{"base": {version.ValuesOf(stored).DigestOf(wordKeys...)}, "alt_text": {long}}
	has(t, "a long text", c.Post(path+"/pictures/"+second+"/words", form), 422, "the limit is 2,000", long)
	if len(c.Calls("POST "+operation+"/image/3")) > 0 {
		t.Error("it is sent")
	}
}

// TestWordsOfADraftThatBecamePublic: what was typed in a draft is published by a button only.
func TestWordsOfADraftThatBecamePublic(t *testing.T) {
	c, stored := described(t)
	event := adminapi.Event{Images: []adminapi.Image{image(first, "main", "x"), image(second, "gallery_2", "A band")}}
	event.UUID, event.OrgUUID, event.ReleaseStatus = eventUUID, pagetest.Org, adminapi.StatusReleased
	c.Answer("GET "+operation, 200, event)
	c.Answer("POST "+operation+"/image/3", 200, adminapi.WrittenImage{ImageMeta: stored})
	form := url.Values{"base": {version.ValuesOf(stored).DigestOf(wordKeys...)}, "alt_text": {"Half a sen"}}
	got := c.Post(path+"/pictures/"+second+"/words", form, pagetest.Script...)
	if got.Header.Get("HX-Refresh") != "true" || len(c.Writes()) > 0 {
		t.Errorf("by script: %d, %d writes", got.Status, len(c.Writes()))
	}
	has(t, "without scripts", c.Post(path+"/pictures/"+second+"/words", form), 422, "Half a sen", "has to be published", `name="public" value="1"`)
	if len(c.Writes()) > 0 {
		t.Error("something is published")
	}
	form.Set("public", "1")
	if c.Post(path+"/pictures/"+second+"/words", form); len(c.Writes()) != 1 {
		t.Errorf("by its button: %d writes", len(c.Writes()))
	}
}
