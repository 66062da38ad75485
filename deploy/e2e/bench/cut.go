package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
)

// cutter forwards TCP connections to a server until it is cut.
type cutter struct {
	listener net.Listener
	to       string

	mu     sync.Mutex
	silent chan struct{} // while cut silently: closed when it is over
	closed bool          // while cut so that connections end
	open   map[net.Conn]bool
}

// newCutter listens on a free port and forwards to an address.
func newCutter(to string) (*cutter, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{listener: listener, to: to, open: map[net.Conn]bool{}}
	go c.accept()
	return c, nil
}

func (c *cutter) address() string { return c.listener.Addr().String() }

func (c *cutter) accept() {
	for {
		from, err := c.listener.Accept()
		if err != nil {
			return // closed
		}
		go c.forward(from)
	}
}

// forward copies both ways until one side ends.
func (c *cutter) forward(from net.Conn) {
	defer from.Close()
	to, err := new(net.Dialer).DialContext(context.Background(), "tcp", c.to)
	if err != nil {
		return
	}
	defer to.Close()
	if !c.keep(from, to) {
		return
	}
	defer c.drop(from, to)
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			c.copy(way[1], way[0])
			ended <- struct{}{}
		}()
	}
	<-ended
}

// copy forwards what is read, once the line is not cut silently.
func (c *cutter) copy(to io.Writer, from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		c.await()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (c *cutter) await() {
	c.mu.Lock()
	silent := c.silent
	c.mu.Unlock()
	if silent != nil {
		<-silent
	}
}

func (c *cutter) keep(connections ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, connection := range connections {
		c.open[connection] = true
	}
	return !c.closed
}

func (c *cutter) drop(connections ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, connection := range connections {
		delete(c.open, connection)
	}
}

// cut ends all connections, and new ones at once.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for connection := range c.open {
		_ = connection.Close()
	}
}

// hush lets nothing through any more, while connections stay open.
func (c *cutter) hush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent = make(chan struct{})
}

// mend ends a cut of either kind.
func (c *cutter) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = false
	if c.silent != nil {
		close(c.silent)
		c.silent = nil
	}
}

func (c *cutter) close() error {
	c.cut()
	c.mend()
	err := c.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
