package icon

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"litfass/services/site/internal/sitetest"
)

// TestIcons: each icon is what its type says, in its size, and shows the sign.
func TestIcons(t *testing.T) {
	app := sitetest.Over(t, &sitetest.EntityAPI{}, sitetest.Sunday, Mount)
	fetch := func(path, kind string) string {
		status, header, body := sitetest.Ask(t, app, http.MethodGet, path, "")
		if status != http.StatusOK || header.Get("Content-Type") != kind || !strings.Contains(header.Get("Cache-Control"), "max-age=86400") {
			t.Errorf("%s: %d %v", path, status, header)
		}
		return body
	}
	wantSign := func(path, content string, size int) {
		picture, err := png.Decode(strings.NewReader(content))
		if err != nil || picture.Bounds().Dx() != size || picture.Bounds().Dy() != size {
			t.Fatalf("%s: %v", path, err)
		}
		if r, g, b, _ := picture.At(size*16/field, size*18/field).RGBA(); r>>8 != 0xb3 || g>>8 != 0x26 || b>>8 != 0x1e {
			t.Errorf("%s: the poster is %x %x %x", path, r, g, b)
		}
	}
	wantSign("/apple-touch-icon.png", fetch("/apple-touch-icon.png", "image/png"), sizeOfTouch)

	ico := fetch("/favicon.ico", "image/x-icon")
	offset, length := binary.LittleEndian.Uint32([]byte(ico[18:22])), binary.LittleEndian.Uint32([]byte(ico[14:18]))
	if !strings.HasPrefix(ico, "\x00\x00\x01\x00\x01\x00\x20\x20") || int(offset+length) != len(ico) {
		t.Fatalf("the header of the icon is %x", ico[:22])
	}
	wantSign("/favicon.ico", ico[offset:], sizeOfTab)

	if err := xml.NewDecoder(strings.NewReader(fetch("/icon.svg", "image/svg+xml"))).Decode(&struct{}{}); err != nil {
		t.Error(err)
	}
	var described struct {
		Name  string
		Icons []struct{ Src, Sizes string }
	}
	if err := json.Unmarshal([]byte(fetch("/manifest.webmanifest", "application/manifest+json")), &described); err != nil || described.Name == "" {
		t.Errorf("%+v, %v", described, err)
	}
	for i, icon := range described.Icons {
		wantSign(icon.Src, fetch(icon.Src, "image/png"), sizes[i])
	}
	if len(described.Icons) != len(sizes) || bytes.Contains(vector(), []byte("NaN")) {
		t.Errorf("%+v", described)
	}
}
