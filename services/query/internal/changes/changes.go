// Package changes says what entered, changed or left a filter after a position.
//
// A position is a sequence of the stream of the catalogue, with the stream's identity, so it means
// the same on every read node, however often an index is lost, rebuilt or exchanged. The stream has
// only the newest state of an entity; the journal has, in the order of publication, each change
// with the state that it replaced (see package stream). From both, the documents before and after
// are projected as the projector does it, and the filter of the search is evaluated on them: what
// is found after and was not before has entered, and so on. No index is asked. Of an entity that
// changed several times in one answer, the state before the first change and the one after the last
// count; what differed only in between is an item as well, since a reader may have seen it.
//
// An answer shows the changes up to the sequence that the read node's index is complete up to. So
// an answer at a position, and a search of the same read node that is complete up to the same,
// agree; so do those of another node.
//
// Where the journal does not reach back to a position, or lacks some changes after it, the client
// has to begin again (ErrBeginAgain): there is never an answer with a change missing. It is also
// sent back when the stream is another one, when the portal or the area of a region that it filters
// by changed, and when a change could not be projected.
//
// Streams wait in a Hub, which evaluates each new change once for all streams with the same filter,
// and writes only to those that it matters to.
package changes

import (
	"encoding/json"

	"litfass/pkg/chassis/fault"
	"litfass/services/query/internal/params"
)

// The ways in which an entity changes for a filter.
const (
	Entered = "entered"
	Changed = "changed"
	Left    = "left"
)

// Item is the change of a date, an event, a venue or an organization.
type Item struct {
	Change string `json:"change"`
	UUID   string `json:"uuid"` // of what changed
	// EventUUID is the event of a date; absent for other kinds.
	EventUUID string `json:"event_uuid,omitempty"`
	// DateCount is how many dates of an event match; absent for other kinds, and of one that left.
	DateCount int `json:"date_count,omitempty"`
	// Entry is the newest state, as the search shows it; null of what left.
	Entry json.RawMessage `json:"entry"`
}

// Page is an answer.
type Page struct {
	Changes  []Item `json:"changes"`
	Position string `json:"position"` // from which to go on
	More     bool   `json:"more"`     // further changes are known already

	at    params.Position
	work  int    // that it took, in units of pageWork
	event []byte // as a server-sent event, once encoded for several streams
}

// ErrBeginAgain is the fault of a position from which nothing leads on.
var ErrBeginAgain = fault.New(fault.Gone, "begin_again",
	"the changes since this position are not known; read everything again and go on from a new position")

// ErrBehind returns the fault of a position that the read node has not reached.
func ErrBehind() error { return errUnknown() }

func errUnknown() error {
	return fault.New(fault.Unavailable, "changes_unavailable", "the changes are not known now; try again later")
}
