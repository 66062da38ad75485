package catalog

import (
	"slices"
	"strconv"
)

// MaxImages is how many images an event has at most.
const MaxImages = 8

// ImageIdentifier returns the identifier of the image at an index, 1 to MaxImages: the main one,
// then those of the gallery (known-clients.md 16).
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
