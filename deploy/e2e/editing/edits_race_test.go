package editing

import (
	"net/http"
	"testing"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/model"
)

// race sends a sale and an edit of its event at once, of which the same must come in either order.
// Where the model refuses one, they are sent one after the other.
func (e *editors) race(t *testing.T, what string, sale, edit model.Request) {
	t.Helper()
	sold, edited := e.world.Judge(sale), e.world.Judge(edit)
	if !sold.Accepted() || !edited.Accepted() {
		e.send(t, what, sale)
		e.send(t, what, edit)
		return
	}
	var answers [2]client.Answer
	var group errgroup.Group
	for i, r := range []model.Request{sale, edit} {
		group.Go(func() (err error) {
			answers[i], err = e.transmit(t, r)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for i, r := range []model.Request{sale, edit} {
		if answers[i].Status != http.StatusOK {
			t.Fatalf("%s: %s\nanswers %d %.1000s", what, r, answers[i].Status, answers[i].Body)
		}
		e.world.Accept(e.world.Judge(r), r, r.ID)
		e.sent["at once: "+r.Do+" 200"]++
	}
	if err := e.compareOne(t, e.world.Lookup(edit.ID), true); err != nil {
		t.Fatalf("%s: %s\nand %s: %v", what, sale, edit, err)
	}
}
