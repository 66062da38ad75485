package api_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
)

// poster is a series of the stage whose image is edited.
type poster struct {
	*stage
	path string
}

func newPoster(t *testing.T) poster {
	t.Helper()
	s := newStage(t)
	id, _ := s.series(t, s.org, "")
	return poster{s, "/series/" + id}
}

func (p poster) upload(t *testing.T, who, match string, file []byte, texts ...string) answer {
	t.Helper()
	body, kind := imageForm(t, file, texts...)
	return p.send(t, http.MethodPost, admin+p.path+"/image", body,
		"Authorization", "Bearer "+p.people[who].access, "Content-Type", kind, "If-Match", match)
}

// TestImageOfASeries: another file is another image, whose predecessor is gone with its texts. The
// version is that of the series.
func TestImageOfASeries(t *testing.T) {
	t.Parallel()
	p := newPoster(t)
	shown := func() (map[string]any, string) {
		t.Helper()
		a := p.as(t, "viewer", http.MethodGet, p.path, "")
		a.want(t, "the series", ok, "")
		image, _ := a.body["image"].(map[string]any)
		return image, a.header.Get("ETag")
	}
	if image, _ := shown(); image != nil {
		t.Errorf("a new series has %v", image)
	}
	empty := p.as(t, "viewer", http.MethodGet, p.path+"/image/meta", "")
	if empty.want(t, "without an image", ok, ""); empty.body["uuid"] != nil || empty.body["identifier"] != "main" {
		t.Errorf("without an image: %s", empty.raw)
	}
	p.upload(t, "owner", "*", nil, "alt_text", "x").want(t, "words about none", http.StatusNotFound, "image_not_found")

	first := p.upload(t, "owner", "*", imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0), "alt_text", "Ein Plakat", "license", "cc-by",
		"creator_name", "Ada", "copyright", "© Hafen", "focus_x", "0.25", "focus_y", "0,5", "ai_generated", "true")
	first.want(t, "a file", http.StatusCreated, "")
	image, tag := shown()
	if image["uuid"] != first.body["uuid"] || image["alt_text"] != "Ein Plakat" || image["license"] != "cc-by" || image["creator_name"] != "Ada" ||
		image["copyright"] != "© Hafen" || image["focus_x"] != 0.25 || image["focus_y"] != 0.5 || image["ai_generated"] != true ||
		image["width"] != 1200.0 || tag != first.header.Get("ETag") {
		t.Errorf("%v %s after %s", image, tag, first.raw)
	}
	p.as(t, "owner", http.MethodPut, p.path, `{"title": "Fest", "image": null}`).want(t, "the body of the series", ok, "")
	if kept, _ := shown(); kept["uuid"] != image["uuid"] {
		t.Errorf("the body of the series writes its image: %v", kept)
	}

	p.upload(t, "owner", tag, nil, "alt_text", "y").want(t, "a former version", http.StatusPreconditionFailed, "")
	refused := p.upload(t, "owner", "*", nil, "license", "mine", "alt_text", strings.Repeat("x", 2001))
	if refused.want(t, "bad words", http.StatusBadRequest, ""); refused.fields() != "alt_text license" {
		t.Errorf("the fields %s", refused.fields())
	}
	p.upload(t, "owner", "*", nil, "alt_text", "Zwei Plakate", "license", "").want(t, "other words", ok, "")
	if image, _ = shown(); image["alt_text"] != "Zwei Plakate" || image["license"] != nil || image["creator_name"] != "Ada" {
		t.Errorf("described: %v", image)
	}

	second := p.upload(t, "owner", "*", imagingtest.PNG(t, imagingtest.Corners(400, 300)))
	second.want(t, "another file", ok, "")
	if image, _ = shown(); image["uuid"] == first.body["uuid"] || image["uuid"] != second.body["uuid"] || image["alt_text"] != nil ||
		image["focus_x"] != nil || second.body["replaced_image_uuid"] != first.body["uuid"] {
		t.Errorf("replaced: %v after %s", image, second.raw)
	}
	if kept := fmt.Sprint(p.kept(t)); strings.Contains(kept, fmt.Sprint(first.body["uuid"])) || !strings.Contains(kept, fmt.Sprint(second.body["uuid"])) {
		t.Errorf("the store has %s", kept)
	}
	if live, err := p.services.Images.Live(t.Context()); err != nil || !live[fmt.Sprint(second.body["uuid"])] {
		t.Errorf("the sweeper would delete it: %v", err)
	}

	p.as(t, "owner", http.MethodDelete, p.path+"/image", "").want(t, "to delete it", ok, "")
	if image, _ = shown(); image != nil || len(p.kept(t)) != 0 {
		t.Errorf("deleted: %v in %v", image, p.kept(t))
	}
	p.as(t, "owner", http.MethodDelete, p.path+"/image", "").want(t, "to delete it again", http.StatusNotFound, "image_not_found")
}

// TestMembersSeeTheImageOfASeries, also of one that is not public; strangers do not. What is no
// image is refused as that of an event is, and without a right nothing is read.
func TestMembersSeeTheImageOfASeries(t *testing.T) {
	t.Parallel()
	p := newPoster(t)
	p.exec(t, "UPDATE series SET public = false")
	file := imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0)
	p.upload(t, "owner", "*", file).want(t, "a file", http.StatusCreated, "")
	a := p.as(t, "viewer", http.MethodGet, p.path+"/image?width=160&ratio=1:1", "")
	config, format, err := image.DecodeConfig(bytes.NewReader(a.raw))
	if a.status != ok || err != nil || format != "jpeg" || config.Width != 160 || config.Height != 160 || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%d, a %s of %d, %v %v", a.status, format, config.Width, a.header, err)
	}
	p.as(t, "neighbour", http.MethodGet, p.path+"/image", "").want(t, "a stranger", http.StatusNotFound, "series_not_found")
	p.upload(t, "neighbour", "*", file).want(t, "a stranger's file", http.StatusNotFound, "series_not_found")
	p.upload(t, "editor", "*", file).want(t, "an editor's file", http.StatusForbidden, "")
	wrong := p.upload(t, "owner", "*", []byte("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"))
	if wrong.status < 400 || wrong.status >= 500 || wrong.fields() != "image" {
		t.Errorf("an SVG: %d %s", wrong.status, wrong.raw)
	}
	if len(p.kept(t)) == 0 {
		t.Error("the image is gone")
	}
}
