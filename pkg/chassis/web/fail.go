package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// statuses is the one mapping from kinds of failure to HTTP (RULES.md, Responses).
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.Gone:            http.StatusGone,
	fault.Stale:           http.StatusPreconditionFailed,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.UnsupportedType: http.StatusUnsupportedMediaType,
	fault.TooMany:         http.StatusTooManyRequests,
	fault.NotOffered:      http.StatusNotImplemented,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Internal:        http.StatusInternalServerError,
}

// unread are the failures that end a request before a handler sees it, by the status that Fiber
// gives them. The texts are ours: Fiber's and the server's own repeat parts of the request.
var unread = map[int]struct{ code, message string }{
	http.StatusNotFound:                    {"not_found", "there is nothing at this path"},
	http.StatusMethodNotAllowed:            {"method_not_allowed", "this path does not answer this method"},
	http.StatusRequestTimeout:              {"request_timeout", "the request took too long to arrive"},
	http.StatusRequestEntityTooLarge:       {"too_large", "the body is too large"},
	http.StatusUnsupportedMediaType:        {"unsupported_media", "this content type is not understood"},
	http.StatusRequestHeaderFieldsTooLarge: {"headers_too_large", "the request line and headers are too large"},
	http.StatusNotImplemented:              {"method_unknown", "this method is not known"},
}

// retryLater is how long clients wait for an operation that cannot answer now when nothing better
// is known.
const retryLater = 5 * time.Second

// Failure is an error as a client sees it.
type Failure struct {
	Error      string            `json:"error"`
	Code       string            `json:"code"`
	Details    []fault.Violation `json:"details"`
	RetryAfter int               `json:"retry_after,omitempty"` // seconds
	RequestID  string            `json:"request_id"`

	Status int `json:"-"`
}

// fail makes err the answer of the request, as the service shows failures. With a response type the
// failure includes the fields of the envelope.
func (o *observer) fail(c *fiber.Ctx, err error, responseType string) {
	f := Describe(err)
	f.RequestID = c.GetRespHeader(fiber.HeaderXRequestID)
	if f.Status == http.StatusMethodNotAllowed && c.Method() == fiber.MethodOptions {
		c.Status(http.StatusNoContent).Response().ResetBody() // the router has set Allow: all that was asked for
		return
	}
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(f.RetryAfter))
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Response().Header.Del(fiber.HeaderETag)
	c.Status(f.Status)
	if o.show(c, f) {
		return
	}
	var body any = f
	if responseType != "" {
		body = struct {
			Envelope
			Failure
		}{newEnvelope(c, responseType), f}
	}
	if err := c.JSON(body); err != nil {
		c.Status(http.StatusInternalServerError).Response().ResetBody()
	}
}

// show has the service show a failure. It reports false when the service has no way of its own, or
// cannot: outside of observe nothing else would recover from its panic.
func (o *observer) show(c *fiber.Ctx, f Failure) (shown bool) {
	if o.showFailure == nil {
		return false
	}
	defer func() {
		if value := recover(); value != nil {
			o.log.Error("a failure cannot be shown", "error", fmt.Sprint(value))
			shown = false
		}
	}()
	return o.showFailure(c, f) == nil
}

// Describe returns an error as clients see it.
func Describe(err error) Failure {
	var below *fiber.Error
	if errors.As(err, &below) {
		return describeUnread(below)
	}
	f := fault.Of(err)
	if f.Kind == fault.Internal && errors.Is(err, context.DeadlineExceeded) {
		f = fault.New(fault.Unavailable, "", "this took too long; try again later")
	}
	status, known := statuses[f.Kind]
	if !known {
		status = http.StatusInternalServerError
	}
	details := f.Violations
	if details == nil {
		details = []fault.Violation{}
	}
	return Failure{
		Error: f.Message, Code: f.StableCode(), Details: details, RetryAfter: retrySeconds(f), Status: status,
	}
}

func describeUnread(below *fiber.Error) Failure {
	f := Failure{Details: []fault.Violation{}, Status: below.Code}
	known, ok := unread[below.Code]
	if !ok {
		known.code, known.message = "bad_request", "the request could not be read"
		f.Status = http.StatusBadRequest
	}
	f.Code, f.Error = known.code, known.message
	return f
}

// retrySeconds returns whole seconds, rounded up, for the kinds that pass by themselves; else 0.
func retrySeconds(f *fault.Fault) int {
	if f.Kind != fault.TooMany && f.Kind != fault.Unavailable {
		return 0
	}
	wait := f.RetryAfter
	if wait <= 0 {
		wait = retryLater
	}
	return int(math.Ceil(wait.Seconds()))
}
