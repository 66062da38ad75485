package series

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/version"
)

const (
	poster   = "0192f0a0-0000-7000-8000-0000000000f7"
	pictured = root + "/" + fest + "/pictures"
	image    = "/api/admin/series/" + fest + "/image"
)

// withPicture gives the series a picture with an alternative text.
func withPicture(c *pagetest.Console, alt string) {
	one := adminapi.Series{UUID: fest, OrgUUID: pagetest.Org, Slug: "fest", Title: "Fest", Parts: []adminapi.SeriesPart{}, Image: &adminapi.Image{
		UUID: poster, Identifier: "main", MimeType: "image/jpeg", Width: 1600, Height: 900, CreatorName: "Ada <b>",
	}}
	one.Image.AltText = value.Text(alt)
	c.Answer(own, 200, one)
}

func send(t *testing.T, c *pagetest.Console, address string, headers ...string) pagetest.Answer {
	t.Helper()
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	part, err := writer.CreateFormFile("picture", "a.jpg")
	if err == nil {
		_, err = part.Write([]byte("\xff\xd8\xff\xe0 picture"))
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, &body)
	request.Header.Set("Content-Type", writer.FormDataContentType())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(request, headers...)
}

// TestPictureIsShown: with the forms of images of events, for one image only; the page of the
// series leads there, and reminds of what is missing.
func TestPictureIsShown(t *testing.T) {
	c := start(t)
	wants(t, c.Get(root+"/"+fest).Body, "No picture yet", `href="`+pictured+`"`)
	none := c.Get(pictured).Body
	wants(t, none, `action="`+pictured+`"`, `data-upload="1"`)
	if strings.Contains(none, "You can add") {
		t.Errorf("a series has one picture: %s", none)
	}
	withPicture(c, "")
	wants(t, c.Get(root+"/"+fest).Body, "Please describe in a sentence", pictured+`/1/file?ratio=16%3A9&amp;v=`+poster+`--&amp;width=480" alt="" width="480" height="270"`)
	one := c.Get(pictured).Body
	wants(t, one, "Please describe in a sentence", "Ada &lt;b&gt;", `name="focus_x"`, `name="ai_generated"`, pictured+"/"+poster+"/replace", pictured+"/"+poster+"/delete")
	for _, absent := range []string{`name="to"`, `id="pictures-form"`} {
		if strings.Contains(one, absent) {
			t.Errorf("%s in %s", absent, one)
		}
	}
	withPicture(c, "Schiffe")
	if page := c.Get(root + "/" + fest).Body; strings.Contains(page, "picture-alt") || !strings.Contains(page, `alt="Schiffe"`) {
		t.Errorf("a described picture: %s", page)
	}
	c.Member(permission.All &^ permission.EditOrganization)
	if got := c.Get(pictured); got.Status != http.StatusForbidden {
		t.Errorf("without the right: %d", got.Status)
	}
}

// TestPictureIsUploaded, replaced and deleted, each with the version that was shown.
func TestPictureIsUploaded(t *testing.T) {
	c := start(t)
	c.Answer("POST "+image, 201, adminapi.WrittenImage{})
	if got := send(t, c, pictured); got.Status != http.StatusSeeOther || got.Header.Get("Location") != pictured+"?notice=saved#pictures" {
		t.Fatalf("%d to %s %s", got.Status, got.Header.Get("Location"), got.Body)
	}
	if got := send(t, c, pictured, pagetest.Script...); got.Status != http.StatusOK || !strings.Contains(got.Body, `<section id="pictures"`) || strings.Contains(got.Body, "<html") {
		t.Errorf("by script: %d %s", got.Status, got.Body)
	}
	c.Refuse("POST "+image, http.StatusBadRequest, adminapi.Error{Code: "image_animated", Error: "x"})
	if got := send(t, c, pictured); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `data-reason="image_animated"`) || !strings.Contains(got.Body, "<html") {
		t.Errorf("refused: %d %s", got.Status, got.Body)
	}
	withPicture(c, "")
	c.Answer("POST "+image, 200, adminapi.WrittenImage{})
	if got := send(t, c, pictured+"/"+poster+"/replace"); got.Status != http.StatusSeeOther {
		t.Errorf("replaced: %d %s", got.Status, got.Body)
	}
	for _, call := range c.Calls("POST " + image) {
		if call.Header.Get("If-Match") != `"1"` {
			t.Errorf("If-Match %s", call.Header.Get("If-Match"))
		}
	}
	wants(t, c.Get(pictured+"/"+poster+"/delete").Body, `action="`+pictured+"/"+poster+`/delete"`)
	c.Answer("DELETE "+image, 200, adminapi.Deleted{})
	if got := c.Post(pictured+"/"+poster+"/delete", nil); got.Status != http.StatusSeeOther || len(c.Calls("DELETE "+image)) != 1 {
		t.Errorf("deleted: %d %s", got.Status, got.Body)
	}
}

// TestPictureIsDescribed: the words are stored on their own.
func TestPictureIsDescribed(t *testing.T) {
	c := start(t)
	withPicture(c, "")
	c.Answer("GET "+image+"/meta", 200, adminapi.ImageMeta{UUID: poster, Identifier: "main"})
	c.Answer("POST "+image, 200, adminapi.WrittenImage{})
	base := version.ValuesOf(adminapi.ImageMeta{}).DigestOf("alt_text", "description", "license", "creator_name", "copyright", "ai_generated")
	got := c.Post(pictured+"/"+poster+"/words", url.Values{"base": {base}, "alt_text": {"Schiffe am Kai"}, "license": {"cc-by"}})
	calls := c.Calls("POST " + image)
	if got.Status != http.StatusSeeOther || len(calls) != 1 || !bytes.Contains(calls[0].Body, []byte("Schiffe am Kai")) {
		t.Errorf("%d %s, %d calls", got.Status, got.Body, len(calls))
	}
}
