package harness

import (
	"errors"
	"net/http"
	"strconv"
	"testing"

	"litfass/deploy/e2e/client"
)

// PositionHeader is the header with the position of a write or an answer.
const PositionHeader = "Litfass-Position"

var errLate = errors.New("the read node has not applied the position")

// ReadAt reads a path of a host, "" for that of the stack. The answer is complete up to a position:
// the read is repeated while the read node has not applied that.
func (s *System) ReadAt(t *testing.T, host, path string, position uint64) (answer client.Answer) {
	t.Helper()
	header := http.Header{PositionHeader: {strconv.FormatUint(position, 10)}}
	Await(t, path, func() (err error) {
		answer, err = s.Client.DoAs(t.Context(), host, http.MethodGet, path, header, nil)
		if err == nil && answer.Status == http.StatusConflict {
			err = errLate
		}
		return err
	})
	return answer
}
