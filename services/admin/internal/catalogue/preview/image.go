package preview

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// ImagePath lies between the token of a link and the uuid of one of the event's images.
const ImagePath = "/image/"

// addressImages gives the images of an event addresses that need only the token: the addresses of
// package project work once the event is public.
func (s *Service) addressImages(view *publicapi.Event, token string) {
	below := s.PublicURL + Path + token + ImagePath
	for i := range view.Images {
		view.Images[i].Path = below + view.Images[i].UUID
	}
	if view.ImageUUID != "" {
		view.ImagePath = value.Text(below) + view.ImageUUID
	}
}

const (
	imagesOfEvent = `
SELECT uuid::text, mime_type, width, height, focus_x, focus_y
FROM event_image
WHERE event_uuid = $1`

	selectImage = imagesOfEvent + `
    AND uuid = $2`

	selectImageAt = imagesOfEvent + `
    AND identifier = $2`

	selectImageOfSeries = `
SELECT uuid::text, mime_type, width, height, focus_x, focus_y
FROM event_image
WHERE series_uuid = $1`
)

// Image is a variant of an image, with its bytes.
type Image struct {
	Type string // image/jpeg or image/png
	variants.Content
}

// Image returns a variant of an image of the event of a link; uuid is in its canonical form. The
// faults: NotFound for a token that is unknown, or has ended, and for an image of another
// event; and the faults of variants.Service.Open.
func (s *Service) Image(ctx context.Context, token, uuid string, shape imaging.Variant) (Image, error) {
	var found variants.Image
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		event, err := s.linked(ctx, tx, token)
		if err != nil {
			return err
		}
		found, err = imageOf(ctx, tx, selectImage, event, uuid)
		return err
	})
	if err != nil {
		return Image{}, err
	}
	variant := variants.Of(found, shape)
	opened, err := s.Variants.Open(ctx, variant)
	return Image{variant.Type, opened}, err
}

// EventImage returns a variant of the image at a place of an event to the members of its
// organization, for variants.Service.Open. The faults: NotFound for a stranger, and when the place
// is empty.
func (s *Service) EventImage(
	ctx context.Context, event, identifier string, shape imaging.Variant,
) (variant variants.Variant, err error) {
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, 0); err != nil {
			return err
		}
		found, err := imageOf(ctx, tx, selectImageAt, event, identifier)
		variant = variants.Of(found, shape)
		return err
	})
	return variant, err
}

// SeriesImage is EventImage for the image of a series.
func (s *Service) SeriesImage(
	ctx context.Context, series string, shape imaging.Variant,
) (variant variants.Variant, err error) {
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.RequireSeries(ctx, tx, auth.PrincipalOf(ctx), series, 0); err != nil {
			return err
		}
		found, err := imageOf(ctx, tx, selectImageOfSeries, series)
		variant = variants.Of(found, shape)
		return err
	})
	return variant, err
}

// imageOf returns the image that a query selects.
func imageOf(ctx context.Context, tx pgx.Tx, query string, args ...any) (variants.Image, error) {
	rows, _ := tx.Query(ctx, query, args...) // the error comes with the rows
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[variants.Image])
	if errors.Is(err, pgx.ErrNoRows) {
		return found, variants.NoImage()
	}
	if err != nil {
		return found, fmt.Errorf("read image: %w", err)
	}
	return found, nil
}
