package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
)

// Members see the images of a draft in every variant of the public ones; strangers do not.
func TestMembersSeeImagesOfADraft(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	g.upload(t, 1, imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0), "focus_x", "1", "focus_y", "0.5")
	g.upload(t, 3, imagingtest.PNG(t, image.NewNRGBA(image.Rect(0, 0, 400, 300))))
	get := func(who, at string, headers ...string) answer {
		return g.as(t, who, http.MethodGet, g.path+"/image/"+at, "", headers...)
	}
	for at, want := range map[string]string{
		"1": "jpeg 1200 800", "1?width=300": "jpeg 320 213", "1/?width=160&ratio=1:1&lang=de": "jpeg 160 160",
		"1?width=480&ratio=3:2&type=png": "png 480 320", "3?type=webp": "png 400 300",
	} {
		a := get("viewer", at)
		config, format, err := image.DecodeConfig(bytes.NewReader(a.raw))
		if got := fmt.Sprint(format, " ", config.Width, " ", config.Height); a.status != ok || err != nil || got != want {
			t.Errorf("%s: %d %s, %v, want %s", at, a.status, got, err, want)
		}
		for header, want := range map[string]string{
			"Content-Type": "image/" + format, "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff",
		} {
			if a.header.Get(header) != want {
				t.Errorf("%s: %s is %q, want %q", at, header, a.header.Get(header), want)
			}
		}
		again := get("owner", at, "If-None-Match", a.header.Get("ETag"))
		if again.status != http.StatusNotModified || len(again.raw) != 0 || again.header.Get("ETag") != a.header.Get("ETag") {
			t.Errorf("%s again: %d %v", at, again.status, again.header)
		}
	}
	cut := get("viewer", "1?width=160&ratio=1:2&type=png")
	shown, _, err := image.Decode(bytes.NewReader(cut.raw))
	if err != nil {
		t.Fatal(err)
	}
	imagingtest.WantCorners(t, "around the focus point", shown, [4]color.RGBA{
		imagingtest.Green, imagingtest.Green, imagingtest.Yellow, imagingtest.Yellow,
	})
	tag := get("viewer", "1").header.Get("ETag")
	g.upload(t, 1, imagingtest.JPEG(t, imagingtest.Corners(300, 200), 0))
	if a := get("viewer", "1", "If-None-Match", tag); a.status != ok || a.header.Get("ETag") == tag {
		t.Errorf("another image in its place: %d %v", a.status, a.header)
	}
	get("viewer", "2").want(t, "an empty place", http.StatusNotFound, "image_not_found")
	get("neighbour", "1", "If-None-Match", "*").want(t, "a stranger", http.StatusNotFound, "event_not_found")
	bad := get("viewer", "9?width=0&ratio=x&fit=stretch")
	if bad.want(t, "bad parameters", http.StatusBadRequest, "invalid_parameters"); bad.fields() != "imageIndex width ratio fit" {
		t.Errorf("bad fields %s", bad.fields())
	}
	get("viewer", "1?index=1").want(t, "an unknown parameter", http.StatusBadRequest, "invalid_parameters")
	g.services.Previews.Variants.Blobs = nil
	get("viewer", "1").want(t, "without a store", http.StatusServiceUnavailable, "no_blob_store")
}
