package eventfile

import (
	"context"
	"errors"
	"math"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/platform/budget"
)

// The steps of a budget that reading a file takes at most. With what every byte costs, that is less
// than a second for each MB.
const (
	stepsOfFile = 10_000_000
	stepsOfByte = 10
	stepsOfRule = 1_000_000 // of a rule, or a time zone

	stepsOfValue = 250 // of a value of a list of days
)

// work is the budget of a file, and where in the file it is spent.
type work struct {
	*budget.Budget
	at      string // the part at which the work has ended, or that is being read
	decoded int    // see fits
}

func newWork(ctx context.Context, bytes int) *work {
	return &work{Budget: budget.New(ctx, stepsOfFile+stepsOfByte*bytes)}
}

// begin names the part of the file that is read from now on, and reports whether the work goes on.
func (w *work) begin(part string) bool {
	if w.Err() != nil {
		return false
	}
	w.at = part
	return w.Spend(1)
}

// fault returns the fault of work that has ended: TooLarge, naming the part of the file, or
// Unavailable when the context has ended; nil while it goes on.
func (w *work) fault() error {
	err := w.Err()
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, budget.ErrSpent):
		return fault.Wrap(err, fault.Unavailable, "busy", "the file could not be read in time; try again in a moment")
	}
	f := fault.New(fault.TooLarge, "import_too_large", "reading the file takes too much work; it stopped at %s", w.at)
	f.Violations = fault.Violations{fault.Violate("content", reason.TooMuchWork(w.at))}
	return f
}

// exceed ends the work as one that is too much.
func (w *work) exceed() { w.Spend(math.MaxInt) }

// The memory that decoded values of JSON take, in bytes.
const (
	sizeOfObject = 400
	sizeOfValue  = 32
	maxDecoded   = 64 << 20 // of all texts of a file
)

// fits counts the values of a JSON text before it is decoded, and ends the work when these would
// take too much memory.
func (w *work) fits(text string) bool {
	quoted := false
	for i := 0; i < len(text) && w.decoded <= maxDecoded; i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			w.decoded += sizeOfObject
		case c == '[' || c == ',' || c == ':':
			w.decoded += sizeOfValue
		}
	}
	if w.decoded > maxDecoded && w.begin("the JSON-LD") {
		w.exceed()
	}
	return w.Err() == nil
}
