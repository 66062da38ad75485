// Package web is the Fiber chassis of every service: request ids, recovery, access log, metrics,
// health, CORS, limits, and the one place that maps errors to HTTP (RULES.md, Responses).
//
// Strings taken from a *fiber.Ctx (Query, Params, Get, Body) are copies and may outlive the
// handler: the chassis disables Fiber's reuse of request memory. Values read below Fiber, from
// c.Context() or c.Request(), must be copied.
package web

import (
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/cors"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/contracts/value"
)

// Options configure the chassis. Zero values take the defaults named here.
type Options struct {
	Service string               // name of the process, for the log
	Log     *slog.Logger         // required
	Metrics *prometheus.Registry // receives the request metrics, served as /metrics; default NewMetrics()
	Ready   []Check              // checks of /readyz
	Drain   *Drain               // makes /readyz fail before the server stops; nil: it stops at once
	Origins []string             // CORS: "*" for every origin, or a list; none: other origins are refused by browsers

	// ResponseTypes are the response types of the enveloped operations by their routes, such as
	// /api/event/:uuid. With them, errors raised before routing carry the envelope too: a method
	// that the path does not have, a body that is too large or does not arrive.
	ResponseTypes map[string]string

	// ShowFailure writes the body of an error's answer, such as a page for people; nil writes JSON,
	// and so does an error that it returns. The status is set before.
	ShowFailure func(c *fiber.Ctx, f Failure) error

	// HideOperations answers 404 at /livez, /readyz and /metrics to requests that came through a
	// proxy, for a service whose paths the outside can ask for at all.
	HideOperations bool

	// Compress sends texts of 1 kB and more compressed to clients that accept it.
	Compress bool

	// StreamBodies passes requests to their handlers before their bodies have arrived, so that a
	// handler decides by sender and operation how much of a body is kept. Handlers read it with
	// ReadBody and never with Fiber's own functions, which have no limit then.
	StreamBodies bool

	BodyLimit      int           // bytes; default 1 MiB; more is 413; without StreamBodies
	BodyMemory     int           // bytes of all large bodies at once; default 16 MiB; more is 503; without StreamBodies
	Connections    int           // open at once; default 262,144; more are closed
	HeaderLimit    int           // bytes of request line and headers; default 16 KiB; more is 431
	RequestTimeout time.Duration // deadline of c.UserContext(); default 15 s
	ReadTimeout    time.Duration // for a whole request to arrive; default 10 s; more is 408
	WriteTimeout   time.Duration // that a client may take nothing of an answer for; default 30 s
	IdleTimeout    time.Duration // between two requests of a connection; default 60 s
}

func (o Options) withDefaults() Options {
	setDefault(&o.BodyLimit, 1<<20)
	setDefault(&o.BodyMemory, 16<<20)
	setDefault(&o.HeaderLimit, 16<<10)
	setDefault(&o.RequestTimeout, 15*time.Second)
	setDefault(&o.ReadTimeout, 10*time.Second)
	setDefault(&o.WriteTimeout, 30*time.Second)
	setDefault(&o.IdleTimeout, 60*time.Second)
	if o.Drain != nil {
		o.Ready = append(slices.Clip(o.Ready), o.Drain.check())
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return o
}

func setDefault[T int | time.Duration](value *T, standard T) {
	if *value == 0 {
		*value = standard
	}
}

// New returns an app that serves /livez, /readyz and /metrics and turns returned errors into
// answers. A path answers with and without its trailing slash, and compressed bodies are refused.
// New panics when an origin is malformed or the registry already has the request metrics.
func New(options Options) *fiber.App {
	options = options.withDefaults()
	o := newObserver(options)
	app := fiber.New(fiber.Config{
		AppName:               options.Service,
		Immutable:             true,
		CaseSensitive:         true,
		DisableStartupMessage: true,
		BodyLimit:             options.BodyLimit,
		StreamRequestBody:     options.StreamBodies,
		Concurrency:           options.Connections,

		DisablePreParseMultipartForm: true, // a form would be read into memory and files that no limit covers

		ReadBufferSize: options.HeaderLimit,
		ReadTimeout:    options.ReadTimeout,
		WriteTimeout:   options.WriteTimeout,
		IdleTimeout:    options.IdleTimeout,
		JSONEncoder:    value.JSON, // answers are never read as HTML: their type is JSON, with nosniff
		ErrorHandler:   o.unroutable,
	})
	app.Server().CloseOnShutdown = true
	if len(options.ResponseTypes) > 0 || !options.StreamBodies {
		o.heads.watch(app)
	}
	refuseUnknownMethods(app, o)
	app.Use(o.observe, options.Drain.close)
	if len(options.Origins) > 0 {
		app.Use(crossOrigin(options.Origins))
	}
	app.Use(refuseEncoded) // after crossOrigin: pages of other origins may read why
	if options.Compress {
		app.Use(compress)
	}
	if options.HideOperations {
		hideOperations(app)
	}
	mountHealth(app, options)
	return app
}

// exposed are the headers of answers that pages of other origins may read.
const exposed = "ETag,Litfass-Position,Location,RateLimit,RateLimit-Policy,Retry-After,Server-Timing,X-Request-Id"

// crossOrigin answers preflights and lets pages of the origins read answers. Credentials are never
// allowed: a token travels in a header that scripts set themselves.
func crossOrigin(origins []string) fiber.Handler {
	handler := cors.New(cors.Config{
		AllowOrigins:  strings.Join(origins, ","),
		AllowMethods:  "GET,HEAD,POST,PUT,PATCH,DELETE",
		AllowHeaders:  "Authorization,Content-Type,If-Match,If-None-Match,Last-Event-ID,Litfass-Position,Mcp-Method,Mcp-Name,Mcp-Protocol-Version,X-API-Key,X-Request-Id",
		ExposeHeaders: exposed,
		MaxAge:        int((24 * time.Hour).Seconds()),
	})
	if !slices.Equal(origins, []string{"*"}) {
		return handler
	}
	return func(c *fiber.Ctx) error {
		if len(c.Request().Header.Peek(fiber.HeaderOrigin)) > 0 {
			return handler(c)
		}
		// A cache may send this answer to pages of other origins, too: it does not vary by them.
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
		c.Set(fiber.HeaderAccessControlExposeHeaders, exposed)
		return c.Next()
	}
}
