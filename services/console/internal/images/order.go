package images

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
)

// The moves of an image within the order of the event's images.
const (
	toFront = "front"
	earlier = "earlier"
	later   = "later"
)

// move gives an image another place in the order.
func (k Kind) move(r *page.Request) error {
	s, err := k.readToEdit(r)
	if err != nil {
		return err
	}
	to := r.Form.Get("to")
	if !slices.Contains([]string{toFront, earlier, later}, to) {
		return fault.New(fault.Invalid, "", "an image cannot be moved there")
	}
	err = version.Write(r.Text, func() error {
		at, err := s.chosen()
		if err != nil {
			return err
		}
		return s.of.Order(moved(s.of.Images, at, to))
	}, s.reload)
	if err != nil {
		return err
	}
	return k.done(s)
}

// moved returns the uuids of images in their order after one has moved.
func moved(images []adminapi.Image, at int, to string) []string {
	uuids := make([]string, len(images))
	for i, m := range images {
		uuids[i] = m.UUID
	}
	uuid, target := uuids[at], 0
	switch to {
	case earlier:
		target = max(at-1, 0)
	case later:
		target = min(at+1, len(uuids)-1)
	}
	return slices.Insert(slices.Delete(uuids, at, at+1), target, uuid)
}

// moves returns the moves that are possible for the image at an index. To the second image, the
// front is one place earlier.
func (s *sheet) moves(at int) []string {
	var all []string
	if at > 0 {
		all = append(all, toFront)
	}
	if at > 1 {
		all = append(all, earlier)
	}
	if at+1 < len(s.of.Images) {
		all = append(all, later)
	}
	return all
}
