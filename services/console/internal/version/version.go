// Package version stores concurrent changes of several people. Nothing is overwritten silently: a
// write names the version that it replaces, and is repeated if a newer version was there. Change
// distinguishes the fields that only one person changed from the fields that need a decision.
package version

import (
	"errors"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/text"
)

// ErrChanged ends a write whose change does not fit the current version: others have changed the
// same since the person saw it.
var ErrChanged = fault.New(fault.Stale, "changed", "another person has changed this in the meantime")

// ErrBusy ends a write that met a newer version each time.
var ErrBusy = errors.New("others keep saving")

// maxAttempts is how often a write is sent.
const maxAttempts = 5

// Write runs write, which changes the current version with its ETag as If-Match. When others have
// saved in between, reread reads the version that is current now, and write runs again. The error
// is that of write or reread, or a Conflict that wraps ErrBusy.
func Write(t *text.Texts, write, reread func() error) error {
	for range maxAttempts {
		err := write()
		if !fault.Is(err, fault.Stale) || errors.Is(err, ErrChanged) {
			return err
		}
		if err := reread(); err != nil {
			return err
		}
	}
	return fault.Wrap(ErrBusy, fault.Conflict, "", "%s", text.Refusal(t, "", "others are saving at the same time"))
}
