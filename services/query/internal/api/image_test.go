package api

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/images"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/series"
)

const (
	jazzImage   = "01920000-0000-7000-8000-0000000000f1" // of eventJazz, with a focus point at 50-25
	jazzVersion = "/api/image/" + jazzImage + "/75e5d67fdcde"
	lostImage   = "01920000-0000-7000-8000-0000000000f2" // of eventFair, not in the store
	draftImage  = "01920000-0000-7000-8000-0000000000f3" // in the store, of no public event
	keptForGood = "public, max-age=31536000, immutable"
	keptAMoment = "public, max-age=60"
)

// gallery is a site with images.
type gallery struct {
	site
	blobs  *blob.Store
	client *index.Client
	signal *cache.Signal
}

func newGallery(t *testing.T) gallery {
	t.Helper()
	g := gallery{client: seeded(t), signal: cache.NewSignal(time.Now)}
	g.signal.Hear(applied.Signal{Sequence: 1})
	g.blobs = openBlobs(t)
	for _, id := range []string{jazzImage, draftImage} {
		g.store(t, id, imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0))
	}
	fairView := fair()
	fairView.Images = []publicapi.Image{{UUID: lostImage, Identifier: "main", MimeType: "image/png"}}
	put(t, g.client, document.Events, encode(t, eventOf(fairView)))
	g.site = serveImages(t, g.client, g.signal, g.blobs)
	return g
}

func openBlobs(t *testing.T) *blob.Store {
	t.Helper()
	blobs, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	return blobs
}

func serveImages(t *testing.T, client *index.Client, signal *cache.Signal, blobs *blob.Store) site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	app := web.New(web.Options{Service: "query", Log: log, ResponseTypes: ResponseTypes()})
	reader := lists.NewReader(engine.New(client, patience), signal, time.Now)
	Mount(app, Deps{Signal: signal, Lists: reader, Images: images.New(images.Options{
		Lists: reader, Series: series.NewStore(engine.New(client, patience), signal, time.Now), Cache: cache.New(signal, 1<<20, patience), Blobs: blobs,
	})})
	return serve(t, app, log)
}

func (g gallery) store(t *testing.T, id string, file []byte) {
	t.Helper()
	if err := g.blobs.Put(t.Context(), blob.OriginalKey(id), "image/jpeg", file); err != nil {
		t.Fatal(err)
	}
}

// shown is the decoded image of an answer.
func (g gallery) shown(t *testing.T, path string) (format string, size image.Point) {
	t.Helper()
	response, body := g.do(t, "GET", path, "")
	config, format, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil || response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "image/"+format ||
		response.Header.Get("Content-Length") != strconv.Itoa(len(body)) {
		t.Fatalf("%s: %d %v, %v", path, response.StatusCode, response.Header, err)
	}
	return format, image.Pt(config.Width, config.Height)
}

func (g gallery) wantError(t *testing.T, path string, status int, code string, fields ...string) {
	t.Helper()
	response, body := g.do(t, "GET", path, "")
	var failure struct {
		Code    string
		Details []struct{ Field string }
		Service string
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		t.Fatalf("%s: %v in %s", path, err, body)
	}
	var named []string
	for _, detail := range failure.Details {
		named = append(named, detail.Field)
	}
	if response.StatusCode != status || failure.Code != code || failure.Service != "" || !slices.Equal(named, fields) ||
		response.Header.Get("Cache-Control") != "no-store" || response.Header.Get("ETag") != "" {
		t.Errorf("%s: %d %v %s, want %d %s %v", path, response.StatusCode, response.Header, body, status, code, fields)
	}
}

func TestImage(t *testing.T) {
	g := newGallery(t)
	for query, want := range map[string]struct {
		format string
		size   image.Point
	}{
		"": {"jpeg", image.Pt(1200, 800)}, "?width=300": {"jpeg", image.Pt(320, 213)}, "/?height=100&type=png": {"png", image.Pt(240, 160)},
		"?mode=cover&width=480&ratio=3:2&type=webp&quality=80": {"jpeg", image.Pt(480, 320)}, "?width=160&ratio=1:1&lang=de": {"jpeg", image.Pt(160, 160)},
		"?width=100&height=100&fit=contain": {"jpeg", image.Pt(160, 107)}, "?nonsense=&width=": {"jpeg", image.Pt(1200, 800)},
	} {
		for range 2 { // drawn, then stored
			if format, size := g.shown(t, jazzVersion+query); format != want.format || size != want.size {
				t.Errorf("%s: %s of %v, want %s of %v", query, format, size, want.format, want.size)
			}
		}
	}
}

