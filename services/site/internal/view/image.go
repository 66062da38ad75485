package view

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"
)

// Images is the path of images, with a slash at its end.
type Images string

// PublicImages are the images of public entities.
const PublicImages Images = "/api/image/"

// version matches the version of an image in its address.
var version = regexp.MustCompile(`^[0-9A-Za-z-]+$`)

// Versioned returns the name of an image, for the methods of Images: its uuid with the version that
// its address in the API ends in, so that browsers need not ask for its variants again. Without a
// version it is the uuid.
func Versioned[T ~string](uuid, address T) string {
	_, named, _ := strings.Cut(string(address), string(PublicImages)+string(uuid)+"/")
	if !version.MatchString(named) {
		return string(uuid)
	}
	return string(uuid) + "/" + named
}

// Whole returns the path of an image as it was uploaded.
func (i Images) Whole(image string) string { return string(i) + image }

// Crop returns the path of an image that is cropped to 3:2 around its focus, at a width in pixels.
func (i Images) Crop(image string, width int) string { return i.crop(image, "3:2", width) }

// Wide is Crop to 16:9.
func (i Images) Wide(image string, width int) string { return i.crop(image, "16:9", width) }

func (i Images) crop(image, ratio string, width int) string {
	return fmt.Sprintf("%s?ratio=%s&width=%d", i.Whole(image), ratio, width)
}

// Set returns the cropped image in several widths, for the attribute srcset.
func (i Images) Set(image string, widths ...int) string { return set(image, i.Crop, widths) }

// WideSet is Set of images that are cropped to 16:9.
func (i Images) WideSet(image string, widths ...int) string { return set(image, i.Wide, widths) }

func set(image string, crop func(image string, width int) string, widths []int) string {
	sources := make([]string, len(widths))
	for n, width := range widths {
		sources[n] = fmt.Sprintf("%s %dw", crop(image, width), width)
	}
	return strings.Join(sources, ", ")
}

// ShareImage returns the path of the image of a share card, "" for none.
func ShareImage(image string) string {
	if image == "" {
		return ""
	}
	const width = 1200
	return PublicImages.Crop(image, width)
}

// posterStyles is the number of looks of the posters of events without an image.
const posterStyles = 6

// PosterStyle returns the class of an event's poster, always the same one for an event.
func PosterStyle(event string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(event)) // never fails
	return fmt.Sprintf("poster-%d", sum.Sum32()%posterStyles)
}

// Initials returns the first letters of the first two words of a title.
func Initials(title string) string {
	var letters []rune
	for _, word := range strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, first := range word {
			letters = append(letters, unicode.ToUpper(first))
			break
		}
		if len(letters) == 2 {
			break
		}
	}
	return string(letters)
}
