// Package images has the section of a page with the images of an event, or the image of a series:
// adding, replacing, ordering and deleting them, the words about each, and its focus point.
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
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
)

// Subject is an event or a series with the images that one person sees.
type Subject struct {
	Title  string // of the section
	Page   string // path below which the routes of the section are
	Org    string // uuid of the organization that it belongs to
	Tag    string // its ETag
	Images []adminapi.Image
	Max    int // number of images
	// Need are the permissions that a change takes, and Edits is whether the person has them.
	Need   permission.Set
	Edits  bool
	Public bool // visitors see it
	// Image returns the operations on the image in a place, from 1.
	Image func(place int) client.Image
	// Order puts the images in the order of their uuids; nil where there is one image only.
	Order func(uuids []string) error
	// Beside are other components of the page that a write changes, for a script to replace.
	Beside []templ.Component
	// Changed returns a sentence about who has changed an image last; nil: that is not known.
	Changed func(image string) string
	// Question is asked instead of storing a form that was drawn before visitors saw the images; ""
	// for none.
	Question string
}

// Kind is the kind of entity whose images a section has.
type Kind struct {
	Path string // the route below which those of the section are
	// Section is the rest of the route, after Path, of the page with the section.
	Section string
	// Read reads the one that the address names, as it is now.
	Read func(r *page.Request) (Subject, error)
	// File returns the operations on the image in a place of the one that the address names.
	File func(r *page.Request, place int) (client.Image, error)
	// Whole shows the page around the section.
	Whole func(r *page.Request, drawn templ.Component) error
	Max   int // number of images
}

// Mount adds the routes of the section.
func (k Kind) Mount(r page.Router) {
	at := k.Path + "/pictures"
	r.Post(at, k.add)
	r.Get(at+"/:place/file", k.file)
	r.Post(at+"/:image/words", k.saveWords)
	r.Post(at+"/:image/focus", k.saveFocus)
	r.Get(at+"/:image/replace", k.lead)
	r.Post(at+"/:image/replace", k.replace)
	if k.Max > 1 {
		r.Post(at+"/:image/move", k.move)
	}
	r.Get(at+"/:image/delete", k.ask)
	r.Post(at+"/:image/delete", k.remove)
}

// lead leads from the address of forms of the section to the section itself. It says nothing of
// the subject.
func (k Kind) lead(r *page.Request) error {
	segments := strings.Split(k.Path+k.Section, "/")
	for i, segment := range segments {
		if name, variable := strings.CutPrefix(segment, ":"); variable {
			uuid, err := r.UUID(name)
			if err != nil {
				return err
			}
			segments[i] = uuid
		}
	}
	return r.Go(page.Root+strings.Join(segments, "/")+"#pictures", "")
}

// sheet is the section of a subject in one request.
type sheet struct {
	*page.Request
	of       Subject
	kind     Kind
	licences lookup.Choices
	refusal  refusal                    // of the last upload
	drawn    map[string]templ.Component // forms that are shown as they are given, by their ids
}

// read reads the subject that the path names.
func (k Kind) read(r *page.Request) (*sheet, error) {
	s := &sheet{Request: r, kind: k}
	if err := s.reload(); err != nil {
		return nil, err
	}
	s.licences, _ = r.Lookup().Choices("licenses") // the rest of the page works without their names
	return s, nil
}

// readToEdit is read for people who may edit the subject. The error is Forbidden for all others who
// can read it.
func (k Kind) readToEdit(r *page.Request) (*sheet, error) {
	s, err := k.read(r)
	if err == nil && !s.of.Edits {
		err = page.ErrForbidden
	}
	return s, err
}

// reload reads the subject again.
func (s *sheet) reload() (err error) {
	s.of, err = s.kind.Read(s.Request)
	return err
}

// home is the address of the section.
func (s *sheet) home() string { return s.of.Page + s.kind.Section + "#pictures" }

// address returns the path of a route of the section.
func (s *sheet) address(below ...string) string {
	return strings.Join(append([]string{s.of.Page}, below...), "/")
}

// chosen returns the index of the image that the path names. The error is NotFound when it is
// gone.
func (s *sheet) chosen() (int, error) {
	uuid, err := s.UUID("image")
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(s.of.Images, func(m adminapi.Image) bool { return m.UUID == uuid })
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
	for place := 1; place <= s.of.Max; place++ {
		if !slices.ContainsFunc(s.of.Images, func(m adminapi.Image) bool { return placeOf(m) == place }) {
			return place
		}
	}
	return 0
}

// source returns the address of an image: cropped to a ratio such as "3:2", or whole for "". It
// changes with the image and its focus point, so that browsers may cache it.
func (s *sheet) source(m adminapi.Image, ratio string, width int) string {
	return Source(s.of.Page, m, ratio, width)
}

// Source is the address of an image of the subject with a page.
func Source(path string, m adminapi.Image, ratio string, width int) string {
	query := url.Values{"width": {strconv.Itoa(width)}, "v": {m.UUID}}
	if ratio != "" {
		query.Set("ratio", ratio)
		query.Set("v", m.UUID+"-"+percent(m.FocusX)+"-"+percent(m.FocusY))
	}
	return path + "/pictures/" + strconv.Itoa(placeOf(m)) + "/file?" + query.Encode()
}
