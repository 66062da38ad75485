package images

import (
	"net/http"
	"net/url"
	"strconv"

	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// ask asks before a picture is deleted, which cannot be undone.
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
		Title: r.Text.T("pictures.delete.title"), Section: s.event.OrgUUID, Content: deletion(s, at),
	})
}

// remove deletes a picture.
func (p pages) remove(r *page.Request) error {
	s, err := readToEdit(r)
	if err != nil {
		return err
	}
	err = s.retry(func() error {
		at, err := s.chosen()
		if err != nil {
			return err
		}
		place := strconv.Itoa(placeOf(s.event.Images[at]))
		_, err = s.Ask(client.Call{
			Method: http.MethodDelete, Path: s.operation("image"), Query: url.Values{"index": {place}}, Match: s.tag,
		})
		return err
	})
	if err != nil {
		return err
	}
	return r.Go(s.address()+"#pictures", "picture_deleted")
}
