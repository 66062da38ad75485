package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/admin/internal/people/auth/authtest"
)

// imagesOf returns the addresses of the images that a preview shows, below the server, by their
// identifiers.
func (s *stage) imagesOf(t *testing.T, token string) map[string]string {
	t.Helper()
	a := s.preview(t, token, "")
	a.want(t, "preview", ok, "")
	data := a.body["data"].(map[string]any)
	found := map[string]string{}
	below := settings.Public.URL + "/api/preview/" + token + "/image/"
	for _, shown := range data["images"].([]any) {
		m := shown.(map[string]any)
		if m["path"] != below+fmt.Sprint(m["uuid"]) {
			t.Errorf("the image is at %s", m["path"])
		}
		found[fmt.Sprint(m["identifier"])] = strings.TrimPrefix(fmt.Sprint(m["path"]), settings.Public.URL)
	}
	main, shown := found["main"], data["image_path"]
	if main != "" && shown != settings.Public.URL+main || main == "" && shown != nil {
		t.Errorf("lists show %v", shown)
	}
	return found
}

// wantImage requests an image and checks that its headers keep it out of caches and search engines.
func (s *stage) wantImage(t *testing.T, path, format string, size image.Point) {
	t.Helper()
	a := s.send(t, http.MethodGet, path, nil)
	config, got, err := image.DecodeConfig(bytes.NewReader(a.raw))
	if a.status != ok || err != nil || got != format || image.Pt(config.Width, config.Height) != size {
		t.Errorf("%s: %d %s of %d × %d, %v, want %s of %v", path, a.status, got, config.Width, config.Height, err, format, size)
	}
	for header, want := range map[string]string{
		"Content-Type": "image/" + format, "Content-Length": fmt.Sprint(len(a.raw)), "Cache-Control": "no-store", "X-Robots-Tag": "noindex",
		"Referrer-Policy": "no-referrer", "Etag": "", "X-Content-Type-Options": "nosniff",
	} {
		if a.header.Get(header) != want {
			t.Errorf("%s: %s is %q, want %q", path, header, a.header.Get(header), want)
		}
	}
}

// wantNoImage checks that an address shows nothing.
func (s *stage) wantNoImage(t *testing.T, what, path, code string) {
	t.Helper()
	a := s.send(t, http.MethodGet, path, nil)
	a.want(t, what, http.StatusNotFound, code)
	if a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("%s: headers %v", what, a.header)
	}
}

