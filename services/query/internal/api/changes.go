package api

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/params"
)

const (
	eventStream       = "text/event-stream"
	headerLastEventID = "Last-Event-ID"
	// afterWait is how long an answer may take after the wait for a change.
	afterWait = 15 * time.Second
)

// mountChanges adds the change feed.
func (d Deps) mountChanges(app *fiber.App, api fiber.Router) {
	app.Server().KeepHijackedConns = true // streams outlive the function that they begin with
	api.Get("/changes", web.Enveloped(responseTypes["/changes"]), d.changes)
}

// changes answers GET /api/changes: the position at which to begin, the changes after one, or a
// stream of them.
func (d Deps) changes(c *fiber.Ctx) error {
	q, err := params.ChangesIn(rawQuery(c)).FromURL(rawQuery(c), d.today())
	if from := c.Get(headerLastEventID); from != "" {
		position, ok := params.ParsePosition(from)
		if !ok {
			err = withViolation(err, headerLastEventID, reason.NotChangesPosition)
		}
		q.Since = &position
	}
	if err != nil {
		return err
	}
	if _, err := d.awaitPosition(c); err != nil {
		return err
	}
	if q.NotOver {
		q.EndsAfter = d.Now().Unix()
	}
	// Before the changes are read: the index is complete up to this, or further.
	now, complete, unknown := d.Log.Now()
	f, err := d.changesFilter(c.UserContext(), q)
	if err != nil {
		return err
	}
	switch {
	case unknown != nil && (q.Since == nil || f.Tied()):
		return unknown
	case q.Since != nil && f.Tied() && q.Since.Stream == now.Stream && q.Since.Sequence > now.Sequence:
		return changes.ErrBehind() // another node has a newer portal, list or region than the filter
	}
	if c.Accepts(fiber.MIMEApplicationJSON, eventStream) == eventStream {
		return d.streamChanges(c, f, q.Since, now, complete.Position)
	}
	page := changes.Page{Changes: []changes.Item{}, Position: now.String()}
	if q.Since != nil {
		if page, err = d.changesAfter(c, f, q); err != nil {
			return err
		}
	}
	web.SetPosition(c, complete.Position)
	return web.SendData(c, page)
}

// changesFilter returns the filter of a query for changes.
func (d Deps) changesFilter(ctx context.Context, q params.Query) (changes.Filter, error) {
	f, err := changes.NewFilter(ctx, q, d.Places, d.Portals)
	if err != nil || q.List == "" {
		return f, err
	}
	list, _, err := d.Curated.Of(ctx, q.List)
	if err != nil {
		return f, err
	}
	return f.InList(list), nil
}

// changesAfter returns the changes after the position of a query, and waits for some if it asks to.
func (d Deps) changesAfter(c *fiber.Ctx, f changes.Filter, q params.Query) (changes.Page, error) {
	if q.Wait == 0 {
		return d.Log.Page(c.UserContext(), f, *q.Since, q.Limit)
	}
	leave, err := d.Hub.Enter(d.bounded(c))
	if err != nil {
		return changes.Page{}, err
	}
	defer leave()
	wait := time.Duration(q.Wait) * time.Second
	answer, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), wait+afterWait)
	defer cancel()
	return d.Hub.Wait(answer, f, *q.Since, q.Limit, wait)
}

// bounded returns the address of a client whose open streams are bounded, an invalid one of others.
func (d Deps) bounded(c *fiber.Ctx) netip.Addr {
	if d.Limits == nil || d.fromSite(c) {
		return netip.Addr{}
	}
	return web.ClientAddress(c, d.TrustedProxies)
}

// streamChanges answers with a stream, on the connection that it takes over.
func (d Deps) streamChanges(c *fiber.Ctx, f changes.Filter, since *params.Position, now params.Position, position uint64) error {
	from := now
	if since != nil {
		from = *since
	}
	if _, err := d.Log.Page(c.UserContext(), f, from, 1); err != nil { // to be refused with a status
		return err
	}
	web.SetPosition(c, position)
	if c.Method() == fiber.MethodHead {
		c.Set(fiber.HeaderContentType, eventStream)
		return nil
	}
	leave, err := d.Hub.Enter(d.bounded(c))
	if err != nil {
		return err
	}
	head := streamHead(c)
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(conn net.Conn) {
		d.Hub.Serve(context.Background(), conn, head, f, from, leave)
	})
	return nil
}

// streamHead returns the head of the answer that a stream is, with all headers that are set, and
// how soon a client that loses it comes back.
func streamHead(c *fiber.Ctx) []byte {
	var head strings.Builder
	head.WriteString("HTTP/1.1 200 OK\r\n")
	c.Set(fiber.HeaderContentType, eventStream)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("X-Accel-Buffering", "no") // of proxies that would keep events back
	c.Set(fiber.HeaderConnection, "close")
	for name, value := range c.Response().Header.All() {
		if !strings.EqualFold(string(name), fiber.HeaderContentLength) {
			fmt.Fprintf(&head, "%s: %s\r\n", name, value)
		}
	}
	head.WriteString("\r\nretry: 3000\n\n")
	return []byte(head.String())
}
