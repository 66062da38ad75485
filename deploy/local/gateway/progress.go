package gateway

import (
	"context"
	"net"
	"net/http"
	"time"
)

// A client that reads slowly, but reads, is served: the time of an answer counts from the last part
// that the client has taken. What the system holds for a connection is bounded, for parts to say
// what the client has taken.
const (
	standstill    = 2 * time.Minute
	systemsBuffer = 128 << 10
)

// progressing serves each answer for as long as its client does not stand still for so long.
func progressing(handler http.Handler, standstill time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&progress{w, http.NewResponseController(w), standstill}, r)
	})
}

// progress is an answer of which each write has its own time. The proxy writes 32 KiB at once.
type progress struct {
	http.ResponseWriter
	controller *http.ResponseController
	standstill time.Duration
}

// Write implements http.ResponseWriter.
func (p *progress) Write(part []byte) (int, error) {
	_ = p.controller.SetWriteDeadline(time.Now().Add(p.standstill)) // a client that is gone fails next
	return p.ResponseWriter.Write(part)
}

// Unwrap returns the answer itself, for a controller of it.
func (p *progress) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// bounded bounds what the system holds for a connection.
func bounded(ctx context.Context, conn net.Conn) context.Context {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(systemsBuffer) // fails only when the client is gone
	}
	return ctx
}
