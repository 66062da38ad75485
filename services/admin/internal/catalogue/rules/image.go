package rules

import (
	"slices"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

// MaxImages is the maximum number of images of an event.
const MaxImages = 8

// ImageIdentifier returns the identifier of the image at an index, 1 to MaxImages: the main image,
// then the gallery (RULES.md, Images).
func ImageIdentifier(index int) string {
	if index == 1 {
		return MainImage
	}
	return "gallery_" + strconv.Itoa(index-1)
}

// ImageAt returns where in Images the image with an identifier is, -1 without one.
func (e *Event) ImageAt(identifier string) int {
	return slices.IndexFunc(e.Images, func(m Image) bool { return m.Identifier == identifier })
}

// OrderImages puts the images in the order of their uuids: the first one becomes the main one, the
// others follow in the gallery without a gap. The fault is Invalid unless each image is named once.
func (e *Event) OrderImages(uuids []string) error {
	var bad fault.Violations
	ordered := make([]Image, 0, len(e.Images))
	for i, text := range uuids {
		field := "images[" + strconv.Itoa(i) + "]"
		uuid, _ := value.UUIDv7(text) // text that is not a uuid matches no image
		has := func(m Image) bool { return m.UUID == uuid }
		switch at := slices.IndexFunc(e.Images, has); {
		case at < 0:
			bad.Add(field, reason.NotImage)
		case slices.ContainsFunc(ordered, has):
			bad.Add(field, reason.GivenTwice)
		default:
			image := e.Images[at]
			image.Identifier = ImageIdentifier(len(ordered) + 1)
			ordered = append(ordered, image)
		}
	}
	if len(bad) == 0 && len(ordered) < len(e.Images) {
		bad.Add("images", reason.NotAllImages(len(e.Images)))
	}
	if err := bad.Err("invalid_order", "the order does not name each image once"); err != nil {
		return err
	}
	e.Images = ordered
	return nil
}

// lacksAltText reports whether an image has no text for people who cannot see it.
func (m Image) lacksAltText() bool { return m.AltText == "" }
