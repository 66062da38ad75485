package web

import (
	"encoding/json"
	"net/http"
	"time"

	"litfass/pkg/chassis/fault"
)

// kinds is the mapping from HTTP to kinds of failure, for answers that other services of Litfass
// give: the reverse of statuses, without failures that a caller can do nothing about.
var kinds = map[int]fault.Kind{
	http.StatusBadRequest:            fault.Invalid,
	http.StatusUnauthorized:          fault.Unauthenticated,
	http.StatusForbidden:             fault.Forbidden,
	http.StatusNotFound:              fault.NotFound,
	http.StatusConflict:              fault.Conflict,
	http.StatusPreconditionFailed:    fault.Stale,
	http.StatusRequestEntityTooLarge: fault.TooLarge,
	http.StatusUnsupportedMediaType:  fault.UnsupportedType,
	http.StatusTooManyRequests:       fault.TooMany,
	http.StatusServiceUnavailable:    fault.Unavailable,
}

// Failed returns the fault that an answer of another service describes, by its status and its body,
// a Failure. It reports false when there is none: the body is not JSON, as that of a proxy in
// between, or the failure is the service's own.
func Failed(status int, body []byte) (described *fault.Fault, ok bool) {
	var f Failure
	if kind, known := kinds[status]; known && json.Unmarshal(body, &f) == nil {
		described = fault.New(kind, f.Code, "%s", f.Error)
		described.Violations, described.RetryAfter = f.Details, time.Duration(f.RetryAfter)*time.Second
	}
	return described, described != nil
}
