package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
)

// imageForm returns a multipart body with a file, unless it is nil, and texts by their fields.
func imageForm(t *testing.T, file []byte, texts ...string) (body io.Reader, kind string) {
	t.Helper()
	var packed bytes.Buffer
	writer := multipart.NewWriter(&packed)
	for i := 0; i < len(texts); i += 2 {
		if err := writer.WriteField(texts[i], texts[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if file != nil {
		part, err := writer.CreateFormFile("image", "poster.exe")
		if err == nil {
			_, err = part.Write(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed, writer.FormDataContentType()
}

func imageExample(t *testing.T, operation string, file []byte, status int, texts ...string) example {
	t.Helper()
	packed, kind := imageForm(t, file, texts...)
	body, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return example{
		operation: operation, who: "owner", body: string(body), headers: []string{"Content-Type", kind}, status: status,
	}
}

// imageExamples store images in empty places, and in place of others.
func imageExamples(t *testing.T) []example {
	t.Helper()
	const place, teaser = "POST /api/admin/event/{eventId}/image/{imageIndex}", "POST /api/admin/event/{eventId}/teaser/image"
	const series = "POST /api/admin/series/{seriesId}/image"
	return []example{
		imageExample(t, place, avatarFile(t), http.StatusCreated, "alt_text", "x"),
		imageExample(t, place, nil, http.StatusOK, "license", "cc-by", "focus_x", "0,25", "focus_y", "0.5"),
		imageExample(t, teaser, avatarFile(t), http.StatusCreated),
		imageExample(t, teaser, avatarFile(t), http.StatusOK),
		imageExample(t, series, avatarFile(t), http.StatusCreated),
		imageExample(t, series, nil, http.StatusOK, "alt_text", "x"),
	}
}

// gallery is an event of the stage whose images are edited.
type gallery struct {
	*stage
	path string
}

func newGallery(t *testing.T) gallery {
	t.Helper()
	s := newStage(t)
	return gallery{s, "/event/" + s.event(t, s.org, "Konzert", "draft", nil, 5)}
}

func (g gallery) upload(t *testing.T, index int, file []byte, texts ...string) answer {
	t.Helper()
	return g.uploadIf(t, "*", index, file, texts...)
}

func (g gallery) uploadIf(t *testing.T, match string, index int, file []byte, texts ...string) answer {
	t.Helper()
	body, kind := imageForm(t, file, texts...)
	return g.send(t, http.MethodPost, fmt.Sprintf("%s%s/image/%d", admin, g.path, index), body,
		"Authorization", "Bearer "+g.people["owner"].access, "Content-Type", kind, "If-Match", match)
}

func (g gallery) meta(t *testing.T, index int) answer {
	t.Helper()
	return g.as(t, "owner", http.MethodGet, fmt.Sprintf("%s/image/%d/meta", g.path, index), "")
}

// kept returns the files of the store below event, in order.
func (s *server) kept(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(s.pictures, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			below, _ := filepath.Rel(s.pictures, name)
			names = append(names, filepath.ToSlash(below))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// aDayPasses makes the files of the store old enough to be swept.
func (s *server) aDayPasses(t *testing.T) {
	t.Helper()
	s.dateFiles(t)
	s.clock.Move(25 * time.Hour)
}

// dateFiles dates the files of the store by the test's clock, from which the clock of files may
// differ.
func (s *server) dateFiles(t *testing.T) {
	t.Helper()
	for _, name := range s.kept(t) {
		if err := os.Chtimes(filepath.Join(s.pictures, filepath.FromSlash(name)), time.Time{}, s.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// has checks fields of an answer.
func (a answer) has(t *testing.T, what string, fields map[string]any) {
	t.Helper()
	for name, want := range fields {
		if got, there := a.body[name]; !there || got != want {
			t.Errorf("%s: %s is %v, want %v", what, name, got, want)
		}
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	empty := g.meta(t, 1)
	empty.has(t, "an empty place", map[string]any{"uuid": nil, "identifier": "main", "width": nil, "alt_text": nil, "focus_x": nil})
	g.upload(t, 1, nil, "alt_text", "x").want(t, "words about no image", http.StatusNotFound, "image_not_found")
	g.as(t, "owner", http.MethodDelete, g.path+"/image", "").want(t, "delete none", http.StatusNotFound, "image_not_found")

	file := imagingtest.JPEG(t, imagingtest.Corners(3000, 1500), 6)
	first := g.uploadIf(t, empty.header.Get("ETag"), 1, file, "alt_text", " A band ", "focus_x", "0,25", "focus_y", "0.5", "license", "cc-by")
	first.want(t, "the first", http.StatusCreated, "")
	first.has(t, "the first", map[string]any{
		"identifier": "main", "mime_type": "image/jpeg", "width": 1024.0, "height": 2048.0, "alt_text": "A band", "license": "cc-by",
		"focus_x": 0.25, "focus_y": 0.5, "replaced_image_uuid": nil, "image_uuid": first.body["uuid"],
	})
	original := fmt.Sprintf("event/%s/original", first.body["uuid"])
	if got := g.kept(t); !slices.Equal(got, []string{original}) {
		t.Fatalf("the store keeps %v", got)
	}
	if first.header.Get("ETag") != g.meta(t, 1).header.Get("ETag") {
		t.Error("the write answers another version than the read")
	}
	g.uploadIf(t, empty.header.Get("ETag"), 1, file).want(t, "of an old version", http.StatusPreconditionFailed, "stale_event")

	words := g.upload(t, 1, nil, "description", "x", "license", "")
	words.want(t, "words", http.StatusOK, "")
	words.has(t, "words", map[string]any{"uuid": first.body["uuid"], "alt_text": "A band", "description": "x", "license": nil, "focus_x": 0.25})

	second := g.upload(t, 1, avatarFile(t), "copyright", "Anna")
	second.want(t, "another file", http.StatusOK, "")
	second.has(t, "another file", map[string]any{
		"replaced_image_uuid": first.body["uuid"], "mime_type": "image/jpeg", "alt_text": nil, "focus_x": nil, "copyright": "Anna",
	})
	if second.body["uuid"] == first.body["uuid"] {
		t.Error("another file has the same uuid")
	}
	if got := g.kept(t); !slices.Equal(got, []string{fmt.Sprintf("event/%s/original", second.body["uuid"])}) {
		t.Errorf("after the replacement the store keeps %v", got)
	}
	g.upload(t, 8, avatarFile(t)).has(t, "the last place", map[string]any{"identifier": "gallery_7"})
	g.as(t, "owner", http.MethodDelete, g.path+"/image?index=8", "").want(t, "delete one", http.StatusOK, "")
	g.meta(t, 1).has(t, "the other one", map[string]any{"uuid": second.body["uuid"]})
	g.as(t, "owner", http.MethodDelete, g.path+"/image?index=8", "").want(t, "delete it again", http.StatusNotFound, "image_not_found")
	g.as(t, "owner", http.MethodDelete, g.path+"/image", "").want(t, "delete all", http.StatusOK, "")
	if got := g.kept(t); len(got) != 0 {
		t.Errorf("after the deletion the store keeps %v", got)
	}
	if got := g.audited(t, g.org); got != strings.TrimSpace(strings.Repeat("event.update ", 6)) {
		t.Errorf("audited %s", got)
	}
}

// TestImageNamesWhatIsWrong: bad values are named by the fields of the form, all at once, and no
// other field of the form is stored.
func TestImageNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	for _, test := range []struct {
		texts, fields string
	}{
		{"focus_x=2|focus_y=x|colour=red|image=text", "colour image focus_x focus_y"},
		{"focus_x=0.5", "focus_y"},
		{"alt_text=" + strings.Repeat("x", 2001) + "|license=mine|creator_name=a\x00b", "alt_text license creator_name"},
		{"alt_text=a|alt_text=b", "alt_text"},
	} {
		var texts []string
		for pair := range strings.SplitSeq(test.texts, "|") {
			name, text, _ := strings.Cut(pair, "=")
			texts = append(texts, name, text)
		}
		a := g.upload(t, 1, avatarFile(t), texts...)
		if a.status != http.StatusBadRequest || a.fields() != test.fields {
			t.Errorf("%.80s: %d %.300s, want %s", test.texts, a.status, a.raw, test.fields)
		}
	}
	for _, path := range []string{"/image/0/meta", "/image/9/meta", "/image/x/meta", "/image/+1/meta"} {
		g.as(t, "owner", http.MethodGet, g.path+path, "").want(t, path, http.StatusBadRequest, "invalid_parameters")
	}
	g.as(t, "owner", http.MethodDelete, g.path+"/image?index=9", "").want(t, "delete the ninth", http.StatusBadRequest, "invalid_parameters")
	if got := g.kept(t); len(got) != 0 {
		t.Errorf("the store keeps %v", got)
	}
}

// TestImagesAtOnce: of many uploads to one place, and to many, each is stored or refused as a
// whole, and the store contains exactly the files of the rows. Files of an upload that ran out of
// time are left to the sweeper.
func TestImagesAtOnce(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	var uploads sync.WaitGroup
	var late atomic.Bool
	for i := range 50 {
		uploads.Go(func() {
			file := imagingtest.PNG(t, imagingtest.Corners(200+i, 100))
			switch a := g.upload(t, 1+i%8, file); a.status {
			case http.StatusOK, http.StatusCreated:
			case http.StatusServiceUnavailable:
				late.Store(true)
			default:
				t.Errorf("upload %d: %d %.300s", i, a.status, a.raw)
			}
		})
	}
	uploads.Wait()
	if late.Load() {
		g.aDayPasses(t)
		if _, err := g.services.Sweeper().Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var rows string
	g.one(t, &rows, "SELECT json_agg('event/' || uuid || '/original' ORDER BY uuid::text)::text FROM event_image")
	var want []string
	if err := json.Unmarshal([]byte(rows), &want); err != nil {
		t.Fatal(err)
	}
	if got := g.kept(t); len(want) != 8 || !slices.Equal(got, want) {
		t.Errorf("the rows name %v, the store keeps %v", want, got)
	}
}

// TestRowsOutliveTheirRequests: once the file is stored the row is written too, also when the
// request ends meanwhile, as many do when there are more uploads than there is time for.
func TestRowsOutliveTheirRequests(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	event := strings.TrimPrefix(g.path, "/event/")
	tx, err := g.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context()) // rolled back below
	if _, err := tx.Exec(t.Context(), "SELECT FROM event WHERE uuid = $1 FOR UPDATE", event); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(auth.WithPrincipal(t.Context(), auth.Principal{UserID: g.people["owner"].id}))
	stored := make(chan error, 1)
	go func() {
		_, err := g.services.Images.OfEvents().Put(ctx, editing.Target{Key: event}, rules.MainImage, avatarFile(t), func(*rules.Event, *rules.Image) {})
		stored <- err
	}()
	g.awaitLock(t)
	end()
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Error(err)
	}
	if got, want := g.kept(t), fmt.Sprintf("event/%s/original", g.meta(t, 1).body["uuid"]); !slices.Equal(got, []string{want}) {
		t.Errorf("the store keeps %v, the row names %s", got, want)
	}
}

// TestLeftOverImagesAreSwept: only files without a row are deleted, once they are a day old.
func TestLeftOverImagesAreSwept(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	named := g.upload(t, 1, avatarFile(t))
	orphan := g.upload(t, 2, avatarFile(t))
	g.exec(t, "DELETE FROM event_image WHERE uuid = $1", orphan.body["uuid"])
	file, kind := form(t, "avatar", "me.png", avatarFile(t))
	g.send(t, http.MethodPost, admin+"/user/avatar", file, "Authorization", "Bearer "+g.people["owner"].access, "Content-Type", kind)
	before := len(g.kept(t))
	g.dateFiles(t)
	if deleted, err := g.services.Sweeper().Sweep(t.Context()); err != nil || deleted != 0 {
		t.Errorf("at once: %d deleted, %v", deleted, err)
	}
	g.aDayPasses(t)
	deleted, err := g.services.Sweeper().Sweep(t.Context())
	if err != nil || deleted != 1 {
		t.Errorf("a day later: %d deleted, %v", deleted, err)
	}
	left := g.kept(t)
	if len(left) != before-1 || !slices.Contains(left, fmt.Sprintf("event/%s/original", named.body["uuid"])) {
		t.Errorf("left %v", left)
	}
}
