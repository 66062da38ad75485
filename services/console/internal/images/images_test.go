package images_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/images"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/view"
)

const (
	eventUUID = "0192f0a0-0000-7000-8000-000000000010"
	first     = "0192f0a0-0000-7000-8000-000000000011"
	second    = "0192f0a0-0000-7000-8000-000000000012"
	path      = "/console/event/" + eventUUID
	operation = "/api/admin/event/" + eventUUID
)

// whole stands for the page of the event.
func whole(r *page.Request, event, section string, drawn templ.Component) error {
	if event != eventUUID || section != "pictures" {
		return r.ShowPart()
	}
	return r.Show(view.Page{Title: "Jazz", Content: drawn})
}

func mount(r page.Router) {
	images.Mount(r, whole)
	r.Get("/event/:event", func(r *page.Request) error {
		event, tag, err := r.Event()
		if err != nil {
			return err
		}
		drawn, err := images.Section(r, event, tag, r.Permissions(event.OrgUUID))
		if err != nil {
			return err
		}
		return whole(r, eventUUID, "pictures", drawn)
	})
}

func share(of float64) *float64 { return &of }

// start runs the pages over an event with images in some places.
func start(t *testing.T, images ...adminapi.Image) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, mount)
	event := adminapi.Event{Images: images}
	event.UUID, event.OrgUUID, event.ReleaseStatus = eventUUID, pagetest.Org, adminapi.StatusDraft
	c.Answer("GET "+operation, 200, event)
	c.Answer("GET /api/choosable-licenses", 200, []map[string]string{{"id": "cc-by", "name": "CC BY, attribution"}})
	return c
}

func image(uuid, identifier, alt string) adminapi.Image {
	return adminapi.Image{
		UUID: uuid, Identifier: identifier, MimeType: "image/jpeg", Width: 900, Height: 600, AltText: value.Text(alt),
		FocusX: share(0.25), FocusY: share(0.5),
	}
}

// upload sends a file as a browser does.
func upload(t *testing.T, c *pagetest.Console, address, name, kind string, content []byte, headers ...string) pagetest.Answer {
	t.Helper()
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", multipart.FileContentDisposition("picture", name))
	header.Set("Content-Type", kind)
	part, err := writer.CreatePart(header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, &body)
	request.Header.Set("Content-Type", writer.FormDataContentType())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(request, headers...)
}

// sent returns the parts of a form that the service got: files as "file:<name>:<type>:<bytes>".
func sent(t *testing.T, call pagetest.Call) map[string]string {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(call.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts, fields := multipart.NewReader(bytes.NewReader(call.Body), parameters["boundary"]), map[string]string{}
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF { //nolint:errorlint // never wrapped
			return fields
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		if part.FileName() != "" {
			text = "file:" + part.FileName() + ":" + part.Header.Get("Content-Type") + ":" + text
		}
		fields[part.FormName()] = text
	}
}

func has(t *testing.T, what string, a pagetest.Answer, status int, texts ...string) {
	t.Helper()
	if a.Status != status {
		t.Errorf("%s: %d, want %d: %.400s", what, a.Status, status, a.Body)
	}
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			t.Errorf("%s lacks %q in %s", what, text, a.Body)
		}
	}
}

func lacks(t *testing.T, what string, a pagetest.Answer, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body, text) {
			t.Errorf("%s has %q", what, text)
		}
	}
}

const jpeg = "\xff\xd8\xff\xe0 picture"

func TestSection(t *testing.T) {
	c := start(t, image(first, "main", ""), image(second, "gallery_4", `"><script>alert(1)</script>`))
	got := c.Get(path)
	has(t, "the section", got, 200,
		"Main image", "Image 2", "Please describe in a sentence", "&#34;&gt;&lt;script&gt;",
		path+"/pictures/1/file?ratio=3%3A2&amp;v="+first+"-25-50&amp;width=480", path+"/pictures/5/file?",
		`value="front"`, `value="later"`, "You can add 6 more", `name="focus_x"`, "CC BY, attribution", `data-crop="16:9"`,
		path+"/pictures/"+first+"/delete", `value="25"`)
	lacks(t, "the section", got, "<script>alert", " style=", `value="earlier"`)
	if n := strings.Count(got.Body, "crop-phone"); n != 1 {
		t.Errorf("%d pictures are shown as in lists on phones, want the main one alone", n)
	}
}

