package rules

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
)

// Takedown is the reason and time of an event's takedown: a platform administrator has made it a
// draft, and it cannot be released until one lifts the takedown.
type Takedown adminapi.Takedown

// Normalize brings the values into their stored form.
func (t *Takedown) Normalize() {
	cleanTexts(&t.Reason)
	t.At = *cleanMoment(&t.At)
}

// Validate returns every value that breaks a rule: a reason is required, for the event's team.
func (t *Takedown) Validate() fault.Violations {
	c := newChecker()
	c.required("reason", t.Reason, adminapi.MaxReason)
	return *c.violations
}

// ErrTakenBack returns the Conflict fault of operations that an event which is taken back does not
// allow.
func ErrTakenBack() *fault.Fault {
	return fault.New(fault.Conflict, "event_taken_back",
		"the event was taken back by a platform administrator, and cannot be public until they lift that")
}
