// Package fault defines the kinds of failure that cross a service boundary and the fields that
// caused them.
//
// Domain code returns a *Fault (wrapped with %w where context helps); package web maps its Kind to
// an HTTP status in one place. An error without a Fault is Internal: its text is logged and never
// shown.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
)

// Kind classifies a failure in terms a client can act on.
type Kind string

// The kinds of failure, with the HTTP status that package web gives each (RULES.md, Responses).
const (
	Invalid         Kind = "invalid"           // 400: bad input; Violations names every bad field
	Unauthenticated Kind = "unauthenticated"   // 401: no, expired or invalid credentials
	Forbidden       Kind = "forbidden"         // 403: a known user without the right
	NotFound        Kind = "not_found"         // 404: unknown, or not visible to this user
	Conflict        Kind = "conflict"          // 409: the stored state does not allow it
	Gone            Kind = "gone"              // 410: it was there once
	Stale           Kind = "precondition"      // 412: the resource changed since it was read
	TooLarge        Kind = "too_large"         // 413: body over the limit
	UnsupportedType Kind = "unsupported_media" // 415: content type not understood
	TooMany         Kind = "too_many_requests" // 429: a rate limit; RetryAfter says when to return
	NotOffered      Kind = "not_offered"       // 501: an answer in a form that there is none in
	Unavailable     Kind = "unavailable"       // 503: a dependency is down; RetryAfter says when to return
	Internal        Kind = "internal"          // 500: everything else
)

// Violation is an invalid field with the reason.
type Violation struct {
	Field  string        `json:"field"`
	Reason string        `json:"reason"` // in words for people
	Code   string        `json:"code"`   // of package reason, or the StableCode of a fault
	Params reason.Params `json:"params"` // the variable parts of Reason
}

// Violate returns the violation of a field.
func Violate(field string, why *reason.Reason) Violation {
	return Violation{Field: field, Reason: why.String(), Code: why.Code, Params: why.Params}
}

// At returns the fault as a violation of a field, for an answer about several things.
func (f *Fault) At(field string) Violation {
	return Violation{Field: field, Reason: f.Message, Code: f.StableCode()}
}

// Fault is an error that a client may see.
type Fault struct { //nolint:errname // reads as fault.Fault; the rest of the code speaks of faults
	Kind       Kind
	Code       string        // stable snake_case, e.g. "invalid_parameters"; empty means the Kind's own
	Message    string        // for people; never database text
	Violations []Violation   // every bad field, in the order found
	RetryAfter time.Duration // for TooMany and Unavailable; 0 means unknown
	cause      error
}

// Error returns the message, followed by the violations and the cause for the log.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Message)
	for i, v := range f.Violations {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(v.Field + " " + v.Reason)
	}
	if f.cause != nil {
		b.WriteString(": " + f.cause.Error())
	}
	return b.String()
}

// Unwrap returns the cause, which is logged and never shown.
func (f *Fault) Unwrap() error { return f.cause }

// StableCode returns Code, or the Kind's name when no finer code was given.
func (f *Fault) StableCode() string {
	if f.Code != "" {
		return f.Code
	}
	return string(f.Kind)
}

// New returns a fault of the given kind with a message for people.
func New(kind Kind, code, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause that is logged but never shown.
func Wrap(cause error, kind Kind, code, format string, args ...any) *Fault {
	f := New(kind, code, format, args...)
	f.cause = cause
	return f
}

// overloaded is the code of requests that are refused because of the load.
const overloaded = "overloaded"

// overloadedRetry is when a client that was refused may ask again.
const overloadedRetry = 2 * time.Second

// Overloaded returns an Unavailable fault for a request that is refused at once because accepting
// it would make all others wait too long, or take too much memory. message is for people.
func Overloaded(message string) *Fault {
	f := New(Unavailable, overloaded, "%s", message)
	f.RetryAfter = overloadedRetry
	return f
}

// IsOverloaded reports whether err holds a fault that Overloaded made.
func IsOverloaded(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Code == overloaded
}

// Of returns the Fault inside err, or an Internal one with a neutral message that wraps err.
func Of(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return Wrap(err, Internal, "", "something went wrong on our side")
}

// Is reports whether err holds a Fault of the given kind.
func Is(err error, kind Kind) bool {
	var f *Fault
	return errors.As(err, &f) && f.Kind == kind
}

// Violations collects invalid fields so that an answer can name all of them.
type Violations []Violation

// Add records that a field is invalid.
func (v *Violations) Add(field string, why *reason.Reason) { *v = append(*v, Violate(field, why)) }

// Err returns an Invalid fault naming every recorded field, or nil when there are none.
func (v Violations) Err(code, message string) error {
	if len(v) == 0 {
		return nil
	}
	return &Fault{Kind: Invalid, Code: code, Message: message, Violations: v}
}
