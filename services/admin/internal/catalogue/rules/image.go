package rules

import (
	"slices"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
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

// Pictured is an entity with images: an *Event or a *Series.
type Pictured interface {
	Entity
	// ImageAt returns the image with an identifier, nil without one.
	ImageAt(identifier string) *Image
	// PutImage replaces the image with the identifier of another one, whose uuid it returns; "" for
	// none. The texts of that one are discarded.
	PutImage(image Image) (replaced string)
	// RemoveImages removes the image with an identifier, or all of them for "", and returns them.
	RemoveImages(identifier string) []Image
}

// ImageAt returns the image with an identifier, nil without one.
func (e *Event) ImageAt(identifier string) *Image {
	at := slices.IndexFunc(e.Images, func(m Image) bool { return m.Identifier == identifier })
	if at < 0 {
		return nil
	}
	return &e.Images[at]
}

// PutImage replaces the image with the identifier of another one.
func (e *Event) PutImage(image Image) (replaced string) {
	for _, former := range e.takeImages(image.Identifier) {
		replaced = former.UUID
	}
	e.Images = append(e.Images, image)
	e.DropTextsOfImages()
	return replaced
}

// RemoveImages removes the image with an identifier, or all of them for "".
func (e *Event) RemoveImages(identifier string) []Image {
	removed := e.takeImages(identifier)
	e.DropTextsOfImages()
	return removed
}

func (e *Event) takeImages(identifier string) (taken []Image) {
	e.Images = slices.DeleteFunc(e.Images, func(m Image) bool {
		gone := identifier == "" || m.Identifier == identifier
		if gone {
			taken = append(taken, m)
		}
		return gone
	})
	return taken
}

// ImageAt returns the image of the series, which is the main one, nil without one.
func (s *Series) ImageAt(identifier string) *Image {
	if s.Image == nil || s.Image.Identifier != identifier {
		return nil
	}
	return (*Image)(s.Image)
}

// PutImage replaces the image of the series.
func (s *Series) PutImage(image Image) (replaced string) {
	if s.Image != nil {
		replaced = s.Image.UUID
	}
	s.Image = (*adminapi.Image)(&image)
	s.dropTextsOfImages()
	return replaced
}

// RemoveImages removes the image of the series.
func (s *Series) RemoveImages(identifier string) []Image {
	if s.Image == nil || identifier != "" && s.Image.Identifier != identifier {
		return nil
	}
	removed := Image(*s.Image)
	s.Image = nil
	s.dropTextsOfImages()
	return []Image{removed}
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
