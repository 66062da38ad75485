package lists

import (
	"context"
	"errors"

	"litfass/pkg/document"
	"litfass/pkg/variants"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Image returns what an image of a public event is drawn by; uuid is in its canonical form.
func (r *Reader) Image(ctx context.Context, uuid string) (document.Picture, error) {
	pictures, err := r.pictures(ctx, uuid)
	if errors.Is(err, engine.ErrOutdated) {
		pictures, err = r.formerPictures(ctx, uuid)
	}
	if err != nil {
		return document.Picture{}, err
	}
	for _, picture := range pictures {
		if picture.UUID == uuid {
			return picture, nil
		}
	}
	return document.Picture{}, variants.NoImage()
}

// pictures returns all pictures of the event that has this one.
func (r *Reader) pictures(ctx context.Context, uuid string) (all []document.Picture, err error) {
	compiled, _ := filter.Compile(filter.EventsWithPicture(uuid))
	events, err := engine.Documents[document.Event](ctx, r.engine, document.Events, compiled, []string{"pictures"})
	for _, event := range events {
		all = append(all, event.Pictures...)
	}
	return all, err
}

// formerPictures is pictures for documents of Version 3.
func (r *Reader) formerPictures(ctx context.Context, uuid string) (all []document.Picture, err error) {
	type event struct {
		View struct {
			Images []document.Picture `json:"images"`
		} `json:"view"`
	}
	compiled, _ := filter.Compile(filter.FormerEventsWithPicture(uuid))
	events, err := engine.Documents[event](ctx, r.engine, document.Events, compiled, []string{"view.images"})
	for _, event := range events {
		all = append(all, event.View.Images...)
	}
	return all, err
}
