package view

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"litfass/services/site/internal/text"
)

// pictures is the path below which pictures are, with a slash at its end.
type pictures string

// publicPictures are those of what is public.
const publicPictures pictures = "/api/image/"

// whole returns the path of a picture as it was uploaded.
func (p pictures) whole(image string) string { return string(p) + image }

// cut returns the path of a picture, cut to 3 by 2 around its focus, with a width in pixels.
func (p pictures) cut(image string, width int) string {
	return fmt.Sprintf("%s?ratio=3:2&width=%d", p.whole(image), width)
}

// set returns the same picture in several widths, as srcset takes them.
func (p pictures) set(image string, widths ...int) string {
	set := make([]string, len(widths))
	for i, width := range widths {
		set[i] = fmt.Sprintf("%s %dw", p.cut(image, width), width)
	}
	return strings.Join(set, ", ")
}

// Picture returns the path of a public picture, cut to 3 by 2, with a width in pixels.
func Picture(image string, width int) string { return publicPictures.cut(image, width) }

// PictureSet returns the same picture in several widths, as srcset takes them.
func PictureSet(image string, widths ...int) string { return publicPictures.set(image, widths...) }

// posterStyles is how many looks the posters of events without a picture have.
const posterStyles = 6

// posterStyle returns the class of the poster of an event: always the same one.
func posterStyle(event string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(event)) // never fails
	return fmt.Sprintf("poster-%d", sum.Sum32()%posterStyles)
}

// initials returns the first letters of the first two words of a title.
func initials(title string) string {
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

// Price writes the price of an event, "" when nothing is known of it. Absent amounts are nil.
func Price(t *text.Texts, kind string, low, high *float64, currency string) string {
	switch {
	case kind == "free":
		return t.T("free")
	case kind == "donation":
		return t.T("donation")
	case low == nil || currency == "":
		return ""
	case high == nil || *high == *low:
		return t.Money(*low, currency)
	default:
		return t.With("price.from", "Price", t.Money(*low, currency))
	}
}
