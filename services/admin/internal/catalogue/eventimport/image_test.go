package eventimport

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/admin/internal/catalogue/rules"
)

// gallery serves one picture at every path but those that say how they fail, and counts requests.
func gallery(t *testing.T) (address string, asked *atomic.Int32) {
	t.Helper()
	picture := imagingtest.JPEG(t, imagingtest.Corners(60, 40), 0)
	asked = &atomic.Int32{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/missing":
			http.NotFound(w, r)
		case "/page":
			_, _ = w.Write([]byte("<html>no image</html>"))
		case "/large":
			_, _ = w.Write(make([]byte, adminapi.MaxImageBytes+1))
		default:
			_, _ = w.Write(picture)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL, asked
}

func (h *house) image(report adminapi.ImportReport, event int) *rules.Image {
	h.Helper()
	e := h.event(report.Events[event].EventUUID)
	return e.ImageAt(rules.MainImage)
}

// TestImagesAreReadOnce: by the first import, with their descriptions, and not again while the file
// has the same address. A dry run reads none.
func TestImagesAreReadOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	site, asked := gallery(t)
	file := "Titel;Datum;Bild;Alt;Fotograf;Lizenz;KI-Bild\nJazz;24.12.2026;" + site + "/a.jpg;Vier Farben;Ada Lund;cc-by-4.0;Ja\n"
	h.dry(adminapi.ImportBody{Content: file})
	if asked.Load() != 0 {
		t.Error("a dry run reads the image")
	}
	report := h.imported(file)
	first := h.image(report, 0)
	if first == nil || first.AltText != "Vier Farben" || first.CreatorName != "Ada Lund" || first.License == "" || first.Width != 60 || !first.AIGenerated {
		t.Fatalf("stored %+v; %+v", first, report.Events)
	}
	h.wantCounts("again", h.imported(file), adminapi.ImportCounts{Rows: 1, Unchanged: 1})
	words := strings.Replace(file, "Vier Farben", "Vier Ecken", 1)
	h.wantCounts("another description", h.imported(words), adminapi.ImportCounts{Rows: 1, Update: 1})
	if got := h.image(report, 0); got.UUID != first.UUID || got.AltText != "Vier Ecken" || asked.Load() != 1 {
		t.Errorf("described as %+v after %d requests", got, asked.Load())
	}
	other := strings.Replace(words, "a.jpg", "b.jpg", 1)
	h.wantCounts("another address", h.imported(other), adminapi.ImportCounts{Rows: 1, Update: 1})
	second := h.image(report, 0)
	if second.UUID == first.UUID || asked.Load() != 2 {
		t.Errorf("the image is still %+v", second)
	}

	h.edit(report.Events[0].EventUUID, func(e *rules.Event) { e.Images = nil })
	third := strings.Replace(words, "a.jpg", "c.jpg", 1)
	kept := h.imported(third)
	if h.image(report, 0) != nil || asked.Load() != 2 || len(kept.Events[0].Kept) != 1 {
		t.Errorf("an image that was removed here came back: %+v", kept.Events[0])
	}
	h.run(h.owner, adminapi.ImportBody{Content: third, Overwrite: true, DryRun: new(bool)})
	if h.image(report, 0) == nil {
		t.Error("it is not overwritten")
	}
}

// TestVideosOfAFile: one at an allowed host is taken, any other is left out with a note.
func TestVideosOfAFile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	report := h.imported("Titel;Datum;Video\nJazz;24.12.2026;https://youtu.be/dQw4w9WgXcQ\nRock;25.12.2026;https://youtu.be.evil.example/dQw4w9WgXcQ\n" +
		"Chor;26.12.2026;javascript:alert(1)\n")
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: 3, Create: 3})
	for i, want := range []value.Text{"https://youtu.be/dQw4w9WgXcQ", "", ""} {
		if got := h.event(report.Events[i].EventUUID).VideoLink; got != want || (len(report.Events[i].Notes) == 0) != (want != "") {
			t.Errorf("event %d has the video %q, with %+v", i, got, report.Events[i].Notes)
		}
	}
}

// TestImagesThatFailAreNoted: the event is imported without them, and the next import tries again.
func TestImagesThatFailAreNoted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	site, asked := gallery(t)
	addresses := []string{site + "/missing", site + "/page", site + "/large", "http://10.0.0.1/a.jpg", "file:///etc/passwd", "http://user:x@example.org/a.jpg"}
	var file strings.Builder
	file.WriteString("Titel;Datum;Bild;Lizenz\n")
	for i, address := range addresses {
		fmt.Fprintf(&file, "Konzert %d;24.12.2026;%s;meine\n", i, address)
	}
	report := h.imported(file.String())
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: len(addresses), Create: len(addresses)})
	for i, e := range report.Events {
		if len(e.Notes) == 0 || e.Notes[len(e.Notes)-1].Reason == "" || h.image(report, i) != nil {
			t.Errorf("%s: %+v", addresses[i], e.Notes)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("%d requests", asked.Load())
	}
	again := h.imported(file.String())
	if asked.Load() != 6 || len(again.Events[0].Notes) == 0 {
		t.Errorf("%d requests, %+v", asked.Load(), again.Events[0])
	}
	stored := h.count("SELECT count(*) FROM event_image")
	if stored != 0 {
		t.Errorf("%d images are stored", stored)
	}
}
