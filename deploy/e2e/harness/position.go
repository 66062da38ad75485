package harness

import (
	"errors"
	"net/http"
	"testing"

	"litfass/deploy/e2e/client"
)

var errLate = errors.New("the read node has not applied the position")

// ReadAt reads a path of a host, "" for that of the stack. The answer is complete up to a position:
// the read is repeated while the read node has not applied that.
func (s *System) ReadAt(t *testing.T, host, path string, position uint64) (answer client.Answer) {
	t.Helper()
	header := client.AtPosition(position)
	Await(t, path, func() (err error) {
		answer, err = s.Client.DoAs(t.Context(), host, http.MethodGet, path, header, nil)
		if err == nil && answer.Status == http.StatusConflict {
			err = errLate
		}
		return err
	})
	return answer
}
