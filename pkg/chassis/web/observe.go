package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/run"
)

// NewMetrics returns a registry with the metrics of the Go runtime and the process, and
// litfass_build_info.
func NewMetrics() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		buildInfo(run.ReadBuild()),
	)
	return registry
}

// buildInfo is always 1; its labels name the build.
func buildInfo(b run.Build) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "litfass_build_info",
		Help: "Always 1, labelled with version, commit, date of the commit and Go version of the program.",
		ConstLabels: prometheus.Labels{
			"version": b.Version, "commit": b.Commit, "date": b.Date, "goversion": b.Go,
		},
	}, func() float64 { return 1 })
}

// observer wraps every request: it sets its id and deadline, recovers from panics, answers its
// error, and counts and logs the result.
type observer struct {
	log     *slog.Logger
	timeout time.Duration
	types   map[string]string // Options.ResponseTypes
	heads   *heads

	showFailure func(c *fiber.Ctx, f Failure) error

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newObserver(options Options) *observer {
	o := &observer{
		log:     options.Log,
		timeout: options.RequestTimeout,
		types:   options.ResponseTypes,
		heads:   newHeads(options),

		showFailure: options.ShowFailure,

		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_http_requests_total",
			Help: "Answered requests by method, route pattern and status.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "litfass_http_request_duration_seconds",
			Help: "Time from the request read, or its headers where handlers read the body, to the answer ready, " +
				"by method and route pattern.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
	}
	options.Metrics.MustRegister(o.requests, o.duration)
	return o
}

// observe is the outermost handler. It turns the error of the inner ones into an answer.
func (o *observer) observe(c *fiber.Ctx) error {
	started := time.Now()
	defer o.heads.take(c).release()
	arrived(c)
	defer answered(c)
	id := begin(c, started)
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), requestIDKey{}, id), o.timeout)
	defer cancel()
	ctx, span := startSpan(ctx, c)
	c.SetUserContext(ctx)
	err := o.protect(c)
	if err != nil {
		o.fail(c, err, o.responseType(c, c.Path()))
	}
	finishBody(c)
	endSpan(span, c, route(c, err), err)
	o.record(c, route(c, err), started, err)
	return nil
}

// unroutable answers requests that never reached observe because the server could not read them.
func (o *observer) unroutable(c *fiber.Ctx, err error) error {
	started := time.Now()
	arrived(c)
	defer answered(c)
	begin(c, started)
	head := o.heads.take(c)
	defer head.release()
	path := c.Path()
	if head != nil {
		path, err = head.path, head.refusal(err)
	}
	o.fail(c, err, o.responseType(c, path))
	finishBody(c)
	lingerAfter(c)
	o.record(c, unmatched, started, err)
	return nil
}

// protect runs the inner handlers and turns a panic into an error, with its stack in the log.
func (o *observer) protect(c *fiber.Ctx) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			o.log.ErrorContext(c.UserContext(), "panic", "request_id", RequestID(c.UserContext()), "reason", fmt.Sprint(reason),
				"stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return c.Next()
}

// unmatched is the route label of requests without a route; their paths must not become labels.
const unmatched = "unmatched"

func route(c *fiber.Ctx, err error) string {
	var routing *fiber.Error
	if errors.As(err, &routing) {
		return unmatched
	}
	return c.Route().Path
}

// record counts and logs the answer. The log contains the path but never the query, a body or an
// address: they could reveal who asked for what.
func (o *observer) record(c *fiber.Ctx, route string, started time.Time, err error) {
	status, took, method := c.Response().StatusCode(), time.Since(started), methodOf(c)
	o.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	o.duration.WithLabelValues(method, route).Observe(took.Seconds())
	level := levelOf(route, status)
	if fault.IsOverloaded(err) {
		level = slog.LevelInfo // there are many of them at once, and metrics count them
	}
	ctx := c.UserContext() // with the trace
	if !o.log.Enabled(ctx, level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", c.GetRespHeader(fiber.HeaderXRequestID)),
		slog.String("method", method),
		slog.String("path", pathOf(c, route)),
		slog.Int("status", status),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if err != nil && status >= fiber.StatusInternalServerError {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	o.log.LogAttrs(ctx, level, "request", attributes...)
}

// methodOf returns the method for metrics and logs. Unknown methods count as one: clients can
// invent any number of them, of any length, and each would remain as a label.
func methodOf(c *fiber.Ctx) string {
	if method := c.Method(); slices.Contains(c.App().Config().RequestMethods, method) {
		return method
	}
	return "unknown"
}

// secretPart marks the part of a route that is a secret, which belongs in no log.
const secretPart = "/:token"

// longestPart is how long a uuid is, the longest part of a path that the log needs. A longer one
// may be a secret in a path that is no route: a link that was broken off, or lengthened.
const longestPart = 36

// pathOf returns the path for the log, cut to a limited length and without its long parts; the
// route in place of a path with a secret.
func pathOf(c *fiber.Ctx, route string) string {
	const most = 512
	if strings.Contains(route, secretPart) {
		return route
	}
	parts := strings.Split(c.Path(), "/")
	for i, part := range parts {
		if len(part) > longestPart {
			parts[i] = "…"
		}
	}
	path := strings.Join(parts, "/")
	if len(path) > most {
		return path[:most] + "…"
	}
	return path
}

func levelOf(route string, status int) slog.Level {
	switch {
	case status == fiber.StatusNotImplemented: // a method that does not exist is the client's mistake
		return slog.LevelInfo
	case status >= fiber.StatusInternalServerError && route != pathReady:
		return slog.LevelError
	case route == pathLive, route == pathReady, route == pathMetrics:
		return slog.LevelDebug
	default:
		return slog.LevelInfo
	}
}

type (
	requestIDKey struct{}
	startedKey   struct{}
)

// RequestID returns the id of the request whose context this is, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// saneID is the accepted form of a caller's own request id: it is written to logs and answers.
var saneID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// begin sets the request's id, its start and the headers of every answer.
func begin(c *fiber.Ctx, started time.Time) string {
	id := c.Get(fiber.HeaderXRequestID)
	if !saneID.MatchString(id) {
		id = uuid.Must(uuid.NewV7()).String() // fails only without a source of randomness
	}
	c.Locals(startedKey{}, started)
	c.Set(fiber.HeaderXRequestID, id)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	c.Set(fiber.HeaderCacheControl, "no-store")
	return id
}

// refuseUnknownMethods answers methods for which Fiber has no routes: its own answer is plain text.
func refuseUnknownMethods(app *fiber.App, o *observer) {
	inner := app.Server().Handler
	known := map[string]bool{}
	for _, method := range app.Config().RequestMethods {
		known[method] = true
	}
	app.Server().Handler = func(r *fasthttp.RequestCtx) {
		if known[string(r.Method())] {
			inner(r)
			return
		}
		c := app.AcquireCtx(r)
		defer app.ReleaseCtx(c)
		_ = o.unroutable(c, fiber.ErrNotImplemented) // always nil
	}
}
