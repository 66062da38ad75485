package lists

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"litfass/pkg/contracts/document"
	"litfass/pkg/media/variants"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Image returns the properties that an image of a public event is drawn by, and the event's uuid;
// uuid is in its canonical form.
func (r *Reader) Image(ctx context.Context, uuid string) (image document.Image, event string, err error) {
	compiled, _ := filter.Compile(filter.EventsWithImage(uuid))
	events, err := engine.Documents[document.Event](
		ctx, r.engine, document.Events, compiled, []string{"id", "pictures"})
	if errors.Is(err, engine.ErrOutdated) {
		return r.formerImage(ctx, uuid, err)
	}
	if err != nil {
		return document.Image{}, "", err
	}
	for _, event := range events {
		for _, picture := range event.Images {
			if picture.UUID == uuid {
				return picture, event.ID, nil
			}
		}
	}
	return document.Image{}, "", variants.NoImage()
}

// formerImage is Image for an index of document.Version 3. Events written since then are not found
// by their images until the index is rebuilt, so a missing image may exist, and the given error is
// returned.
func (r *Reader) formerImage(
	ctx context.Context, uuid string, outdated error,
) (image document.Image, event string, err error) {
	type former struct {
		ID   string `json:"id"`
		View struct {
			Images []document.Image `json:"images"`
		} `json:"view"`
	}
	compiled, _ := filter.Compile(filter.FormerEventsWithImage(uuid))
	events, err := engine.Documents[former](
		ctx, r.engine, document.Events, compiled, []string{"id", "view.images"})
	if err != nil {
		return document.Image{}, "", err
	}
	for _, event := range events {
		for _, picture := range event.View.Images {
			if picture.UUID == uuid {
				return picture, event.ID, nil
			}
		}
	}
	return document.Image{}, "", outdated
}

// ImageOfSeries returns the properties that the image of a public series is drawn by.
func (r *Reader) ImageOfSeries(ctx context.Context, uuid string) (image document.Image, err error) {
	view, err := r.view(ctx, document.Series, document.EntityID(uuid), "series")
	if err != nil {
		return image, err
	}
	var series struct {
		Image *document.Image `json:"image"`
	}
	if err := json.Unmarshal(view, &series); err != nil {
		return image, fmt.Errorf("decode a series: %w", err)
	}
	if series.Image == nil {
		return image, variants.NoImage()
	}
	return *series.Image, nil
}
