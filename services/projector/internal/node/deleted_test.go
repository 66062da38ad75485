package node_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/testkit"
)

// gate lets no request of a node through while the test holds it.
type gate struct{ sync.RWMutex }

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.RLock()
	defer g.RUnlock()
	return http.DefaultTransport.RoundTrip(r)
}

// Indexes are filled again, no matter which of them were deleted: also when the state, which the
// node writes now and then, is back at once. The gate makes several deletions one event: a node
// that sees the first would create the indexes again, and lose some of them to the later deletions.
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
			gate, gated := &gate{}, *w
			gated.Index = index.ConnectVia(w.IndexConfig, gate)
			n := newNode(t, &gated, testkit.PublicURL)
			start(t, n)
			w.Publish(testkit.Catalogue(t, 1, 10)...)
			caughtUp(t, w, n)
			gate.Lock()
			err := remove(w.Index)
			gate.Unlock()
			if err != nil {
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
