package images

import (
	"net/http"

	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
)

// maxFile is how many bytes a file may have.
const maxFile = 5 << 20

// add stores a file in the first empty place.
func (p pages) add(r *page.Request) error {
	s, err := readToEdit(r)
	if err != nil {
		return err
	}
	return p.store(s, func() (int, error) {
		place := s.free()
		if place == 0 {
			return 0, refusal{Message: "images.refused.full"}
		}
		return place, nil
	})
}

// replace stores a file in the place of an image.
func (p pages) replace(r *page.Request) error {
	s, err := readToEdit(r)
	if err != nil {
		return err
	}
	return p.store(s, func() (int, error) {
		at, err := s.chosen()
		if err != nil {
			return 0, err
		}
		return placeOf(s.event.Images[at]), nil
	})
}

// store stores the file of the form in a place, which is chosen again when the event has changed in
// between.
func (p pages) store(s *sheet, choose func() (place int, err error)) error {
	sent, err := s.Form.File("picture")
	if err != nil {
		return err
	}
	if err := check(sent); err != nil {
		return p.refuse(s, err)
	}
	err = version.Write(s.Text, func() error {
		place, err := choose()
		if err != nil {
			return err
		}
		return s.Admin().UploadImage(s.event.UUID, place, s.tag, sent.Content)
	}, s.reload)
	if err != nil {
		return p.refuse(s, refusalOf(err, sent.Content))
	}
	return p.done(s)
}

// check refuses files that the admin service would refuse, without sending them.
func check(sent *page.File) error {
	switch {
	case sent == nil:
		return refusal{Message: "images.refused.none"}
	case len(sent.Content) == 0:
		return refusal{Message: "images.refused.empty"}
	case len(sent.Content) > maxFile:
		return refusal{Message: "refusal.image_too_large"}
	}
	return nil
}

// done answers after a write: a script replaces the section, else the page is shown again.
func (p pages) done(s *sheet) error {
	if !s.Script {
		return s.Go(s.address()+"#pictures", "saved")
	}
	if err := s.reload(); err != nil {
		return err
	}
	return s.ShowPart(append(s.beside(), section(s))...)
}

// refuse answers with why a file was refused. Other errors pass.
func (p pages) refuse(s *sheet, err error) error {
	refused, is := err.(refusal) //nolint:errorlint // it is never wrapped
	if !is {
		return err
	}
	s.Status(http.StatusUnprocessableEntity)
	if s.Script {
		return s.ShowPart(reason(s.Text, refused))
	}
	s.refusal = refused
	return p.whole(s.Request, s.event.UUID, "pictures", section(s))
}
