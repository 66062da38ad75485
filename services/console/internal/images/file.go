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

// file answers with the image in a place of an event, which the admin service shows to members.
// The browser keeps it and asks each time whether it is still the same.
func file(r *page.Request) error {
	event, err := r.UUID("event")
	if err != nil {
		return err
	}
	place, err := strconv.Atoi(r.Param("place"))
	if err != nil || place < 1 || place > maxImages {
		return fault.New(fault.NotFound, "", "there is no such image")
	}
	answer, err := r.Admin().Image(event, place, shape(r.Query), r.KnownTag())
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
