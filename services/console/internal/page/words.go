package page

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/text"
)

// inWords returns an error of the admin service with its message and reasons in the language of the
// person. A NotFound with violations means that a field refers to something missing; it becomes
// Invalid, so that the form shows it there.
func (r *Request) inWords(err error) error {
	if err == nil {
		return nil
	}
	said := *fault.Of(err)
	said.Message = text.Refusal(r.Text, said.StableCode(), said.Message)
	if said.Kind == fault.NotFound && len(said.Violations) > 0 {
		said.Kind = fault.Invalid
	}
	said.Violations = slices.Clone(said.Violations)
	for i, violation := range said.Violations {
		said.Violations[i].Reason = text.Reason(r.Text, violation)
	}
	return &said
}