// TestViewersSeeAndChangeNothing: forms are shown only to people with the permission for them, and
// the service refuses a form that is sent without it.
func TestViewersSeeAndChangeNothing(t *testing.T) {
	c := start(t, image(first, "main", "Three musicians"), image(second, "gallery_1", "x"))
	c.Member(permission.ViewEventInsights)
	got := c.Get(path)
	has(t, "the section", got, 200, "Three musicians", "disabled")
	lacks(t, "the section", got, `type="file"`, `name="to"`, "/delete", "hx-post", "data-stage", `data-upload`)
	no := adminapi.Error{Error: "you may not edit events", Code: "forbidden"}
	c.Refuse("POST "+operation+"/image/3", 403, no)
	c.Refuse("PUT "+operation+"/images/order", 403, no)
	c.Refuse("DELETE "+operation+"/image", 403, no)
	has(t, "an upload", upload(t, c, path+"/pictures", "a.jpg", "image/jpeg", []byte(jpeg)), 403, "You may not do this")
	has(t, "a move", c.Post(path+"/pictures/"+second+"/move", url.Values{"to": {"front"}}), 403)
	has(t, "a deletion", c.Post(path+"/pictures/"+second+"/delete", nil), 403)
}

// TestUpload: neither the name nor the type that a browser sends reaches the service.
func TestUpload(t *testing.T) {
	for _, name := range []string{"a.jpg", "../../etc/passwd", "a\r\nX-Evil: 1\r\n\r\n.jpg", `"; filename="x.html`, strings.Repeat("W", 2000)} {
		c := start(t, image(first, "main", "x"), image(second, "gallery_2", "x"))
		c.Answer("POST "+operation+"/image/2", 201, adminapi.WrittenImage{})
		got := upload(t, c, path+"/pictures", name, "text/html", []byte(jpeg))
		if want := path + "?notice=saved#pictures"; got.Status != 303 || got.Header.Get("Location") != want {
			t.Errorf("%q: %d to %s", name, got.Status, got.Header.Get("Location"))
		}
		calls := c.Calls("POST " + operation + "/image/2")
		if len(calls) != 1 || calls[0].Header.Get("If-Match") != `"1"` {
			t.Fatalf("%q: %d calls", name, len(calls))
		}
		if got := sent(t, calls[0]); len(got) != 1 || got["image"] != "file:image:application/octet-stream:"+jpeg {
			t.Errorf("%q: the service gets %q", name, got)
		}
	}
}

// TestUploadByScript: the answer is only the section.
func TestUploadByScript(t *testing.T) {
	c := start(t)
	c.Answer("POST "+operation+"/image/1", 201, adminapi.WrittenImage{})
	got := upload(t, c, path+"/pictures", "a.jpg", "image/jpeg", []byte(jpeg), pagetest.Script...)
	has(t, "the answer", got, 200, `<section id="pictures"`)
	lacks(t, "the answer", got, "<html")
}

// TestAFullPlaceIsNotOverwritten: a file that another person has stored in between keeps its place.
func TestAFullPlaceIsNotOverwritten(t *testing.T) {
	c := start(t)
	c.AnswerWith("POST "+operation+"/image/1", func(pagetest.Call) (int, any) {
		event := adminapi.Event{Images: []adminapi.Image{image(first, "main", "")}}
		event.UUID, event.OrgUUID = eventUUID, pagetest.Org
		c.Answer("GET "+operation, 200, event)
		return 412, adminapi.Error{Error: "changed", Code: "stale_event"}
	})
	c.Answer("POST "+operation+"/image/2", 201, adminapi.WrittenImage{})
	has(t, "the upload", upload(t, c, path+"/pictures", "a.jpg", "", []byte(jpeg)), 303)
	if n := len(c.Calls("POST " + operation + "/image/2")); n != 1 {
		t.Errorf("%d files in the next place", n)
	}
}

