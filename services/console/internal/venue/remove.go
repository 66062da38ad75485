package venue

import (
	"net/http"

	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// removal is the question whether a venue or a space is to be deleted.
type removal struct {
	entity.Entity
	delete client.Delete
	lost   []string // its spaces, which are deleted with it
	after  string   // the page to go on with
	errors view.Errors
}

// venueRemoval reads the venue of the path, and the spaces that are deleted with it.
func venueRemoval(r *page.Request) (removal, error) {
	v, err := readVenue(r)
	if err != nil {
		return removal{}, err
	}
	if err := r.Require(v.Org, permission.DeleteVenue); err != nil {
		return removal{}, err
	}
	card, err := v.card()
	if err != nil {
		return removal{}, err
	}
	q := removal{Entity: v.Entity, delete: r.Admin().DeleteVenue(v.uuid), after: ListPath(v.Org)}
	for _, space := range card.Spaces {
		q.lost = append(q.lost, space.Name)
	}
	return q, nil
}

func spaceRemoval(r *page.Request) (removal, error) {
	s, err := readSpace(r)
	if err != nil {
		return removal{}, err
	}
	q := removal{Entity: s.Entity, delete: r.Admin().DeleteSpace(s.Values.Text("uuid")), after: Path(s.venue)}
	return q, r.Require(s.Org, permission.DeleteSpace)
}

func (q removal) show() error {
	return q.Show(view.Page{Title: q.Text.T(q.Kind + ".delete"), Section: q.Org, Content: removalPage(q)})
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
	return q.Go(q.after, q.Kind+"_deleted")
}
