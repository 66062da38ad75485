package params

import (
	"cmp"
	"encoding/base64"
	"strings"

	"litfass/pkg/chassis/fault/reason"
)

// Place is a place in the order of names without regard to case, then slugs.
type Place struct{ name, slug string }

// placeLength is the number of characters of a name that decide about its place.
const placeLength = 60

// PlaceOf returns the place of a name and a slug.
func PlaceOf(name, slug string) Place {
	name = strings.ReplaceAll(strings.ToLower(name), "\x00", "")
	characters := 0
	for at := range name {
		if characters == placeLength {
			name = name[:at]
			break
		}
		characters++
	}
	return Place{strings.Clone(name), slug}
}

// Compare orders places.
func (p Place) Compare(other Place) int {
	return cmp.Or(cmp.Compare(p.name, other.name), cmp.Compare(p.slug, other.slug))
}

// Cursor returns the text by which a request names the place.
func (p Place) Cursor() string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.name + "\x00" + p.slug))
}

// place reads the cursor of an answer.
func (r *reader) place(text string) {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	name, slug, two := strings.Cut(string(decoded), "\x00")
	if err != nil || !two {
		r.bad(reason.CursorGone)
		return
	}
	r.query.Place = &Place{name, slug}
}
