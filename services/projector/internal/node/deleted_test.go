package node_test

import (
	"errors"
	"testing"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/testkit"
)

// Indexes are filled again, no matter which of them were deleted: also when the state, which the
// node writes now and then, is back at once.
func TestIndexThatWasDeletedIsFilledAgain(t *testing.T) {
	t.Parallel()
	for what, remove := range map[string]func(*index.Client) error{
		"all": func(c *index.Client) error {
			_, err := c.Drop(t.Context())
			return err
		},
		"all, and the state is written": func(c *index.Client) error {
			state, _, err := c.State(t.Context())
			_, dropErr := c.Drop(t.Context())
			return errors.Join(err, dropErr, c.PutState(t.Context(), state))
		},
		"events": func(c *index.Client) error {
			task, err := c.Engine().DeleteIndexWithContext(t.Context(), c.Name(document.Events))
			if err != nil {
				return err
			}
			return c.Wait(t.Context(), task.TaskUID)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := testkit.New(t)
			n := newNode(t, w, testkit.PublicURL)
			start(t, n)
			w.Publish(testkit.Catalogue(t, 1, 10)...)
			caughtUp(t, w, n)
			if err := remove(w.Index); err != nil {
				t.Fatal(err)
			}
			testkit.Until(t, "the index to come back", func() bool {
				n, err := w.Index.Count(t.Context(), document.Events)
				return err == nil && n == 11 // one of them gone
			})
			caughtUp(t, w, n)
			w.MustAgree()
		})
	}
}
