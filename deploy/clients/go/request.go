package litfass

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	firstDelay   = 250 * time.Millisecond
	longestDelay = 30 * time.Second
	// longestAnswer bounds the bytes of an answer that are read.
	longestAnswer = 64 << 20
)

// request is one that reads.
type request struct {
	path  string
	query url.Values
	body  any // sent instead of a query that is too long for an address; nil: it is always sent there
	more  time.Duration
}

// answer is a successful one.
type answer struct {
	data     json.RawMessage
	position string // up to which it is complete; "" while that is not known
}

// complete is a type that has the position of its answer.
type complete interface{ setPosition(position string) }

// read sends a request until it is answered, and decodes the answer.
func read[T any](ctx context.Context, c *Client, r request) (*T, error) {
	found, err := c.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	value := new(T)
	if err := json.Unmarshal(found.data, value); err != nil {
		return nil, unexpected(http.StatusOK, err)
	}
	if of, has := any(value).(complete); has {
		of.setPosition(found.position)
	}
	return value, nil
}

// ask sends a request, again after failures that may pass.
func (c *Client) ask(ctx context.Context, r request) (answer, error) {
	for attempt := 0; ; attempt++ {
		found, err := c.once(ctx, r)
		if err == nil {
			return found, nil
		}
		wait, again := c.pause(err, attempt)
		if !again {
			return answer{}, err
		}
		if err := sleep(ctx, wait); err != nil {
			return answer{}, err
		}
	}
}

// once sends a request once.
func (c *Client) once(ctx context.Context, r request) (answer, error) {
	attempt, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.Timeout > 0 {
		timer := time.AfterFunc(c.Timeout+r.more, func() { cancel(errTimedOut) })
		defer timer.Stop()
	}
	response, err := c.send(attempt, r, "application/json", "")
	if err != nil {
		return answer{}, failed(ctx, attempt, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err != nil {
		return answer{}, failed(ctx, attempt, err)
	}
	if response.StatusCode != http.StatusOK {
		return answer{}, refused(response, text)
	}
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return answer{}, unexpected(response.StatusCode, err)
	}
	return answer{envelope.Data, response.Header.Get("Litfass-Position")}, nil
}

// send sends a request and returns the head of the answer.
func (c *Client) send(ctx context.Context, r request, accept, lastEventID string) (*http.Response, error) {
	method, address, body := http.MethodGet, strings.TrimRight(c.Base, "/")+r.path, io.Reader(nil)
	encoded := r.query.Encode()
	if r.body != nil && len(encoded) > longestAddress {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(text)
	} else if encoded != "" {
		address += "?" + encoded
	}
	sent, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Accept": accept, "X-API-Key": c.APIKey, "Litfass-Position": c.position, "Last-Event-ID": lastEventID,
	} {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if c.HTTP == nil {
		return http.DefaultClient.Do(sent)
	}
	return c.HTTP.Do(sent)
}

var errTimedOut = errors.New("the answer took too long")

// failed returns the error of an attempt without an answer: the caller's context may have ended it,
// or its own limit of time.
func failed(ctx, attempt context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if context.Cause(attempt) == errTimedOut { //nolint:errorlint // it is never wrapped
		return &Error{Kind: TimedOut, Message: errTimedOut.Error(), cause: err}
	}
	return &Error{Kind: Network, Message: err.Error(), cause: err}
}

func unexpected(status int, err error) error {
	return &Error{Kind: Unexpected, Status: status, Message: "the answer is not one of this service: " + err.Error(), cause: err}
}

// refused returns the error that an answer is. A proxy's has no body of this service.
func refused(response *http.Response, text []byte) error {
	var body struct {
		Error      string   `json:"error"`
		Code       string   `json:"code"`
		Details    []Detail `json:"details"`
		RetryAfter int      `json:"retry_after"`
		RequestID  string   `json:"request_id"`
	}
	if err := json.Unmarshal(text, &body); err != nil || body.Error == "" {
		body.Error = "the answer is " + response.Status
	}
	wait := retryAfter(response.Header.Get("Retry-After"), time.Now())
	return &Error{
		Kind: kindOf(response.StatusCode), Status: response.StatusCode, Code: body.Code, Message: body.Error, Details: body.Details,
		RetryAfter: max(wait, time.Duration(body.RetryAfter)*time.Second), RequestID: body.RequestID,
	}
}

// pause returns how long to wait after a failure before the next attempt, if there is to be one.
func (c *Client) pause(err error, attempt int) (wait time.Duration, again bool) {
	var failure *Error
	if !errors.As(err, &failure) || !failure.Temporary() || attempt >= c.Retries || failure.RetryAfter > c.LongestWait {
		return 0, false
	}
	return failure.RetryAfter + delay(attempt), true
}

// delay grows with the attempts, and is drawn so that many clients do not come back together.
func delay(attempt int) time.Duration {
	step := min(firstDelay<<min(attempt, 10), longestDelay)
	return step/2 + rand.N(step/2)
}

// patient returns a client that waits for as long as it takes.
func (c *Client) patient() *Client {
	patient := *c
	patient.Retries, patient.LongestWait = math.MaxInt, math.MaxInt64
	return &patient
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("litfass: %w", context.Cause(ctx))
	case <-timer.C:
		return nil
	}
}
