package editing

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// ImageOptions are the dependencies of Images.
type ImageOptions struct {
	Editor *Editor
	Blobs  *blob.Store // nil: files are answered with Unavailable
	Budget *imaging.Budget
	Log    *slog.Logger
}

// Images are the operations on the images of events. The uuid in the row of an image is the key of
// its file in the blob store. Another file is another image with a uuid of its own, so that the
// file of a uuid never changes.
//
// First the blob is stored, then the row, then the blob of the image that was there before is
// deleted. blob.Sweeper deletes the blobs that an interruption leaves.
type Images struct{ ImageOptions }

// NewImages returns the operations.
func NewImages(options ImageOptions) *Images { return &Images{options} }

// StoredImage is an image after a write.
type StoredImage struct {
	rules.Image
	Replaced string // uuid of the image whose place it took; "" for none
	Created  bool   // its place was empty
}

// Find returns the image at a place of an event to the members of its organization: nil when the
// place is empty. The version is that of the event. A stranger's event is a NotFound fault.
func (i *Images) Find(ctx context.Context, event, identifier string) (Versioned[*rules.Image], error) {
	found, err := get(ctx, i.Editor, events, event)
	if err != nil {
		return Versioned[*rules.Image]{}, err
	}
	at := found.Answer.ImageAt(identifier)
	if at < 0 {
		return Versioned[*rules.Image]{Version: found.Version}, nil
	}
	return Versioned[*rules.Image]{Version: found.Version, Answer: &found.Answer.Images[at]}, nil
}

// CheckEdit returns the fault for which a write to an event would be refused regardless of its
// content: NotFound, Forbidden or Stale. It keeps files that would be refused out of memory.
func (i *Images) CheckEdit(ctx context.Context, at Target) error {
	return i.Editor.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, _, err := events.loadToWrite(ctx, tx, at, events.editRight)
		return err
	})
}

// Describe edits the description of the image at a place. It returns the faults of update, and
// NotFound when the place is empty.
func (i *Images) Describe(
	ctx context.Context, at Target, identifier string, edit func(*rules.Event, *rules.Image),
) (Versioned[StoredImage], error) {
	var stored StoredImage
	updated, err := update(ctx, i.Editor, events, at, func(e *rules.Event) error {
		place := e.ImageAt(identifier)
		if place < 0 {
			return errNoImage()
		}
		edit(e, &e.Images[place])
		stored = StoredImage{Image: e.Images[place]}
		return nil
	})
	return Versioned[StoredImage]{Version: updated.Version, Answer: stored.as(updated.Answer)}, err
}

// rowTime bounds the write of the row once its file is stored. It is not cut short by the end of
// the request, which many uploads at once reach: the file would stay without a row.
const rowTime = 5 * time.Second

// Put stores a file as the image at a place and replaces the image there. edit sets its
// description; the old image's description is discarded. It returns the faults of imaging.Ingest
// and update, and Unavailable without a store.
func (i *Images) Put(
	ctx context.Context, at Target, identifier string, file []byte, edit func(*rules.Event, *rules.Image),
) (Versioned[StoredImage], error) {
	image, err := i.store(ctx, file)
	if err != nil {
		return Versioned[StoredImage]{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rowTime)
	defer cancel()
	image.Identifier = identifier
	var stored StoredImage
	updated, err := update(ctx, i.Editor, events, at, func(e *rules.Event) error {
		stored = StoredImage{Image: image, Created: true}
		edit(e, &stored.Image)
		if place := e.ImageAt(identifier); place >= 0 {
			stored.Replaced, stored.Created = e.Images[place].UUID, false
			e.Images = slices.Delete(e.Images, place, place+1)
		}
		e.Images = append(e.Images, stored.Image)
		e.DropTextsOfImages()
		return nil
	})
	switch {
	case err == nil && stored.Replaced != "":
		i.discard(ctx, rules.Image{UUID: stored.Replaced})
	case notStored(err):
		i.discard(ctx, image)
	}
	return Versioned[StoredImage]{Version: updated.Version, Answer: stored.as(updated.Answer)}, err
}

// notStored reports whether an error of a write means that nothing was stored. After any other
// error the row may exist.
func notStored(err error) bool {
	return refusal(err) != nil ||
		fault.Is(err, fault.Stale) || fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden)
}

// store re-encodes a file, stores it, and returns its image.
func (i *Images) store(ctx context.Context, file []byte) (rules.Image, error) {
	if i.Blobs == nil {
		return rules.Image{}, fault.New(fault.Unavailable, "no_blob_store", "this service has no place for images")
	}
	drawn, err := imaging.Ingest(ctx, i.Budget, file)
	if err != nil {
		return rules.Image{}, err
	}
	id, err := newUUID()
	if err != nil {
		return rules.Image{}, err
	}
	image := rules.Image{
		UUID: id, MimeType: drawn.Type.ContentType(), Width: drawn.Size.X, Height: drawn.Size.Y,
	}
	return image, i.Blobs.Put(ctx, blob.OriginalKey(id), image.MimeType, drawn.Data)
}

// as returns the image in the form in which the event holds it now.
func (s StoredImage) as(event *rules.Event) StoredImage {
	if event != nil {
		if at := event.ImageAt(s.Identifier); at >= 0 {
			s.Image = event.Images[at]
		}
	}
	return s
}

// Remove removes the image at a place of an event, or all of them when the identifier is "". It
// returns the faults of update, and NotFound when there is none.
func (i *Images) Remove(ctx context.Context, at Target, identifier string) (Versioned[*rules.Event], error) {
	var removed []rules.Image
	updated, err := update(ctx, i.Editor, events, at, func(e *rules.Event) error {
		removed = nil
		e.Images = slices.DeleteFunc(e.Images, func(m rules.Image) bool {
			gone := identifier == "" || m.Identifier == identifier
			if gone {
				removed = append(removed, m)
			}
			return gone
		})
		if len(removed) == 0 {
			return errNoImage()
		}
		e.DropTextsOfImages()
		return nil
	})
	if err == nil {
		i.discard(ctx, removed...)
	}
	return updated, err
}

// discard deletes the files of images without a row. A failure leaves them to the sweeper.
func (i *Images) discard(ctx context.Context, images ...rules.Image) {
	if i.Blobs == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, m := range images {
		if err := i.Blobs.DeleteFolder(ctx, blob.ImageFolder(m.UUID)); err != nil {
			i.Log.WarnContext(ctx, "an image that was replaced or deleted stays in the blob store", "image", m.UUID, "error", err.Error())
		}
	}
}

// Live returns the uuids of all images with a row.
func (i *Images) Live(ctx context.Context) (map[string]bool, error) {
	live := map[string]bool{}
	err := i.Editor.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		uuids, err := store.ImageUUIDs(ctx, tx)
		for _, uuid := range uuids {
			live[uuid] = true
		}
		return err
	})
	return live, err
}

func errNoImage() error {
	return fault.New(fault.NotFound, "image_not_found", "there is no such image")
}
