package importing_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"litfass/services/console/internal/page/pagetest"
)

// upload sends a form with a file as a browser does; no name sends a field without a chosen file.
func upload(t *testing.T, c *pagetest.Console, name string, file []byte, fields url.Values) pagetest.Answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for key, values := range fields {
		for _, value := range values {
			if err := form.WriteField(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, &body)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(request)
}

// wantSent fails unless the last file that was sent is this one, for a preview or to be imported.
func wantSent(t *testing.T, c *pagetest.Console, file []byte, dryRun bool) {
	t.Helper()
	body := sent(t, c)
	if got := *body.DryRun; body.ContentBase64 != base64.StdEncoding.EncodeToString(file) || got != dryRun || body.Address != "" {
		t.Errorf("a file of %d bytes was sent, as a preview: %t, address %q", len(body.ContentBase64)*3/4, got, body.Address)
	}
}

func TestAnUploadedFileIsCarriedOn(t *testing.T) {
	c := start(t)
	file := []byte("Titel;Text\nJazz;\n")
	got := upload(t, c, `../"><script>alert(1)</script>.csv`, file, url.Values{"source": {"my source"}, "address": {"https://example.org/a.ics"}})
	wantSent(t, c, file, true)
	if got.Status != http.StatusOK || strings.Contains(got.Body, "<script>alert") || !strings.Contains(got.Body, "&lt;script&gt;") {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	fields := hiddenFields(got.Body)
	if fields.Get("content") == "" || fields.Get("source") != "my source" || strings.Contains(fields.Get("name"), "/") {
		t.Errorf("the next step gets %v", fields)
	}
	fields.Set("field.0", "title")
	fields.Set("action", "import")
	upload(t, c, "", nil, fields)
	wantSent(t, c, file, false)
}

// TestAnotherFileIsLookedAtFirst: a file that is chosen while the form carries another one replaces
// it, and is not imported without a preview.
func TestAnotherFileIsLookedAtFirst(t *testing.T) {
	c := start(t)
	_, fields := preview(t, c)
	fields.Set("action", "import")
	other := []byte("Titel\nTango\n")
	got := upload(t, c, "other.csv", other, fields)
	wantSent(t, c, other, true)
	if !strings.Contains(got.Body, `id="import-changed"`) || !strings.Contains(got.Body, "other.csv") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestALargeFileIsChosenAgain: one that a form cannot carry is asked for once more before it is
// imported.
func TestALargeFileIsChosenAgain(t *testing.T) {
	c := start(t)
	large := make([]byte, 4<<20) // noise is not compressed, and a field takes a third more
	for i := range large {
		large[i] = byte(rand.Uint32())
	}
	got := upload(t, c, "large.csv", large, nil)
	wantSent(t, c, large, true)
	fields := hiddenFields(got.Body)
	if fields.Has("content") || fields.Get("again") != "1" || !strings.Contains(got.Body, "large.csv") || !strings.Contains(got.Body, `type="file"`) {
		t.Fatalf("%d, the next step gets %v", got.Status, fields)
	}
	fields.Set("field.0", "title")
	fields.Set("action", "import")
	got = upload(t, c, "", nil, fields)
	if len(c.Calls(operation)) != 1 || got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `aria-invalid="true"`) {
		t.Errorf("without the file: %d", got.Status)
	}
	upload(t, c, "other.csv", []byte("Titel\n"), fields)
	wantSent(t, c, []byte("Titel\n"), true)
	upload(t, c, "large.csv", large, fields)
	wantSent(t, c, large, false)
}

func TestRefusedUploads(t *testing.T) {
	c := start(t)
	for name, test := range map[string]struct {
		file []byte
		want string
	}{
		"empty": {nil, "empty"}, "too large": {make([]byte, 5<<20+1), "5 MB"},
	} {
		got := upload(t, c, "a.csv", test.file, url.Values{"source": {"my source"}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, test.want) || !strings.Contains(got.Body, `value="my source"`) {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	if calls := c.Calls(operation); len(calls) > 0 {
		t.Errorf("%d of them were sent", len(calls))
	}
}
