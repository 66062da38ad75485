// Package gateway gives the services one base address, as a reverse proxy or an ingress does in
// production. It routes by path and balances over the instances of a service: validation, limits
// and permissions belong to the services.
package gateway

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"time"
)

// Config names the instances of the services by address, for example "http://127.0.0.1:8081". Each
// projector belongs to a read node, as do query services.
type Config struct {
	Admin, Projector, Query, Site, Console []string
	// Report receives a line when an instance is taken out of rotation or put back; may be nil.
	Report func(line string)
}

// New returns the handler for the base address: the paths of admin, query and console go to them,
// /readyz reports whether everything is ready and the index has caught up, and all else is the
// site's.
// Until ctx ends it asks instances of which there are several whether they are ready.
func New(ctx context.Context, config Config) (http.Handler, error) {
	admins, err := newPool(config.Admin, config.Report)
	if err != nil {
		return nil, err
	}
	queries, err := newPool(config.Query, config.Report)
	if err != nil {
		return nil, err
	}
	sites, err := newPool(config.Site, config.Report)
	if err != nil {
		return nil, err
	}
	consoles, err := newPool(config.Console, config.Report)
	if err != nil {
		return nil, err
	}
	admins.besides = []string{"stream", "outbox"} // of the relay: writes wait in the outbox meanwhile
	admins.watch(ctx)
	queries.watch(ctx)
	sites.watch(ctx)
	consoles.watch(ctx)
	admin, query, site, console := proxy(admins), proxy(queries), proxy(sites), proxy(consoles)
	ready := newReadiness(config)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/readyz":
			ready.ServeHTTP(w, r)
		case path == "/livez":
			writeJSON(w, http.StatusOK, status{Status: "ok"})
		case IsAdmin(path):
			admin.ServeHTTP(w, r)
		case IsQuery(path):
			query.ServeHTTP(w, r)
		case IsConsole(path):
			console.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	}), nil
}

// Server returns an HTTP server for the handler with time-outs. The services limit request sizes.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           progressing(handler, standstill),
		ConnContext:       bounded,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute,
		WriteTimeout:      standstill,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 20,
		ErrorLog:          log.New(discard{}, "", 0),
	}
}

// proxy forwards requests to the instances of one service. Connections are pooled.
func proxy(to *pool) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetXForwarded()
			// The library drops parameters that it cannot parse; the service must see them to
			// refuse them.
			request.Out.URL.RawQuery = request.In.URL.RawQuery
			if request.Out.Body != nil {
				request.Out.Body = &body{ReadCloser: request.Out.Body}
			}
		},
		Transport:    to,
		ErrorHandler: unavailable,
		ErrorLog:     log.New(discard{}, "", 0),
	}
}

// body is the body of a request. It records whether reading it failed, and where it ended: once the
// answer begins, the server closes a body that was read completely, and the library, reading on,
// would take that for a failure and abort the answer.
type body struct {
	io.ReadCloser
	ended  bool
	broken atomic.Bool
}

// Read reads from the client.
func (b *body) Read(into []byte) (int, error) {
	if b.ended {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(into)
	b.ended = errors.Is(err, io.EOF)
	if err != nil && !b.ended {
		b.broken.Store(true)
	}
	return n, err
}

// Close does nothing: the server closes the body after the answer, and until then it can be sent to
// another instance.
func (b *body) Close() error { return nil }

// isBroken reports whether the body of a request could not be read from the client.
func isBroken(of io.ReadCloser) bool {
	sent, ok := of.(*body)
	return ok && sent.broken.Load()
}

// unavailable answers for a service that does not respond, unless the request itself could not be
// read completely.
func unavailable(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the client disconnected
	}
	if isBroken(r.Body) {
		fail(w, r, http.StatusBadRequest, "bad_request", "the request could not be read")
		return
	}
	w.Header().Set("Retry-After", "2")
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		unavailablePage(w, r)
		return
	}
	fail(w, r, http.StatusServiceUnavailable, "unavailable", "this part of the service is down; try again shortly")
}

// discard drops the library's own log lines: the answer reports the error.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
