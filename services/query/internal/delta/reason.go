package delta

// Reason is why kept answers are dropped, for figures.
type Reason string

// The reasons. Those before Large are of batches that may have altered anything.
const (
	Begun   Reason = "begun"   // nothing had been heard before
	Silence Reason = "silence" // nothing was heard for too long
	Session Reason = "session" // another projector, or the same one started anew
	Gap     Reason = "gap"     // a batch was missed
	Large   Reason = "large"   // the projector could not list what it altered, or indexes were exchanged
	Work    Reason = "work"    // too many answers and dates to compare
	Altered Reason = "altered" // the answer is another one
	Age     Reason = "age"
	Room    Reason = "room" // others needed its memory
)

// Reasons are all of them.
var Reasons = []Reason{Begun, Silence, Session, Gap, Large, Work, Altered, Age, Room}
