package images

import (
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// ask asks before an image is deleted, which cannot be undone.
func (p pages) ask(r *page.Request) error {
	s, err := readToEdit(r)
	if err != nil {
		return err
	}
	at, err := s.chosen()
	if err != nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("images.delete.title"), Section: s.event.OrgUUID, Content: deletion(s, at),
	})
}

// remove deletes an image.
func (p pages) remove(r *page.Request) error {
	s, err := readToEdit(r)
	if err != nil {
		return err
	}
	err = version.Write(r.Text, func() error {
		at, err := s.chosen()
		if err != nil {
			return err
		}
		return s.Admin().DeleteImage(s.event.UUID, placeOf(s.event.Images[at]), s.tag)
	}, s.reload)
	if err != nil {
		return err
	}
	return r.Go(s.address()+"#pictures", "picture_deleted")
}
