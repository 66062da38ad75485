// Package client reads the public API over HTTP for the pages of the site.
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

const (
	// connections to the query service, open at once.
	connections = 256
	// largestAnswer is that of a feed's longest page with room to spare.
	largestAnswer = 16 << 20
	headerKey     = "X-API-Key"
)

// Client reads the public API of one query service, or of several at one address.
type Client struct {
	http    *fasthttp.Client
	base    string // without a slash at its end
	key     string
	timeout time.Duration
	portals sync.Map // the publicapi.Portal that was read last, by its slug
}

// New returns a client of the query service at base, an address without a path. key is its API key,
// "" for none; timeout limits each read.
func New(base, key string, timeout time.Duration) *Client {
	return &Client{
		http: &fasthttp.Client{
			Name: "litfass-site", MaxConnsPerHost: connections, MaxConnWaitTimeout: timeout,
			MaxResponseBodySize: largestAnswer, NoDefaultUserAgentHeader: true, ReadBufferSize: 16 << 10,
			DisablePathNormalizing: true, MaxIdemponentCallAttempts: 1, // send repeats reads
		},
		base: strings.TrimSuffix(base, "/"), key: key, timeout: timeout,
	}
}

// Answer is the API's answer to one read.
type Answer struct {
	Status   int
	Tag      string // ETag; "" for none
	Position uint64 // up to which the answer is complete; 0 when that is not known
	Type     string // Content-Type
	Body     []byte // a copy; empty with 304
	// Expires is when the answer may change without a change of the catalogue; zero for never.
	Expires time.Time
}

// Unchanged reports whether the answer is the one whose tag was sent.
func (a Answer) Unchanged() bool { return a.Status == http.StatusNotModified }

// Do reads a path with its query, such as "/api/events?search=jazz". tag is sent as If-None-Match
// unless it is "", and position, unless it is 0, as the one that the answer must be complete up to.
// It returns an Unavailable fault when the service does not answer in time.
func (c *Client) Do(ctx context.Context, target, tag string, position uint64) (answer Answer, err error) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.SetRequestURI(c.base + target)
	if c.key != "" {
		request.Header.Set(headerKey, c.key)
	}
	if tag != "" {
		request.Header.Set("If-None-Match", tag)
	}
	if position > 0 {
		request.Header.Set(web.HeaderPosition, strconv.FormatUint(position, 10))
	}
	if err := c.send(request, response, c.deadline(ctx)); err != nil {
		return answer, unreachable(err)
	}
	answer = Answer{
		Status: response.StatusCode(), Tag: string(response.Header.Peek("Etag")),
		Type: string(response.Header.ContentType()), Body: append([]byte(nil), response.Body()...),
	}
	// An expiry or a position that cannot be read is one that is not known.
	answer.Expires, _ = http.ParseTime(string(response.Header.Peek("Expires")))
	answer.Position, _ = strconv.ParseUint(string(response.Header.Peek(web.HeaderPosition)), 10, 64)
	return answer, nil
}

// send sends a read, and once more over a new connection if the connection breaks: a replaced query
// service closes all idle connections.
func (c *Client) send(request *fasthttp.Request, response *fasthttp.Response, deadline time.Time) error {
	err := c.http.DoDeadline(request, response, deadline)
	if errors.Is(err, fasthttp.ErrConnectionClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		c.http.CloseIdleConnections()
		err = c.http.DoDeadline(request, response, deadline)
	}
	return err
}

// deadline returns when an answer must be there.
func (c *Client) deadline(ctx context.Context) time.Time {
	deadline := time.Now().Add(c.timeout)
	if ends, set := ctx.Deadline(); set && ends.Before(deadline) {
		return ends
	}
	return deadline
}

// Check reports whether the query service answers, for readiness.
func (c *Client) Check(ctx context.Context) error {
	answer, err := c.Do(ctx, "/readyz", "", 0)
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("the query service is not ready: %d", answer.Status)
	}
	return err
}

func unreachable(err error) error {
	return fault.Wrap(fmt.Errorf("read the public API: %w", err), fault.Unavailable, "",
		"the calendar cannot be read now; try again shortly")
}

// passed are the failures of the API that mean the same for a page.
var passed = []fault.Kind{fault.Invalid, fault.NotFound, fault.Conflict, fault.TooMany}

// failure returns the fault of an answer that is none of 200 and 304.
func failure(target string, answer Answer) error {
	described, ok := web.Failed(answer.Status, answer.Body)
	if !ok || !slices.Contains(passed, described.Kind) {
		return unreachable(fmt.Errorf("%s: answer %d", target, answer.Status))
	}
	return described
}
