package engine

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/index"
)

const (
	connectTimeout = 2 * time.Second
	answerBuffer   = 32 << 10         // a page of dates in one read
	connections    = 256              // to the engine: more than the lanes let through
	maxDuration    = 30 * time.Second // of a request without a deadline
)

// Connect returns a read node's engine, connected by fasthttp. net/http passes each request to two
// other goroutines and back; without that, a query service spends a sixth less CPU on a search. The
// price: a request ends at its context's deadline, but not earlier when the context is cancelled,
// and proxies of the environment are ignored. The error is that of an invalid configuration; the
// engine need not be up yet.
func Connect(config index.Config, timeout time.Duration) (*Engine, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	address, err := url.Parse(config.URL)
	if err != nil {
		return nil, fmt.Errorf("read MEILI_URL: %w", err) // cannot happen: it was checked
	}
	measured := newInstrumented(newTransport(address))
	engine := New(index.ConnectVia(config, measured), timeout)
	engine.metrics = measured.seconds
	return engine, nil
}

// transport is a http.RoundTripper to one engine.
type transport struct{ engine *fasthttp.HostClient }

func newTransport(address *url.URL) *transport {
	secure := address.Scheme == "https"
	return &transport{engine: &fasthttp.HostClient{
		Addr:      fasthttp.AddMissingPort(address.Host, secure),
		IsTLS:     secure,
		TLSConfig: &tls.Config{ServerName: address.Hostname(), MinVersion: tls.VersionTLS12},
		Dial: func(address string) (net.Conn, error) {
			return net.DialTimeout("tcp", address, connectTimeout)
		},
		ReadBufferSize:     answerBuffer,
		MaxConns:           connections,
		MaxConnWaitTimeout: maxDuration, // and never longer than the request's own time

		// After a restart of the engine all idle connections are broken; no request may fail for that.
		// All requests only read, so they can be repeated.
		MaxIdemponentCallAttempts: connections + 1,
		RetryIfErr:                func(*fasthttp.Request, int, error) (resetTimeout, retry bool) { return false, true },

		NoDefaultUserAgentHeader: true,
		DisablePathNormalizing:   true,
	}}
}

// RoundTrip sends a request and reads the whole answer. The error is context.DeadlineExceeded when
// time is up.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(answer)
	if err := copyRequest(request, r); err != nil {
		return nil, err
	}
	deadline, limited := ctx.Deadline()
	if !limited {
		deadline = time.Now().Add(maxDuration)
	}
	if err := t.engine.DoDeadline(request, answer, deadline); err != nil {
		if isTimeout(err) {
			return nil, context.DeadlineExceeded
		}
		return nil, err
	}
	return copyAnswer(answer, r), nil
}

func isTimeout(err error) bool {
	return errors.Is(err, fasthttp.ErrTimeout) || errors.Is(err, fasthttp.ErrNoFreeConns) ||
		errors.Is(err, os.ErrDeadlineExceeded)
}

func copyRequest(to *fasthttp.Request, from *http.Request) error {
	to.Header.SetMethod(from.Method)
	to.SetRequestURI(from.URL.String())
	for name, values := range from.Header {
		for _, value := range values {
			to.Header.Add(name, value)
		}
	}
	if from.Body == nil {
		return nil
	}
	defer func() { _ = from.Body.Close() }() // has been read to its end
	if _, err := io.Copy(to.BodyWriter(), from.Body); err != nil {
		return fmt.Errorf("read the request's body: %w", err)
	}
	return nil
}

// copyAnswer copies the parts of an answer that the engine's client reads out of reused memory.
func copyAnswer(answer *fasthttp.Response, to *http.Request) *http.Response {
	body := bytes.Clone(answer.Body())
	return &http.Response{
		StatusCode: answer.StatusCode(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {string(answer.Header.ContentType())}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       to,
	}
}
