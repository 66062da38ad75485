package demo

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/value"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/app/demo/poster"
	"litfass/services/admin/internal/catalogue/rules"
)

// posters is the number of images that the events share: drawing one for each would take minutes.
const posters = 16

// drawnPosters draws them, once.
var drawnPosters = sync.OnceValues(func() ([posters]poster.Poster, error) {
	var all [posters]poster.Poster
	var drawing errgroup.Group
	for i := range all {
		drawing.Go(func() (err error) {
			all[i], err = poster.Draw("litfass " + strconv.Itoa(i))
			return err
		})
	}
	return all, drawing.Wait()
})

// addImage gives an event a main image; one in ten has none.
func (g *generator) addImage(e *rules.Event) {
	r := chance("picture " + e.UUID)
	if r.IntN(10) == 0 {
		return
	}
	drawn, err := drawnPosters()
	if err != nil {
		panic(err) // a drawing of ours always encodes
	}
	number := r.IntN(posters)
	image := rules.Image{
		UUID: identity("image", e.UUID), Identifier: rules.MainImage, MimeType: imaging.JPEG.ContentType(),
		Width: drawn[number].Width, Height: drawn[number].Height, AltText: value.Text(e.Title), License: "cc0",
		CreatorName: "Litfass",
		FocusX:      pointer(round(drawn[number].FocusX, 2)), FocusY: pointer(round(drawn[number].FocusY, 2)),
	}
	e.Images = []rules.Image{image}
	g.made.posters[image.UUID] = number
}

// WithoutImages removes the images of all events, for a deployment without a store.
func (c Catalogue) WithoutImages() Catalogue {
	for i := range c.Events {
		c.Events[i].Images = nil
	}
	return c
}

// StoreImages stores the files of the catalogue's images, as uploads do.
func (c Catalogue) StoreImages(ctx context.Context, blobs *blob.Store) error {
	drawn, err := drawnPosters()
	if err != nil {
		return err
	}
	budget := imaging.NewBudget(imaging.DefaultBudget)
	var originals [posters]imaging.Drawn
	for i, poster := range drawn {
		if originals[i], err = imaging.Ingest(ctx, budget, poster.JPEG); err != nil {
			return fmt.Errorf("read poster %d: %w", i, err)
		}
	}
	for uuid, number := range c.posters {
		original := originals[number]
		if err := blobs.Put(ctx, blob.OriginalKey(uuid), original.Type.ContentType(), original.Data); err != nil {
			return err
		}
	}
	return nil
}
