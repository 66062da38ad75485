package images

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
)

// drawnTypes are the types in which the admin service draws images.
var drawnTypes = []string{"image/jpeg", "image/png"}

// file answers with the image in a place of a subject, which the admin service shows to members.
// The browser keeps it and asks each time whether it is still the same.
func (k Kind) file(r *page.Request) error {
	place, err := strconv.Atoi(r.Param("place"))
	if err != nil || place < 1 || place > k.Max {
		return fault.New(fault.NotFound, "", "there is no such image")
	}
	image, err := k.File(r, place)
	if err != nil {
		return err
	}
	answer, err := image.File(shape(r.Query), r.KnownTag())
	if err != nil {
		return err
	}
	r.Header("Cache-Control", "private, no-cache")
	r.Header("ETag", answer.Tag)
	if answer.Status == http.StatusNotModified {
		return r.Status(http.StatusNotModified).SendFile(nil, drawnTypes[0], "")
	}
	if !slices.Contains(drawnTypes, answer.Type) {
		return fault.New(fault.Unavailable, "", "the service answers with what is no image")
	}
	return r.SendFile(answer.Body, answer.Type, "")
}

// shape returns the parameters of the query that the admin service knows.
func shape(query url.Values) url.Values {
	known := url.Values{}
	for _, name := range []string{"width", "ratio"} {
		if query.Has(name) {
			known.Set(name, query.Get(name))
		}
	}
	return known
}
