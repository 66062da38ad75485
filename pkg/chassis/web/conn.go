package web

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// A client that is still sending when its connection is closed gets a reset and may never see the
// answer. So the connection is first closed for writing and then read for a moment.
const (
	lingerTime  = 2 * time.Second
	lingerBytes = 64 << 20
)

// A client that reads slowly, but reads, is served: the time of an answer counts from the last part
// that the client has taken. What the system holds for a connection is bounded, for parts to say
// what the client has taken.
const (
	writtenPart   = 64 << 10
	systemsBuffer = 128 << 10
)

// past is a deadline that ends the current and all further I/O of a connection.
var past = time.Unix(1, 0)

// clients accepts connections, and bounds the memory that slow ones hold.
type clients struct {
	net.Listener
	first     time.Duration // for the first request to arrive
	stand     time.Duration // that a client may stand still while it reads an answer
	head      int           // bytes of the buffer of a request that is arriving
	arriving  *waiting
	departing *waiting
}

func newClients(listener net.Listener, app *fiber.App) *clients {
	return &clients{
		Listener: listener, first: app.Config().ReadTimeout, stand: app.Config().WriteTimeout, head: app.Config().ReadBufferSize,
		arriving: newWaiting(arrivingBytes), departing: newWaiting(departingBytes),
	}
}

// Accept returns connections that can linger. One that never sends a byte ends in time: the server
// sets no deadline of its own before it has read the first.
func (l *clients) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tcp, ok := accepted.(*net.TCPConn)
	if !ok {
		return accepted, nil
	}
	c := &conn{TCPConn: tcp, clients: l}
	c.arriving.giveUp = func() { c.unread.Store(true); _ = tcp.SetReadDeadline(past) }
	c.departing.giveUp = func() { c.unwritten.Store(true); _ = tcp.SetWriteDeadline(past) }
	_ = tcp.SetWriteBuffer(systemsBuffer) // these fail only when the client is gone again
	_ = tcp.SetReadDeadline(time.Now().Add(l.first))
	return c, nil
}

// conn is a connection to a client. Everything but its Close is called from one goroutine.
type conn struct {
	*net.TCPConn
	clients *clients
	linger  atomic.Bool

	arriving  wait // of the request that is being read
	departing wait // of the answer that is being written
	begun     bool // the first bytes of a request are read, and not yet all of it
	answering bool // the request is with its handler

	// Given up: the next read or write times out, regardless of the server's own deadlines.
	unread, unwritten atomic.Bool
}

// Read reads from the client. With the first bytes of a request its buffer begins to count.
func (c *conn) Read(p []byte) (int, error) {
	if c.unread.Load() {
		_ = c.SetReadDeadline(past) // fails only when the client is gone
	}
	n, err := c.TCPConn.Read(p)
	if n > 0 && !c.begun && !c.answering {
		c.begun = true
		c.clients.arriving.begin(&c.arriving, c.clients.head)
	}
	return n, err
}

// Write writes to the client. The bytes count until the system has accepted them.
func (c *conn) Write(p []byte) (n int, err error) {
	c.clients.departing.begin(&c.departing, len(p))
	defer c.clients.departing.end(&c.departing)
	for {
		part := p[n:min(n+writtenPart, len(p))]
		c.extend()
		written, err := c.TCPConn.Write(part)
		if n += written; err != nil || n == len(p) {
			return n, err
		}
	}
}

// extend lets the next part of an answer have its time.
func (c *conn) extend() {
	if c.clients.stand > 0 {
		_ = c.SetWriteDeadline(time.Now().Add(c.clients.stand)) // fails only when the client is gone
	}
	if c.unwritten.Load() {
		_ = c.SetWriteDeadline(past)
	}
}

// ReadFrom writes all of a reader to the client, as Write does.
func (c *conn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{c}, r) }

// Close closes the connection. If it is to linger, it first discards the rest of the client's data.
func (c *conn) Close() error {
	c.clients.arriving.end(&c.arriving)
	if c.linger.Load() && c.CloseWrite() == nil && c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c.TCPConn, lingerBytes) // the connection is closed next in any case
	}
	return c.TCPConn.Close()
}

// arrived notes that a request is with its handler, which may take longer than its client. The
// connection may have been given up when all of the request had already been read: it then ends
// with an answer that says so, else the client's next request on it would be lost.
func arrived(c *fiber.Ctx) {
	if conn, ok := c.Context().Conn().(*conn); ok {
		conn.begun, conn.answering = false, true
		conn.clients.arriving.end(&conn.arriving)
		if conn.unread.Load() {
			c.Context().SetConnectionClose()
		}
	}
}

// answered notes that the next bytes read belong to another request.
func answered(c *fiber.Ctx) {
	if conn, ok := c.Context().Conn().(*conn); ok {
		conn.answering = false
	}
}

// lingerAfter lets the connection of a request that was not read completely linger.
func lingerAfter(c *fiber.Ctx) {
	if conn, ok := c.Context().Conn().(*conn); ok {
		conn.linger.Store(true)
	}
}
