package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Serve answers requests on listen (host:port) until ctx ends; then it takes no new connection,
// lets open requests finish within stop, and returns nil. It returns an error when it cannot
// listen, stops listening by itself, or stop is over.
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
	go func() { served <- app.Listener(lingerListener{listener}) }()
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

// A client that is still sending when its connection is closed gets a reset and may never see the
// answer that says why. So after such an answer the connection is closed for writing first, and
// read and thrown away for a moment.
const (
	lingerTime  = 2 * time.Second
	lingerBytes = 64 << 20
)

type lingerListener struct{ net.Listener }

// Accept returns connections that can linger.
func (l lingerListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return conn, nil
	}
	return &lingerConn{TCPConn: tcp}, nil
}

type lingerConn struct {
	*net.TCPConn
	linger atomic.Bool
}

// Close closes the connection, after what the client still sends if it is to linger.
func (c *lingerConn) Close() error {
	if c.linger.Load() && c.CloseWrite() == nil && c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c.TCPConn, lingerBytes) // however it ends, the connection is closed next
	}
	return c.TCPConn.Close()
}

// lingerAfter makes the connection of a request that was not read to its end linger.
func lingerAfter(c *fiber.Ctx) {
	if conn, ok := c.Context().Conn().(*lingerConn); ok {
		conn.linger.Store(true)
	}
}
