package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/run"
)

// The paths for operators.
const (
	pathLive    = "/livez"
	pathReady   = "/readyz"
	pathMetrics = "/metrics"
)

// checkTimeout limits each check of /readyz.
const checkTimeout = 2 * time.Second

// Check is a condition of readiness. Run returns nil when it holds. /readyz shows the message of a
// fault; any other error is only logged.
type Check struct {
	Name   string
	Run    func(ctx context.Context) error
	Detail bool // shown only: the service is ready nevertheless
}

type readiness struct {
	Status string            `json:"status"` // "ok" or "unavailable"
	Checks map[string]string `json:"checks"` // by name: "ok" or what is missing
}

// liveness is the body of /livez: that the process runs, and its build.
type liveness struct {
	Status  string `json:"status"` // always "ok"
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"` // of the commit, RFC 3339 in UTC, or "unknown"
}

func newLiveness(b run.Build) liveness {
	return liveness{Status: "ok", Version: b.Version, Commit: b.Commit, Date: b.Date}
}

func mountHealth(app *fiber.App, options Options) {
	alive := newLiveness(run.ReadBuild())
	app.Get(pathLive, func(c *fiber.Ctx) error { return c.JSON(alive) })
	app.Get(pathReady, func(c *fiber.Ctx) error {
		answer := ask(c.UserContext(), options.Ready, options.Log)
		if answer.Status != "ok" {
			c.Status(http.StatusServiceUnavailable)
		}
		return c.JSON(answer)
	})
	app.Get(pathMetrics, refuseBody, adaptor.HTTPHandler(promhttp.HandlerFor(options.Metrics, promhttp.HandlerOpts{})))
}

// ask runs all checks concurrently, each with its own time-out, and does not wait for a check that
// ignores its context.
func ask(ctx context.Context, checks []Check, log *slog.Logger) readiness {
	answer := readiness{Status: "ok", Checks: make(map[string]string, len(checks))}
	results := make([]string, len(checks))
	var wait sync.WaitGroup
	for i, check := range checks {
		wait.Go(func() { results[i] = check.ask(ctx, log) })
	}
	wait.Wait()
	for i, check := range checks {
		answer.Checks[check.Name] = results[i]
		if results[i] != "ok" && !check.Detail {
			answer.Status = "unavailable"
		}
	}
	return answer
}

func (check Check) ask(ctx context.Context, log *slog.Logger) string {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- check.Run(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		return "ok"
	}
	log.Warn("not ready", "check", check.Name, "error", err.Error())
	var shown *fault.Fault
	if errors.As(err, &shown) {
		return shown.Message
	}
	return "not available"
}

// hideOperations rejects forwarded requests: proxies add the header to every request, and a client
// cannot remove it.
func hideOperations(app *fiber.App) {
	for _, path := range []string{pathLive, pathReady, pathMetrics} {
		app.Use(path, func(c *fiber.Ctx) error {
			if len(c.Request().Header.Peek(fiber.HeaderXForwardedFor)) > 0 {
				return fiber.ErrNotFound
			}
			return c.Next()
		})
	}
}
