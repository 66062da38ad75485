package lists

import (
	"context"

	"litfass/pkg/document"
	"litfass/pkg/variants"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Image returns an image of a public event, and the event's uuid; uuid is in its canonical form.
func (r *Reader) Image(ctx context.Context, uuid string) (image document.Image, event string, err error) {
	type imagesView struct {
		Images []document.Image `json:"images"`
	}
	compiled, _ := filter.Compile(filter.EventsWithImage(uuid))
	events, err := engine.Documents[document.Record[imagesView]](
		ctx, r.engine, document.Events, compiled, []string{"id", "view.images"})
	if err != nil {
		return document.Image{}, "", err
	}
	for _, event := range events {
		if event.View == nil {
			continue
		}
		for _, image := range event.View.Images {
			if image.UUID == uuid {
				return image, event.ID, nil
			}
		}
	}
	return document.Image{}, "", variants.NoImage()
}
