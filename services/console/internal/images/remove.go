package images

import (
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// ask asks before an image is deleted, which cannot be undone.
func (k Kind) ask(r *page.Request) error {
	s, err := k.readToEdit(r)
	if err != nil {
		return err
	}
	at, err := s.chosen()
	if err != nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("images.delete.title"), Section: s.of.Org, Content: deletion(s, at),
	})
}

// remove deletes an image.
func (k Kind) remove(r *page.Request) error {
	s, err := k.readToEdit(r)
	if err != nil {
		return err
	}
	err = version.Write(r.Text, func() error {
		at, err := s.chosen()
		if err != nil {
			return err
		}
		return s.of.Image(placeOf(s.of.Images[at])).Delete(s.of.Tag)
	}, s.reload)
	if err != nil {
		return err
	}
	return r.Go(s.home(), "picture_deleted")
}
