package editing

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

// illustrated stores an event with every image that it may have. Their files are their identifiers;
// that of lost is missing.
func (h *house) illustrated(lost string) *rules.Event {
	h.Helper()
	e := h.event()
	described := rulestest.Event(h.org.UUID, h.venue.UUID, h.space.UUID).Images[0]
	for index := range rules.MaxImages {
		m := described
		m.UUID, m.Identifier = newID(), rules.ImageIdentifier(index+1)
		e.Images = append(e.Images, m)
		if m.Identifier == lost {
			continue
		}
		if err := h.images.Blobs.Put(h.Context(), blob.OriginalKey(m.UUID), m.MimeType, []byte(m.Identifier)); err != nil {
			h.Fatal(err)
		}
	}
	h.mustSave(e)
	return e
}

// files returns the files in the store, by the uuids of the images.
func (h *house) files() map[string]string {
	h.Helper()
	found := map[string]string{}
	names, err := filepath.Glob(filepath.Join(h.pictures, blob.Images, "*", "*"))
	if err != nil {
		h.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name) //nolint:gosec // written by the test
		if err != nil {
			h.Fatal(err)
		}
		found[filepath.Base(filepath.Dir(name))] = string(data)
	}
	return found
}

// sweep deletes the files that no row names, long after they were written.
func (h *house) sweep() {
	h.Helper()
	sweeper := blob.NewSweeper(blob.SweeperOptions{
		Store: h.images.Blobs, Folders: []blob.Folder{{Name: blob.Images, Live: h.images.Live}}, Log: h.images.Log,
		Now: func() time.Time { return future },
	})
	if _, err := sweeper.Sweep(h.Context()); err != nil {
		h.Fatal(err)
	}
}

// A duplicate has images of its own, with everything that is said of them. They stay when the
// original is deleted. An image whose file is lost is left out.
func TestDuplicatesHaveImagesOfTheirOwn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	original := h.illustrated("gallery_3")
	made, err := h.images.DuplicateEvent(h.member(mayAdd, 0), at(original.UUID), Duplication{})
	if err != nil {
		t.Fatal(err)
	}
	images := h.storedEvent(made.Answer.UUID).Entity.Images
	same(t, made.Answer.Images, images)
	files, want := h.files(), map[string]string{}
	said := slices.Clone(original.Images)
	said = slices.DeleteFunc(said, func(m rules.Image) bool { return m.Identifier == "gallery_3" })
	if len(images) != len(said) || len(files) != 2*len(said) {
		t.Fatalf("%d images and %d files, of %d images", len(images), len(files), len(said))
	}
	for i, m := range images {
		if m.UUID == said[i].UUID {
			t.Errorf("%s has the uuid of the original's", m.Identifier)
		}
		said[i].UUID, want[m.UUID] = m.UUID, m.Identifier
	}
	same(t, images, said)

	if err := h.editor.RemoveEvent(h.member(events.removeRight|releaseRight(original, original), 0), at(original.UUID), password); err != nil {
		t.Fatal(err)
	}
	h.sweep()
	if files = h.files(); !maps.Equal(files, want) {
		t.Errorf("the store keeps %v, want %v", files, want)
	}
}

// exec runs statements of a test.
func (h *house) exec(statements string, arguments ...any) {
	h.Helper()
	if _, err := h.db.Pool().Exec(h.Context(), statements, arguments...); err != nil {
		h.Fatal(err)
	}
}

const refuseImages = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON event_image FOR EACH ROW EXECUTE FUNCTION refuse()`

// A duplicate that is refused leaves neither rows nor files; the files of one that fails are swept.
func TestDuplicatesThatFailLeaveNoImages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	original := h.illustrated("")
	h.exec("UPDATE event_date SET start_date = '2999-12-31' WHERE event_uuid = $1", original.UUID)
	before, ctx := h.files(), h.member(mayAdd, 0)
	_, err := h.images.DuplicateEvent(ctx, at(original.UUID), Duplication{ShiftDays: 1})
	h.mustRefuse(err, fault.Invalid, "shift_days")
	if after := h.files(); !maps.Equal(after, before) {
		t.Errorf("refused, it leaves %d files beside %d", len(after), len(before))
	}

	h.exec(refuseImages)
	if _, err := h.images.DuplicateEvent(ctx, at(original.UUID), Duplication{}); err == nil || fault.Of(err).Kind != fault.Internal {
		t.Fatalf("got %v", err)
	}
	if rows := one[int](h.stage, "SELECT count(*) FROM event_image"); rows != len(before) {
		t.Errorf("%d rows of images, want %d", rows, len(before))
	}
	if left := len(h.files()) - len(before); left != rules.MaxImages {
		t.Errorf("it leaves %d files", left)
	}
	h.sweep()
	if after := h.files(); !maps.Equal(after, before) {
		t.Errorf("after the sweep there are %d files, want %d", len(after), len(before))
	}
}
