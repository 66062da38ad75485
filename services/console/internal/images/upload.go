package images

import (
	"net/http"
	"slices"

	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
)

// maxFile is how many bytes a file may have.
const maxFile = 5 << 20

// add stores a file in the first empty place.
func (k Kind) add(r *page.Request) error {
	s, err := k.readToEdit(r)
	if err != nil {
		return err
	}
	return k.store(s, func() (int, error) {
		place := s.free()
		if place == 0 {
			return 0, refusal{Message: s.full()}
		}
		return place, nil
	})
}

// replace stores a file in the place of an image.
func (k Kind) replace(r *page.Request) error {
	s, err := k.readToEdit(r)
	if err != nil {
		return err
	}
	return k.store(s, func() (int, error) {
		at, err := s.chosen()
		if err != nil {
			return 0, err
		}
		return placeOf(s.of.Images[at]), nil
	})
}

// store stores the file of the form in a place, which is chosen again when the subject has changed
// in between.
func (k Kind) store(s *sheet, choose func() (place int, err error)) error {
	sent, err := s.Form.File("picture")
	if err != nil {
		return err
	}
	if err := check(sent); err != nil {
		return k.refuse(s, err)
	}
	err = version.Write(s.Text, func() error {
		place, err := choose()
		if err != nil {
			return err
		}
		return s.of.Image(place).Upload(s.of.Tag, sent.Content)
	}, s.reload)
	if err != nil {
		return k.refuse(s, refusalOf(err, sent.Content))
	}
	return k.done(s)
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
func (k Kind) done(s *sheet) error {
	if !s.Script {
		return s.Go(s.home(), "saved")
	}
	if err := s.reload(); err != nil {
		return err
	}
	return s.ShowPart(append(slices.Clone(s.of.Beside), section(s))...)
}

// refuse answers with why a file was refused. Other errors pass.
func (k Kind) refuse(s *sheet, err error) error {
	refused, is := err.(refusal) //nolint:errorlint // it is never wrapped
	if !is {
		return err
	}
	s.Status(http.StatusUnprocessableEntity)
	if s.Script {
		return s.ShowPart(reason(s.Text, refused))
	}
	s.refusal = refused
	return k.Whole(s.Request, section(s))
}
