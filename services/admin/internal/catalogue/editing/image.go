package editing

import (
	"context"
	"log/slog"
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

// Images are the operations on the images of events and series. The uuid in the row of an image is
// the key of its file in the blob store. Another file is another image with a uuid of its own, so
// that the file of a uuid never changes.
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

// OfEvents returns the operations on the images of events.
func (i *Images) OfEvents() Gallery[*rules.Event] { return Gallery[*rules.Event]{i, events} }

// OfSeries returns those on the images of series.
func (i *Images) OfSeries() Gallery[*rules.Series] { return Gallery[*rules.Series]{i, manySeries} }

// Gallery has the operations on the images of the entities of one kind.
type Gallery[E rules.Pictured] struct {
	*Images
	kind ownedKind[E]
}

// Find returns the image at a place of an entity to the members of its organization: nil when the
// place is empty. The version is that of the entity. A stranger's is a NotFound fault.
func (g Gallery[E]) Find(ctx context.Context, key, identifier string) (Versioned[*rules.Image], error) {
	found, err := get(ctx, g.Editor, g.kind, key)
	if err != nil {
		return Versioned[*rules.Image]{}, err
	}
	return Versioned[*rules.Image]{Version: found.Version, Answer: found.Answer.ImageAt(identifier)}, nil
}

// CheckEdit returns the fault for which a write to an entity would be refused regardless of its
// content: NotFound, Forbidden or Stale. It keeps files that would be refused out of memory.
func (g Gallery[E]) CheckEdit(ctx context.Context, at Target) error {
	return g.Editor.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, _, err := g.kind.loadToWrite(ctx, tx, at, g.kind.editRight)
		return err
	})
}

// Describe edits the description of the image at a place. It returns the faults of update, and
// NotFound when the place is empty.
func (g Gallery[E]) Describe(
	ctx context.Context, at Target, identifier string, edit func(E, *rules.Image),
) (Versioned[StoredImage], error) {
	updated, err := update(ctx, g.Editor, g.kind, at, func(e E) error {
		image := e.ImageAt(identifier)
		if image == nil {
			return errNoImage()
		}
		edit(e, image)
		return nil
	})
	if err != nil {
		return Versioned[StoredImage]{}, err
	}
	return Versioned[StoredImage]{Version: updated.Version, Answer: StoredImage{Image: *updated.Answer.ImageAt(identifier)}}, nil
}

// rowTime bounds the write of the row once its file is stored. It is not cut short by the end of
// the request, which many uploads at once reach: the file would stay without a row.
const rowTime = 5 * time.Second

// Put stores a file as the image at a place and replaces the image there. edit sets its
// description; the old image's description is discarded. It returns the faults of imaging.Ingest
// and update, and Unavailable without a store.
func (g Gallery[E]) Put(
	ctx context.Context, at Target, identifier string, file []byte, edit func(E, *rules.Image),
) (Versioned[StoredImage], error) {
	image, err := g.store(ctx, file)
	if err != nil {
		return Versioned[StoredImage]{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rowTime)
	defer cancel()
	image.Identifier = identifier
	var stored StoredImage
	updated, err := update(ctx, g.Editor, g.kind, at, func(e E) error {
		described := image
		edit(e, &described)
		stored.Replaced = e.PutImage(described)
		stored.Created = stored.Replaced == ""
		return nil
	})
	if err != nil {
		if notStored(err) {
			g.discard(ctx, image)
		}
		return Versioned[StoredImage]{}, err
	}
	if stored.Replaced != "" {
		g.discard(ctx, rules.Image{UUID: stored.Replaced})
	}
	stored.Image = *updated.Answer.ImageAt(identifier)
	return Versioned[StoredImage]{Version: updated.Version, Answer: stored}, nil
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

// Remove removes the image at a place of an entity, or all of them when the identifier is "". It
// returns the faults of update, and NotFound when there is none.
func (g Gallery[E]) Remove(ctx context.Context, at Target, identifier string) (Versioned[E], error) {
	var removed []rules.Image
	updated, err := update(ctx, g.Editor, g.kind, at, func(e E) error {
		if removed = e.RemoveImages(identifier); len(removed) == 0 {
			return errNoImage()
		}
		return nil
	})
	if err == nil {
		g.discard(ctx, removed...)
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
