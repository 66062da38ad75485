package adminapi

import "time"

// The states of a read node.
const (
	ReadNodeCurrent = "current" // its index lacks at most the changes of the last seconds
	ReadNodeBehind  = "behind"  // changes have been waiting for it for longer
	ReadNodeDown    = "down"    // no projector is at work for it
)

// ReadNode is a read node: an index, the projector that writes it, and the query services that
// answer from it.
type ReadNode struct {
	Name    string `json:"name"`
	State   string `json:"state"`
	Applied uint64 `json:"applied_sequence"` // the index holds every change up to this one
	Pending uint64 `json:"pending"`          // changes that it does not hold yet
	// WaitingSince is when the oldest pending change was published; null when there is none.
	WaitingSince *time.Time `json:"waiting_since"`
	// HeardAt is when the projector was last heard of; null when it never was.
	HeardAt *time.Time `json:"heard_at"`
	Dead    int        `json:"dead_changes"` // that could never be applied
	// Form identifies the form of snapshots in which everything in the index was published; "" while
	// some may have another one.
	Form string `json:"form"`
	// Answering is a query service's latest announcement; null when none was heard for seconds.
	Answering *Answering `json:"answering"`
}

// Answering is the announcement of a query service.
type Answering struct {
	Ready    bool      `json:"ready"`    // whether it should get requests
	Position uint64    `json:"position"` // its answers are complete up to this; 0 while not known
	HeardAt  time.Time `json:"heard_at"`
}

// ReadNodes are all read nodes by name, and the state of the stream that they follow.
type ReadNodes struct {
	Nodes     []ReadNode `json:"nodes"`
	Published uint64     `json:"published_sequence"` // of the newest change
	// Position is up to where every write is published, as Litfass-Position of a write names it; 0
	// while the relay was not heard.
	Position uint64 `json:"published_position"`
	// Form identifies the form of snapshots in which everything is published; "" after an upgrade
	// until that is so, and while the relay was not heard.
	Form string `json:"published_form"`
}
