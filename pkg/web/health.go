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

	"litfass/pkg/fault"
)

// The paths that operators ask.
const (
	pathLive    = "/livez"
	pathReady   = "/readyz"
	pathMetrics = "/metrics"
)

// checkTimeout bounds every check of /readyz.
const checkTimeout = 2 * time.Second

// Check is one thing that must work before a service can do its job. Run returns nil when it does.
// The message of a fault is shown by /readyz; any other error is only logged.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

type readiness struct {
	Status string            `json:"status"` // "ok" or "unavailable"
	Checks map[string]string `json:"checks"` // by name: "ok" or what is missing
}

func mountHealth(app *fiber.App, options Options) {
	app.Get(pathLive, func(c *fiber.Ctx) error { return c.JSON(fiber.Map{"status": "ok"}) })
	app.Get(pathReady, func(c *fiber.Ctx) error {
		answer := ask(c.UserContext(), options.Ready, options.Log)
		if answer.Status != "ok" {
			c.Status(http.StatusServiceUnavailable)
		}
		return c.JSON(answer)
	})
	app.Get(pathMetrics, refuseBody, adaptor.HTTPHandler(promhttp.HandlerFor(options.Metrics, promhttp.HandlerOpts{})))
}

// ask runs all checks at once, each with its own time-out. A check that ignores its context is not
// waited for.
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
		if results[i] != "ok" {
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
