package api_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"
)

// pngOf returns the beginning of a PNG file that claims a size.
func pngOf(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	chunk = append(chunk, 8, 6, 0, 0, 0) // 8 bits of red, green, blue and alpha
	file := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(file, chunk...), crc32.ChecksumIEEE(chunk))
}

func TestHostilePictures(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	before := s.digest(t)
	upload := func(name string, file []byte) answer {
		body, kind := form(t, "avatar", name, file)
		return s.send(t, http.MethodPost, admin+"/user/avatar", body, "Authorization", "Bearer "+s.people["owner"].access, "Content-Type", kind)
	}
	for name, file := range map[string][]byte{
		"empty.png": {}, "page.png": []byte("<html><script>alert(1)</script>"), "drawing.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`),
		"archive.png": []byte("PK\x03\x04"), "program.jpg": []byte("\x7fELF"), "page.gif": []byte("GIF89a/*<script>*/=1"), "script.png": []byte("\x89PNG\r\n\x1a\n<?php"),
		"bomb.png": pngOf(100_000, 100_000), "none.png": pngOf(0, 0), "wide.png": pngOf(1<<31-1, 1), "cut.png": avatarFile(t)[:60],
		"bomb.gif": append([]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), make([]byte, 100)...),
		"bomb.jpg": append([]byte("\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03"), make([]byte, 100)...),
		"many.jpg": bytes.Repeat([]byte("\xff\xd8\xff\xe0\x00\x02"), 100_000), "../../../etc/passwd": []byte("root"), "large.png": append(avatarFile(t), make([]byte, 5<<20)...),
	} {
		a := upload(name, file)
		if a.status != http.StatusBadRequest && a.status != http.StatusRequestEntityTooLarge || a.fields() != "avatar" {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	for name, test := range map[string]struct{ kind, body string }{
		"no boundary": {"multipart/form-data", "--x"}, "no end": {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"x\"\r\n\r\nabc"},
		"no file":         {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"avatar\"\r\n\r\nabc\r\n--x--\r\n"},
		"nothing":         {"multipart/form-data; boundary=x", ""},
		"many parts":      {"multipart/form-data; boundary=x", strings.Repeat("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n", 80_000) + "--x--\r\n"},
		"many headers":    {"multipart/form-data; boundary=x", "--x\r\n" + strings.Repeat("A: b\r\n", 500_000) + "\r\n\r\n--x--\r\n"},
		"one long header": {"multipart/form-data; boundary=x", "--x\r\nA: " + strings.Repeat("b", 3<<20) + "\r\n\r\n\r\n--x--\r\n"},
	} {
		a := s.send(t, http.MethodPost, admin+"/user/avatar", strings.NewReader(test.body),
			"Authorization", "Bearer "+s.people["owner"].access, "Content-Type", test.kind)
		a.want(t, name, http.StatusBadRequest, "invalid_body")
		if a.fields() != "avatar" {
			t.Errorf("%s: bad fields %q", name, a.fields())
		}
	}
	if after := s.digest(t); after != before {
		t.Errorf("something was stored: before\n%s\nafter\n%s", before, after)
	}
}

// An image that is also a page is stored as an image, without the page.
func TestPolyglotPicture(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const page = "<script>alert(1)</script>"
	body, kind := form(t, "avatar", "page.html", append(avatarFile(t), page...))
	s.send(t, http.MethodPost, admin+"/user/avatar", body, "Authorization", "Bearer "+s.people["owner"].access, "Content-Type", kind).
		want(t, "upload", ok, "")
	a := s.send(t, http.MethodGet, fmt.Sprintf("/api/user/%d/avatar/512", s.people["owner"].id), nil)
	if a.status != ok || bytes.Contains(a.raw, []byte("script")) || !strings.HasPrefix(a.header.Get("Content-Type"), "image/") ||
		a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("shown: %d %v", a.status, a.header)
	}
}

// TestTextStaysText: HTML, SQL and templates in text are stored unchanged, and answered as JSON
// that no browser renders as a page. Only names refuse invisible characters.
func TestTextStaysText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	texts := []string{
		`<script>alert(document.cookie)</script>`, `"><img src=x onerror=alert(1)>`, `'; DROP TABLE app_user; --`, `{{.Secret}} ${7*7} <%= 1 %>`,
		`&lt;b&gt; &amp; &`, `\u003cscript\u003e`, "Crème brûlée 🎷 Ødegård \u202eright to left", `javascript:alert(1)`, "a\u2028b",
	}
	for _, text := range texts {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct{ method, path, body, list, field string }{
			{"PUT", "/user/profile", `{"display_name": %s}`, "/user/profile", "display_name"},
			{"PUT", "/user/todo", `{"title": %s, "description": "x"}`, "/user/todos", "title"},
			{"POST", "/user/send-message", `{"context": "organization", "context_id": "` + s.org + `", "subject": %s, "message": "x"}`, "/user/messages", "subject"},
			{"PUT", "/organization/" + s.org, `{"name": %s}`, "/organization/" + s.org, "name"},
			{"POST", "/user/api-keys", `{"name": %s, "role": "viewer"}`, "/user/api-keys", "name"},
		} {
			a := s.as(t, "owner", test.method, test.path, fmt.Sprintf(test.body, quoted))
			if strings.Contains(text, "\u202e") && strings.HasSuffix(test.field, "name") {
				a.want(t, test.path, http.StatusBadRequest, "")
				continue
			}
			if a.status != ok && a.status != http.StatusCreated {
				t.Errorf("%s %s %s: %d %s", test.method, test.path, text, a.status, a.raw)
				continue
			}
			a = s.as(t, "owner", http.MethodGet, test.list, "")
			if !holds(t, a.raw, test.field, text) {
				t.Errorf("%s: %s is not in %.500s", test.list, quoted, a.raw)
			}
			if a.header.Get("Content-Type") != "application/json" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: headers %v", test.list, a.header)
			}
		}
	}
}

// holds reports whether a key anywhere in a JSON document has a value.
func holds(t *testing.T, document []byte, key, value string) bool {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	for before := json.Token(nil); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		if before == key && token == value {
			return true
		}
		before = token
	}
}
