package web

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Serve answers requests on listen (host:port) until ctx ends; then it accepts no new connections,
// gives open requests the time stop to finish, and returns nil. It returns an error when it cannot
// listen, when the listener fails, or when requests are still open after stop.
func Serve(ctx context.Context, app *fiber.App, listen string, stop time.Duration, log *slog.Logger) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	return ServeOn(ctx, app, listener, stop, log)
}

// ServeOn is Serve on a listener that is already open. It closes the listener.
func ServeOn(ctx context.Context, app *fiber.App, listener net.Listener, stop time.Duration, log *slog.Logger) error {
	served := make(chan error, 1)
	go func() { served <- app.Listener(newClients(listener, app)) }()
	log.Info("listening", "address", listener.Addr().String())
	select {
	case err := <-served:
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), stop)
	defer cancel()
	err := app.ShutdownWithContext(deadline)
	_ = listener.Close() // already closed, unless the server had not begun to serve
	if err != nil {
		return fmt.Errorf("requests still open after %s: %w", stop, err)
	}
	return nil
}