func TestRefusedFiles(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
	for name, test := range map[string]struct {
		content string
		status  int
		refusal adminapi.Error
		want    string
	}{
		"a script that says it is a picture": {svg, 400, adminapi.Error{Error: "no image", Code: "image_invalid"}, "This file is not an image that can be read"},
		"a page named .png":                  {"<html><script>", 400, adminapi.Error{Error: "no image", Code: "image_invalid"}, "This file is not an image that can be read"},
		"a damaged one":                      {jpeg, 400, adminapi.Error{Error: "no image", Code: "image_invalid"}, "This image is damaged"},
		"a huge one":                         {jpeg, 413, adminapi.Error{Error: "the image has 60000 × 60000 pixels", Code: "image_too_many_pixels"}, "too many pixels"},
		"a huge progressive one":             {jpeg, 413, adminapi.Error{Error: "progressive", Code: "image_progressive"}, "without the option “progressive”"},
		"an animated one":                    {jpeg, 400, adminapi.Error{Error: "animated", Code: "image_animated"}, "Animated WebP"},
		"one of an iPhone":                   {"\x00\x00\x00\x18ftypheic", 400, adminapi.Error{Error: "heic", Code: "image_heic"}, "Most Compatible"},
		"no place for pictures":              {jpeg, 503, adminapi.Error{Error: "no store", Code: "no_blob_store"}, "cannot be stored here"},
		"too large":                          {jpeg + strings.Repeat("x", 5<<20), 0, adminapi.Error{}, "larger than 5 MB"},
		"nothing":                            {"", 0, adminapi.Error{}, "This file is empty"},
	} {
		c := start(t, image(first, "main", "Three musicians"))
		if test.status != 0 {
			c.Refuse("POST "+operation+"/image/2", test.status, test.refusal)
		}
		got := upload(t, c, path+"/pictures", "a.png", "image/png", []byte(test.content))
		has(t, name, got, 422, test.want, `role="alert"`, "Three musicians", "<html")
		script := upload(t, c, path+"/pictures", "a.png", "image/png", []byte(test.content), pagetest.Script...)
		has(t, name+", by script", script, 422, test.want, `data-reason="`+test.refusal.Code)
		lacks(t, name+", by script", script, "<section")
		if test.status == 0 && len(c.Calls("POST "+operation+"/image/2")) > 0 {
			t.Errorf("%s: it is sent", name)
		}
	}
	has(t, "none", upload(t, start(t), path+"/pictures", "", "image/png", nil), 422, "Choose a file first", `role="alert"`)
}

// TestARefusalSaysItsLanguage: on a German page a known refusal is German, and a refusal that
// exists only in English is marked as English.
func TestARefusalSaysItsLanguage(t *testing.T) {
	c := start(t)
	c.Get(path + "?lang=de")
	for refusal, want := range map[[2]string]string{
		{"event_taken_back", "no"}: "<span>Die Plattform hat diese Veranstaltung zurückgezogen.",
		{"odd", "quite odd"}:       `<span lang="en">quite odd</span>`,
	} {
		c.Refuse("POST "+operation+"/image/1", 400, adminapi.Error{Code: refusal[0], Error: refusal[1]})
		got := upload(t, c, path+"/pictures", "a.png", "image/png", []byte(jpeg))
		has(t, refusal[0], got, 422, want)
		lacks(t, refusal[0], got, "\u2063")
	}
}

func TestNinthPicture(t *testing.T) {
	images := []adminapi.Image{image(first, "main", "x")}
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		images = append(images, image("0192f0a0-0000-7000-8000-00000000002"+n, "gallery_"+n, "x"))
	}
	c := start(t, images...)
	got := c.Get(path)
	has(t, "the section", got, 200, "All 8 places are taken")
	lacks(t, "the section", got, `id="pictures-form"`)
	has(t, "a ninth one", upload(t, c, path+"/pictures", "a.jpg", "", []byte(jpeg)), 422)
}

func TestReplace(t *testing.T) {
	c := start(t, image(first, "main", "x"), image(second, "gallery_3", "x"))
	c.Answer("POST "+operation+"/image/4", 200, adminapi.WrittenImage{})
	has(t, "it", upload(t, c, path+"/pictures/"+second+"/replace", "a.jpg", "", []byte(jpeg)), 303)
	if n := len(c.Calls("POST " + operation + "/image/4")); n != 1 {
		t.Errorf("%d files in its place", n)
	}
	gone := "0192f0a0-0000-7000-8000-0000000000ff"
	for _, address := range []string{gone + "/replace", gone + "/move", gone + "/delete", gone + "/words", gone + "/focus"} {
		has(t, address, c.Post(path+"/pictures/"+address, url.Values{"to": {"front"}, "picture": {"x"}}), map[bool]int{true: 422, false: 404}[strings.HasSuffix(address, "replace")])
	}
}

