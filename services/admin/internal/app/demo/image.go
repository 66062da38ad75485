package demo

import (
	"context"
	"strconv"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/value"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/app/demo/poster"
	"litfass/services/admin/internal/catalogue/rules"
)

// posters are the images that the events share: drawing one for each would take minutes.
var posters = func() (all [16]poster.Poster) {
	for i := range all {
		all[i] = poster.Compose("litfass " + strconv.Itoa(i))
	}
	return all
}()

// addImage gives an event a main image; one in ten has none.
func (g *generator) addImage(e *rules.Event) {
	r := chance("picture " + e.UUID)
	if r.IntN(10) == 0 {
		return
	}
	e.Images = []rules.Image{g.draw(identity("image", e.UUID), e.Title, r.IntN(len(posters)))}
}

// draw returns the image with a uuid that shows a poster.
func (g *generator) draw(uuid, alt string, number int) rules.Image {
	shown := posters[number]
	g.made.posters[uuid] = number
	return rules.Image{
		UUID: uuid, Identifier: rules.MainImage, MimeType: imaging.JPEG.ContentType(),
		Width: shown.Width, Height: shown.Height, AltText: value.Text(alt), License: "cc0", CreatorName: "Litfass",
		FocusX: pointer(round(shown.FocusX, 2)), FocusY: pointer(round(shown.FocusY, 2)),
	}
}

// WithoutImages removes the images of all events and series, for a deployment without a store.
func (c Catalogue) WithoutImages() Catalogue {
	for i := range c.Series {
		c.Series[i].Image = nil
	}
	for i := range c.Events {
		c.Events[i].Images = nil
	}
	return c
}

// StoreImages draws the catalogue's images and stores their files.
func (c Catalogue) StoreImages(ctx context.Context, blobs *blob.Store) error {
	var files [len(posters)][]byte
	var drawing errgroup.Group
	for i, poster := range posters {
		drawing.Go(func() (err error) {
			files[i], err = poster.Draw()
			return err
		})
	}
	if err := drawing.Wait(); err != nil {
		return err
	}
	for uuid, number := range c.posters {
		if err := blobs.Put(ctx, blob.OriginalKey(uuid), imaging.JPEG.ContentType(), files[number]); err != nil {
			return err
		}
	}
	return nil
}