// TestLargeImages: images too large to be cached arrive whole from the store.
func TestLargeImages(t *testing.T) {
	g := newGallery(t)
	noise := image.NewGray(image.Rect(0, 0, 900, 600))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 7)
	}
	g.store(t, jazzImage, imagingtest.PNG(t, noise))
	for range 2 {
		if _, size := g.shown(t, jazzVersion+"?type=png"); size != image.Pt(900, 600) {
			t.Errorf("it has %v", size)
		}
		_, body := g.do(t, "GET", jazzVersion+"?type=png", "")
		if decoded, _, err := image.Decode(bytes.NewReader(body)); err != nil || len(body) < 200<<10 {
			t.Errorf("%d bytes, %v, %v", len(body), decoded.Bounds(), err)
		}
		head, none := g.do(t, "HEAD", jazzVersion+"?type=png", "")
		if head.StatusCode != http.StatusOK || len(none) != 0 {
			t.Errorf("HEAD: %d", head.StatusCode)
		}
	}
}

func TestImageMayBeKept(t *testing.T) {
	g := newGallery(t)
	for path, want := range map[string]string{
		jazzVersion + "?width=160": keptForGood, "/api/image/" + jazzImage: keptAMoment, "/api/image/" + jazzImage + "/50-25": keptAMoment,
	} {
		response, body := g.do(t, "GET", path, "")
		tag := response.Header.Get("ETag")
		if response.Header.Get("Cache-Control") != want || tag == "" || len(body) == 0 {
			t.Errorf("%s: %v", path, response.Header)
		}
		again, body := g.do(t, "GET", path, "", "If-None-Match", `"x", `+tag)
		if again.StatusCode != http.StatusNotModified || len(body) != 0 || again.Header.Get("ETag") != tag || again.Header.Get("Cache-Control") != want {
			t.Errorf("%s again: %d %v", path, again.StatusCode, again.Header)
		}
		head, _ := g.do(t, "HEAD", path, "")
		if head.StatusCode != http.StatusOK || head.Header.Get("ETag") != tag {
			t.Errorf("HEAD %s: %d %v", path, head.StatusCode, head.Header)
		}
	}
	tags := map[string]bool{}
	for _, query := range []string{"?width=160", "?width=320", "?width=160&type=png", "?width=160&ratio=1:1", "?quality=60"} {
		response, _ := g.do(t, "GET", jazzVersion+query, "")
		tags[response.Header.Get("ETag")] = true
	}
	if len(tags) != 5 {
		t.Errorf("%d tags of 5 variants", len(tags))
	}
}