func TestMove(t *testing.T) {
	third := "0192f0a0-0000-7000-8000-000000000013"
	for _, test := range []struct{ picture, to, want string }{
		{third, "front", third + first + second}, {third, "earlier", first + third + second},
		{first, "later", second + first + third}, {third, "later", first + second + third}, {first, "earlier", first + second + third},
	} {
		c := start(t, image(first, "main", "x"), image(second, "gallery_1", "x"), image(third, "gallery_2", "x"))
		var order adminapi.ImageOrder
		c.Answer("PUT "+operation+"/images/order", 200, adminapi.WrittenImageOrder{})
		has(t, test.to, c.Post(path+"/pictures/"+test.picture+"/move", url.Values{"to": {test.to}}), 303)
		calls := c.Calls("PUT " + operation + "/images/order")
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		decode(t, calls[0].Body, &order)
		if got := strings.Join(order.Images, ""); got != test.want {
			t.Errorf("%s %s: %s", test.picture, test.to, got)
		}
		has(t, "by script", c.Post(path+"/pictures/"+test.picture+"/move", url.Values{"to": {test.to}}, pagetest.Script...), 200, `<section id="pictures"`)
	}
	c := start(t, image(first, "main", "x"))
	has(t, "elsewhere", c.Post(path+"/pictures/"+first+"/move", url.Values{"to": {"away"}}), 400)
}

func TestDelete(t *testing.T) {
	c := start(t, image(first, "main", "x"), image(second, "gallery_3", `Two <b>dogs</b>`))
	c.Answer("DELETE "+operation+"/image", 200, adminapi.DeletedImages{})
	asked := c.Get(path + "/pictures/" + second + "/delete")
	has(t, "the question", asked, 200, "Delete this image?", "cannot be undone", "Two &lt;b&gt;dogs")
	if len(c.Calls("DELETE "+operation+"/image")) > 0 {
		t.Error("the question deletes")
	}
	got := c.Post(path+"/pictures/"+second+"/delete", nil)
	if want := path + "?notice=picture_deleted#pictures"; got.Status != 303 || got.Header.Get("Location") != want {
		t.Errorf("%d to %s", got.Status, got.Header.Get("Location"))
	}
	calls := c.Calls("DELETE " + operation + "/image")
	if len(calls) != 1 || calls[0].Query.Get("index") != "4" || calls[0].Header.Get("If-Match") != `"1"` {
		t.Errorf("%+v", calls)
	}
}

func TestFile(t *testing.T) {
	c := start(t, image(first, "main", "x"))
	c.AnswerWith("GET "+operation+"/image/1", func(call pagetest.Call) (int, any) {
		if call.Header.Get("If-None-Match") == `"1"` {
			return 304, pagetest.File{Type: "image/jpeg"}
		}
		return 200, pagetest.File{Type: "image/jpeg", Content: []byte(jpeg)}
	})
	got := c.Get(path + "/pictures/1/file?width=480&ratio=3:2&v=x&quality=1&fit=evil")
	has(t, "the picture", got, 200, jpeg)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "private, no-cache", "ETag": `"1"`, "X-Content-Type-Options": "nosniff",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	call := c.Calls("GET " + operation + "/image/1")[0]
	if names := slices.Sorted(keys(call.Query)); !slices.Equal(names, []string{"lang", "ratio", "width"}) || call.Header.Get("Authorization") != "Bearer access" {
		t.Errorf("asked with %v as %q", names, call.Header.Get("Authorization"))
	}
	if got := c.Get(path+"/pictures/1/file", "If-None-Match", `"1"`); got.Status != 304 || got.Body != "" {
		t.Errorf("what is known: %d %q", got.Status, got.Body)
	}
	c.Answer("GET "+operation+"/image/2", 200, pagetest.File{Type: "text/html", Content: []byte("<script>alert(1)</script>")})
	page := c.Get(path + "/pictures/2/file")
	has(t, "a page", page, 503)
	lacks(t, "a page", page, "<script>alert")
	for _, address := range []string{"/pictures/0/file", "/pictures/9/file", "/pictures/x/file", "/pictures/..%2fmeta/file", "/pictures/3/file"} {
		has(t, address, c.Get(path+address), 404)
	}
	has(t, "another event's", c.Get("/console/event/0192f0a0-0000-7000-8000-0000000000fe/pictures/1/file"), 404)
	c.Forget()
	has(t, "without a login", c.Get(path+"/pictures/1/file"), 303)
}

// TestFormsLeadBack: the page that explains why a file was not read at all asks for the address of
// its form.
func TestFormsLeadBack(t *testing.T) {
	c := start(t, image(first, "main", "Three musicians"))
	for _, form := range []string{"/pictures", "/pictures/" + first + "/replace"} {
		if got := c.Get(path + form); got.Header.Get("Location") != path+"#pictures" {
			t.Errorf("%s: %d leads to %q", form, got.Status, got.Header.Get("Location"))
		}
	}
}
