package limit

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// The headers of limited operations (draft-ietf-httpapi-ratelimit-headers-11): the limit, and how
// much of it is left.
const (
	HeaderPolicy = "RateLimit-Policy"
	HeaderLimit  = "RateLimit"
)

// Identify returns the client of a request. It runs after the handlers of the router's groups.
type Identify func(*fiber.Ctx) Client

// router is a router whose operations are limited.
type router struct {
	fiber.Router

	limiter  *Limiter
	identify Identify
	prefix   string
}

// Router returns a router that adds operations with their limits to inner, which has the given
// prefix. It panics when a route is added that no row of the table applies to.
func (l *Limiter) Router(inner fiber.Router, prefix string, identify Identify) fiber.Router {
	if l == nil {
		return inner
	}
	return router{inner, l, identify, prefix}
}

// Group returns the router of the paths below a prefix.
func (r router) Group(prefix string, handlers ...fiber.Handler) fiber.Router {
	return router{r.Router.Group(prefix, handlers...), r.limiter, r.identify, r.prefix + prefix}
}

// Get adds an operation that reads, also for HEAD, which counts as GET.
func (r router) Get(path string, handlers ...fiber.Handler) fiber.Router {
	return r.Router.Get(path, r.limited(http.MethodGet, path, handlers)...)
}

// Post adds an operation that adds or acts.
func (r router) Post(path string, handlers ...fiber.Handler) fiber.Router {
	return r.Router.Post(path, r.limited(http.MethodPost, path, handlers)...)
}

// Put adds an operation that changes.
func (r router) Put(path string, handlers ...fiber.Handler) fiber.Router {
	return r.Router.Put(path, r.limited(http.MethodPut, path, handlers)...)
}

// Patch adds an operation that changes a part.
func (r router) Patch(path string, handlers ...fiber.Handler) fiber.Router {
	return r.Router.Patch(path, r.limited(http.MethodPatch, path, handlers)...)
}

// Delete adds an operation that deletes.
func (r router) Delete(path string, handlers ...fiber.Handler) fiber.Router {
	return r.Router.Delete(path, r.limited(http.MethodDelete, path, handlers)...)
}

// limited returns the handlers of an operation, preceded by one that limits it.
func (r router) limited(method, path string, handlers []fiber.Handler) []fiber.Handler {
	route := r.prefix + path
	row, found := rowFor(r.limiter.table, method, route)
	if !found {
		panic(fmt.Sprintf("no row of the table of limits applies to %s %s", method, route))
	}
	if row.SetBy != "" {
		return append([]fiber.Handler{r.limiter.showCounted(row)}, handlers...)
	}
	if row.Max == 0 {
		return handlers
	}
	guard := r.limiter.newGuard(method, route, row)
	return append([]fiber.Handler{guard.handler(r.identify)}, handlers...)
}

// handler refuses requests that are over the limit.
func (g *guard) handler(identify Identify) fiber.Handler {
	name := strconv.Quote(g.operation)
	return func(c *fiber.Ctx) error {
		client := identify(c)
		if client.kind == kindOwn {
			return c.Next()
		}
		count := g.take(c.UserContext(), client)
		c.Set(HeaderPolicy, count.quota.policy)
		c.Set(HeaderLimit, remaining(name, count.left, count.seconds))
		if !count.refused {
			err := c.Next()
			hideFromCaches(c)
			return err
		}
		return tooMany(count.seconds, "more than %d requests in %s", count.quota.max, inWords(g.row.Window))
	}
}

// tooMany returns the refusal of a request until some seconds have passed.
func tooMany(seconds int, format string, args ...any) error {
	f := fault.New(fault.TooMany, "", format+"; try again in %d s", append(args, seconds)...)
	f.RetryAfter = time.Duration(seconds) * time.Second
	return f
}

// hideFromCaches removes the headers from an answer that caches may serve to other clients.
func hideFromCaches(c *fiber.Ctx) {
	if strings.HasPrefix(c.GetRespHeader(fiber.HeaderCacheControl), "public") {
		c.Response().Header.Del(HeaderPolicy)
		c.Response().Header.Del(HeaderLimit)
	}
}

// showCounted returns a handler that adds the headers to an operation whose handlers count its
// requests. The amount left is known only once it is nothing.
func (l *Limiter) showCounted(row Row) fiber.Handler {
	if set, configured := l.counted[row.Operation]; configured {
		row.Max, row.Window = set.Max, set.Window
	}
	name, header := strconv.Quote(row.Operation), policy(row.Operation, row.Max, row.Window)
	return func(c *fiber.Ctx) error {
		c.Set(HeaderPolicy, header)
		err := c.Next()
		if fault.Is(err, fault.TooMany) {
			c.Set(HeaderLimit, remaining(name, 0, wholeSeconds(fault.Of(err).RetryAfter)))
		}
		return err
	}
}

// policy returns the header of a limit. Operations contain no characters to escape.
func policy(operation string, limit int, window time.Duration) string {
	return fmt.Sprintf(`%q;q=%d;w=%d`, operation, limit, wholeSeconds(window))
}

// remaining returns the header with the requests left and the seconds until there are more.
func remaining(name string, left, seconds int) string {
	text := append(make([]byte, 0, longName), name...)
	text = append(text, ";r="...)
	text = strconv.AppendInt(text, int64(left), 10)
	text = append(text, ";t="...)
	text = strconv.AppendInt(text, int64(seconds), 10)
	return string(text)
}

// inWords returns a window of the table for people.
func inWords(window time.Duration) string {
	if window == time.Minute {
		return "a minute"
	}
	return window.String()
}
