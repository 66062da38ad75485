package venue

import (
	"net/http"

	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// removal is the question whether a venue or a space is to be deleted.
type removal struct {
	entity
	org    string
	lost   []string // its spaces, which are deleted with it
	after  string   // the page to go on with
	errors view.Errors
}

func askRemoveVenue(r *page.Request) error {
	q, err := venueRemoval(r)
	if err != nil {
		return err
	}
	return q.show()
}

func removeVenue(r *page.Request) error {
	q, err := venueRemoval(r)
	if err != nil {
		return err
	}
	return q.remove()
}

// venueRemoval reads the venue of the path, and the spaces that are deleted with it.
func venueRemoval(r *page.Request) (removal, error) {
	v, err := readVenue(r)
	if err != nil {
		return removal{}, err
	}
	if err := r.Require(v.org, permission.DeleteVenue); err != nil {
		return removal{}, err
	}
	card, err := v.card()
	if err != nil {
		return removal{}, err
	}
	q := removal{entity: v.entity, org: v.org, after: ListPath(v.org)}
	for _, space := range card.Spaces {
		q.lost = append(q.lost, space.Name)
	}
	return q, nil
}

func askRemoveSpace(r *page.Request) error {
	q, err := spaceRemoval(r)
	if err != nil {
		return err
	}
	return q.show()
}

func removeSpace(r *page.Request) error {
	q, err := spaceRemoval(r)
	if err != nil {
		return err
	}
	return q.remove()
}

func spaceRemoval(r *page.Request) (removal, error) {
	s, err := readSpace(r)
	if err != nil {
		return removal{}, err
	}
	if err := r.Require(s.org, permission.DeleteSpace); err != nil {
		return removal{}, err
	}
	return removal{entity: s.entity, org: s.org, after: Path(s.venue)}, nil
}

func (q removal) show() error {
	return q.Show(view.Page{Title: q.Text.T(q.kind + ".delete"), Section: q.org, Content: removalPage(q)})
}

// remove deletes it with the password.
func (q removal) remove() error {
	var err error
	if q.errors, err = q.DeleteConfirmed(q.delete); err != nil {
		return err
	}
	if len(q.errors) > 0 {
		q.Status(http.StatusUnprocessableEntity)
		return q.show()
	}
	return q.Go(q.after, q.kind+"_deleted")
}
