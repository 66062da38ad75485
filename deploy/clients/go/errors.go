package litfass

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Kind is what a program may want to know of an error.
type Kind string

// The kinds of errors.
const (
	Invalid         Kind = "invalid"           // the request is not valid: Details name the fields
	NotFound        Kind = "not_found"         // there is no such thing, or it is not public
	NotYetApplied   Kind = "not_yet_applied"   // the answer would not be complete up to the position
	BeginAgain      Kind = "begin_again"       // the changes since a position are not known any more
	TooManyRequests Kind = "too_many_requests" // a limit is exceeded
	Unavailable     Kind = "unavailable"       // the service cannot answer now
	Network         Kind = "network"           // there was no answer, or only a part of one
	TimedOut        Kind = "timeout"           // the answer took too long
	Unexpected      Kind = "unexpected"        // the answer is not one of this service
)

// ErrBeginAgain is what errors.Is finds in an error of the kind BeginAgain: the changes since the
// position are not known, so that a copy has to be read from its beginning.
var ErrBeginAgain = errors.New("the changes since this position are not known; read everything again")

// Error is a failed request. A context that ends is no Error, but the context's own.
type Error struct {
	Kind       Kind
	Status     int           // of the answer; 0 without one
	Code       string        // stable, for programs, such as invalid_parameters
	Message    string        // for people
	Details    []Detail      // every bad field
	RetryAfter time.Duration // how long the service asks to wait; 0 if it does not
	RequestID  string        // for the operators of the service

	cause error
}

// Detail says why a field of a request is invalid.
type Detail struct {
	Field  string         `json:"field"`
	Reason string         `json:"reason"` // a sentence in English, without the field
	Code   string         `json:"code"`
	Params map[string]any `json:"params"`
}

// Error implements error.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString("litfass: " + e.Message)
	for i, detail := range e.Details {
		text.WriteString([]string{": ", "; "}[min(i, 1)] + detail.Field + " " + detail.Reason)
	}
	if e.Status > 0 {
		fmt.Fprintf(&text, " (%d %s)", e.Status, e.Code)
	}
	return text.String()
}

// Unwrap returns the error of the connection, if that failed.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is find ErrBeginAgain.
func (e *Error) Is(target error) bool { return target == ErrBeginAgain && e.Kind == BeginAgain }

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case NotYetApplied, TooManyRequests, Unavailable, Network, TimedOut:
		return true
	default:
		return false
	}
}

func kindOf(status int) Kind {
	switch status {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
		http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusRequestHeaderFieldsTooLarge:
		return Invalid
	case http.StatusNotFound:
		return NotFound
	case http.StatusConflict:
		return NotYetApplied
	case http.StatusGone:
		return BeginAgain
	case http.StatusTooManyRequests:
		return TooManyRequests
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Unavailable
	default:
		return Unexpected
	}
}

// retryAfter reads the header of that name: seconds, or a time.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
