// Package images has the section of an event's page with its images: adding, replacing, ordering
// and deleting them, the words about each, and its focus point.
package images

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
)

// maxImages is the limit of images of an event.
const maxImages = 8

// Mount adds the routes of the section. whole shows the page of an event around it.
func Mount(r page.Router, whole page.WholePage) {
	p := pages{whole}
	r.Get("/event/:event/pictures", p.lead)
	r.Post("/event/:event/pictures", p.add)
	r.Get("/event/:event/pictures/:place/file", file)
	r.Post("/event/:event/pictures/:image/words", p.saveWords)
	r.Post("/event/:event/pictures/:image/focus", p.saveFocus)
	r.Get("/event/:event/pictures/:image/replace", p.lead)
	r.Post("/event/:event/pictures/:image/replace", p.replace)
	r.Post("/event/:event/pictures/:image/move", p.move)
	r.Get("/event/:event/pictures/:image/delete", p.ask)
	r.Post("/event/:event/pictures/:image/delete", p.remove)
}

type pages struct{ whole page.WholePage }

// lead leads from the address of forms of the section to the section itself.
func (p pages) lead(r *page.Request) error {
	uuid, err := r.UUID("event")
	if err != nil {
		return err
	}
	return r.Go(page.Root+"/event/"+uuid+"#pictures", "")
}

// sheet is an event whose images one person sees.
type sheet struct {
	*page.Request
	event    adminapi.Event
	tag      string
	may      permission.Set
	licences lookup.Choices
	refusal  refusal                    // of the last upload
	drawn    map[string]templ.Component // forms that are shown as they are given, by their ids
}

// read reads the event that the path names.
func read(r *page.Request) (*sheet, error) {
	uuid, err := r.UUID("event")
	if err != nil {
		return nil, err
	}
	s := &sheet{Request: r}
	if err := s.load(uuid); err != nil {
		return nil, err
	}
	s.licences, _ = r.Lookup().Choices("licenses") // the rest of the page works without their names
	return s, nil
}

// readToEdit is read for people who may edit the event. The error is Forbidden for all others who
// can read it.
func readToEdit(r *page.Request) (*sheet, error) {
	s, err := read(r)
	if err != nil {
		return nil, err
	}
	return s, r.RequireFor(s.event, permission.EditEvent)
}

// load reads the event as it is now.
func (s *sheet) load(uuid string) error {
	event, tag, err := s.Admin().Event(uuid)
	if err != nil {
		return err
	}
	s.event, s.tag, s.may = event, tag, s.RightsTo(event)
	return nil
}

// reload reads the event again.
func (s *sheet) reload() error { return s.load(s.event.UUID) }

// edits reports whether the person may change the images.
func (s *sheet) edits() bool { return s.may.Has(permission.EditEvent) }

// address returns the path of the event's page, or of one below it.
func (s *sheet) address(below ...string) string {
	return strings.Join(append([]string{page.Root + "/event/" + s.event.UUID}, below...), "/")
}

// chosen returns the index of the image that the path names. The error is NotFound when it is
// gone.
func (s *sheet) chosen() (int, error) {
	uuid, err := s.UUID("image")
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(s.event.Images, func(m adminapi.Image) bool { return m.UUID == uuid })
	if at < 0 {
		return 0, fault.New(fault.NotFound, "", "this image is no longer there")
	}
	return at, nil
}

// placeOf returns the number of an image's place, by which operations name it: 1 is the main one.
func placeOf(m adminapi.Image) int {
	_, number, inGallery := strings.Cut(m.Identifier, "_")
	if !inGallery {
		return 1
	}
	place, _ := strconv.Atoi(number) // the service writes it
	return place + 1
}

// free returns the number of the first empty place; 0 when there is none.
func (s *sheet) free() int {
	for place := 1; place <= maxImages; place++ {
		if !slices.ContainsFunc(s.event.Images, func(m adminapi.Image) bool { return placeOf(m) == place }) {
			return place
		}
	}
	return 0
}

// source returns the address of an image: cropped to a ratio such as "3:2", or whole for "". It
// changes with the image and its focus point, so that browsers may cache it.
func (s *sheet) source(m adminapi.Image, ratio string, width int) string {
	query := url.Values{"width": {strconv.Itoa(width)}, "v": {m.UUID}}
	if ratio != "" {
		query.Set("ratio", ratio)
		query.Set("v", m.UUID+"-"+percent(m.FocusX)+"-"+percent(m.FocusY))
	}
	return s.address("pictures", strconv.Itoa(placeOf(m)), "file") + "?" + query.Encode()
}