// The bearer of a link sees the images of the draft in every variant of the public ones, and those
// of no other event; without the link, or once it has ended, there are none.
func TestPreviewShowsImagesOfADraft(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	event := strings.TrimPrefix(g.path, "/event/")
	token, _ := g.previewed(t, "contributor", event)
	if found := g.imagesOf(t, token); len(found) != 0 {
		t.Errorf("without images it shows %v", found)
	}
	uploaded := g.upload(t, 1, imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0), "focus_x", "1", "focus_y", "0.5")
	g.upload(t, 3, imagingtest.PNG(t, image.NewNRGBA(image.Rect(0, 0, 400, 300))))
	found := g.imagesOf(t, token)
	for query, size := range map[string]image.Point{
		"": image.Pt(1200, 800), "?width=300": image.Pt(320, 213), "/?height=100": image.Pt(240, 160),
		"?width=160&ratio=1:1&lang=de": image.Pt(160, 160), "?mode=cover&width=480&ratio=3:2&type=webp&quality=80": image.Pt(480, 320),
	} {
		for range 2 { // drawn, then stored
			g.wantImage(t, found["main"]+query, "jpeg", size)
		}
	}
	g.wantImage(t, found["gallery_2"]+"?type=webp", "png", image.Pt(400, 300))
	cut := g.send(t, http.MethodGet, found["main"]+"?width=160&ratio=1:2&type=png", nil)
	shown, _, err := image.Decode(bytes.NewReader(cut.raw))
	if err != nil {
		t.Fatal(err)
	}
	imagingtest.WantCorners(t, "around the focus point", shown, [4]color.RGBA{
		imagingtest.Green, imagingtest.Green, imagingtest.Yellow, imagingtest.Yellow,
	})
	if head := g.send(t, http.MethodHead, found["main"], nil); head.status != ok || len(head.raw) != 0 {
		t.Errorf("HEAD: %d with %d bytes", head.status, len(head.raw))
	}

	other := g.event(t, g.org, "Other", "draft", nil)
	otherToken, _ := g.previewed(t, "owner", other)
	uuid := fmt.Sprint(uploaded.body["uuid"])
	below := "/api/preview/" + token + "/image/"
	g.wantNoImage(t, "the token of another event", "/api/preview/"+otherToken+"/image/"+uuid, "image_not_found")
	g.wantNoImage(t, "no token", "/api/preview/"+strings.Repeat("x", 43)+"/image/"+uuid, "preview_not_found")
	g.wantNoImage(t, "the uuid in place of the token", "/api/preview/"+uuid+"/image/"+uuid, "preview_not_found")
	g.wantNoImage(t, "an unknown image", below+newUUID(), "image_not_found")
	g.wantNoImage(t, "the event as an image", below+event, "image_not_found")
	a := g.send(t, http.MethodGet, below+"1?width=0&ratio=x&fit=stretch", nil)
	if a.want(t, "bad parameters", http.StatusBadRequest, "invalid_parameters"); a.fields() != "uuid width ratio fit" {
		t.Errorf("bad fields %s", a.fields())
	}
	g.send(t, http.MethodGet, below+uuid+"?widht=1", nil).want(t, "an unknown parameter", http.StatusBadRequest, "invalid_parameters")

	g.exec(t, "UPDATE event_image SET event_uuid = $2 WHERE uuid = $1", uuid, other)
	g.wantNoImage(t, "an image that is another event's now", below+uuid, "image_not_found")
	g.exec(t, "UPDATE event_image SET event_uuid = $2 WHERE uuid = $1", uuid, event)
	second, _ := g.previewed(t, "owner", event)
	g.as(t, "owner", http.MethodDelete, g.path+"/preview-link", "").want(t, "revoke", ok, "")
	g.wantNoImage(t, "a revoked link", found["main"], "preview_not_found")
	g.wantNoImage(t, "another revoked link", "/api/preview/"+second+"/image/"+uuid, "preview_not_found")
	last, _ := g.previewed(t, "owner", event)
	g.clock.Move(settings.Preview.Valid - time.Second)
	g.wantImage(t, "/api/preview/"+last+"/image/"+uuid+"?width=160", "jpeg", image.Pt(160, 107))
	g.clock.Move(time.Second)
	g.wantNoImage(t, "an expired link", "/api/preview/"+last+"/image/"+uuid, "preview_not_found")
}

// Without a store, images are not there for now; without its file, one does not exist.
func TestPreviewsWithoutFiles(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	token, _ := g.previewed(t, "owner", strings.TrimPrefix(g.path, "/event/"))
	uploaded := g.upload(t, 1, avatarFile(t))
	path := g.imagesOf(t, token)["main"]
	if err := os.Remove(filepath.Join(g.pictures, "event", fmt.Sprint(uploaded.body["uuid"]), "original")); err != nil {
		t.Fatal(err)
	}
	g.wantNoImage(t, "an image without its file", path, "image_not_found")
	g.services.Previews.Variants.Blobs = nil
	g.send(t, http.MethodGet, path, nil).want(t, "without a store", http.StatusServiceUnavailable, "no_blob_store")
}

// A duplicate's preview shows its own images, also when the original is gone.
func TestDuplicatesShowTheirImages(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	original := g.upload(t, 1, imagingtest.JPEG(t, imagingtest.Corners(600, 400), 0), "alt_text", "A band", "license", "cc-by", "focus_x", "0.25", "focus_y", "0.5")
	made := g.as(t, "contributor", http.MethodPost, g.path+"/duplicate", "")
	made.want(t, "duplicate", http.StatusCreated, "")
	event := fmt.Sprint(made.body["uuid"])
	meta := g.as(t, "owner", http.MethodGet, "/event/"+event+"/image/1/meta", "")
	meta.has(t, "the copy", map[string]any{
		"identifier": "main", "alt_text": "A band", "license": "cc-by", "focus_x": 0.25, "focus_y": 0.5, "width": 600.0, "height": 400.0,
	})
	if meta.body["uuid"] == original.body["uuid"] {
		t.Error("the copy has the uuid of the original")
	}
	g.as(t, "owner", http.MethodDelete, g.path, password(authtest.Password)).want(t, "delete the original", ok, "")
	g.aDayPasses(t)
	if _, err := g.services.Sweeper().Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := g.kept(t), fmt.Sprintf("event/%s/original", meta.body["uuid"]); !slices.Equal(got, []string{want}) {
		t.Errorf("the store keeps %v", got)
	}
	g.people["owner"].access = g.stack.LogIn(t, g.db, g.people["owner"].id).Access
	token, _ := g.previewed(t, "owner", event)
	g.wantImage(t, g.imagesOf(t, token)["main"]+"?width=320", "jpeg", image.Pt(320, 213))
}