// TestImagesOfPublicEventsOnly: the uuid is not enough, and a withdrawn event takes its images
// along, even those just requested.
func TestImagesOfPublicEventsOnly(t *testing.T) {
	g := newGallery(t)
	g.wantError(t, "/api/image/"+draftImage, http.StatusNotFound, "image_not_found")
	g.wantError(t, "/api/image/"+draftImage+"/50-50?width=160", http.StatusNotFound, "image_not_found")
	g.wantError(t, "/api/image/"+lostImage, http.StatusNotFound, "image_not_found")
	g.wantError(t, "/api/image/"+unknown, http.StatusNotFound, "image_not_found")
	g.wantError(t, "/api/image/"+eventJazz, http.StatusNotFound, "image_not_found")
	response, _ := g.do(t, "GET", jazzVersion, "")
	put(t, g.client, document.Events, encode(t, gone[publicapi.Event](eventJazz)))
	g.signal.Hear(applied.Signal{Sequence: 2})
	g.wantError(t, jazzVersion, http.StatusNotFound, "image_not_found")
	again, _ := g.do(t, "GET", jazzVersion, "", "If-None-Match", response.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotFound {
		t.Errorf("an image that was taken back is %d for who has seen it", again.StatusCode)
	}
}

// TestImagesOfPublicSeries: the image of a series is public with it, and is drawn like those of
// events. One that was replaced is gone, even if it was just requested.
func TestImagesOfPublicSeries(t *testing.T) {
	g := newGallery(t)
	hear := uint64(1)
	write := func(document any) {
		t.Helper()
		put(t, g.client, "series", encode(t, document))
		hear++
		g.signal.Hear(applied.Signal{Sequence: hear})
	}
	of := func(uuid string) publicapi.Series {
		return publicapi.Series{UUID: seriesID, Slug: "fest", Title: "Fest", Image: &publicapi.Image{
			UUID: uuid, Identifier: "main", MimeType: "image/jpeg", Width: 1200, Height: 800, FocusX: new(0.0), FocusY: new(0.0),
		}}
	}
	write(recordOf(seriesID, of(draftImage), "Fest", ""))
	path := "/api/image/" + draftImage
	response, body := g.do(t, "GET", path+"?width=160&ratio=1:2&type=png", "")
	shown, _, err := image.Decode(bytes.NewReader(body))
	if err != nil || response.StatusCode != http.StatusOK || response.Header.Get("Cache-Control") != keptAMoment {
		t.Fatalf("%d %v, %v", response.StatusCode, response.Header, err)
	}
	imagingtest.WantCorners(t, "around the focus point", shown, [4]color.RGBA{
		imagingtest.Red, imagingtest.Red, imagingtest.Blue, imagingtest.Blue,
	})
	write(recordOf(seriesID, of(lostImage), "Fest", ""))
	g.wantError(t, path, http.StatusNotFound, "image_not_found")
	write(recordOf(seriesID, of(draftImage), "Fest", ""))
	g.shown(t, path)
	write(gone[publicapi.Series](seriesID))
	g.wantError(t, path, http.StatusNotFound, "image_not_found")
}

func TestImageNamesEveryBadParameter(t *testing.T) {
	g := newGallery(t)
	g.wantError(t, "/api/image/1?width=0&widht=5&ratio=x&fit=stretch", http.StatusBadRequest, "invalid_parameters", "uuid", "widht", "width", "ratio", "fit")
	g.wantError(t, jazzVersion+"?width=1&width=2", http.StatusBadRequest, "invalid_parameters", "width")
	for _, path := range []string{"../../etc/passwd", "%2e%2e%2f%2e%2e", strings.Repeat("x", 200)} {
		if response, body := g.do(t, "GET", "/api/image/"+path, ""); response.StatusCode < 400 || response.StatusCode >= 500 {
			t.Errorf("%s: %d %.200s", path, response.StatusCode, body)
		}
	}
	bare := serveImages(t, g.client, g.signal, nil)
	response, _ := bare.do(t, "GET", jazzVersion, "")
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without a store: %d", response.StatusCode)
	}
}

// TestManyVariantsAtOnce: a variant for many concurrent requests is drawn once, and arrives whole
// at each of them; on a busy machine, after further requests.
func TestManyVariantsAtOnce(t *testing.T) {
	g := newGallery(t)
	var asking sync.WaitGroup
	for i := range 60 {
		asking.Go(func() {
			width := []int{160, 320, 480}[i%3]
			path := jazzVersion + "?ratio=1:1&width=" + strconv.Itoa(width)
			response, body := g.do(t, "GET", path, "")
			for response.StatusCode == http.StatusServiceUnavailable && t.Context().Err() == nil {
				if response.Header.Get("Retry-After") == "" {
					t.Errorf("%d: %s", width, body)
					return
				}
				response, body = g.do(t, "GET", path, "")
			}
			config, _, err := image.DecodeConfig(bytes.NewReader(body))
			if response.StatusCode != http.StatusOK || err != nil || config.Width != width {
				t.Errorf("%d: %d, %d pixels, %v", width, response.StatusCode, config.Width, err)
			}
		})
	}
	asking.Wait()
}
