package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
)

// Caching is how long others, such as browsers and CDNs, may keep an answer.
type Caching struct {
	MaxAge time.Duration // 0: they ask each time whether it has changed
	// StaleWhileRevalidate is how much longer they may answer with it while they ask.
	StaleWhileRevalidate time.Duration
}

// keeps reports whether others may answer without asking.
func (k Caching) keeps() bool { return k.MaxAge > 0 || k.StaleWhileRevalidate > 0 }

// header returns the value of Cache-Control.
func (k Caching) header() string {
	if !k.keeps() {
		return "no-cache"
	}
	control := fmt.Sprintf("public, max-age=%d", int(k.MaxAge.Seconds()))
	if k.StaleWhileRevalidate > 0 {
		control += fmt.Sprintf(", stale-while-revalidate=%d", int(k.StaleWhileRevalidate.Seconds()))
	}
	return control
}

type cacheableKey struct{}

// Cacheable returns a handler for GET routes whose answers depend only on the URL. Clients and
// proxies may cache them as caching allows and revalidate with If-None-Match, which gets a 304 when
// nothing has changed. An answer without an ETag gets one computed from its body. Errors are not
// cached.
func Cacheable(caching Caching) fiber.Handler {
	control := caching.header()
	return func(c *fiber.Ctx) error {
		c.Locals(cacheableKey{}, caching)
		c.Set(fiber.HeaderCacheControl, control) // an error overrides it
		if err := c.Next(); err != nil {
			return err
		}
		if caching.keeps() { // a read that names a position must not get an older answer from a cache
			c.Vary(HeaderPosition)
		}
		r := c.Response()
		if r.StatusCode() == fiber.StatusOK && len(r.Header.Peek(fiber.HeaderETag)) == 0 && !r.IsBodyStream() {
			unchanged(c, encoded.TagOf(r.Body()))
		}
		return nil
	}
}

// Expire ends at a moment, which is after now, the time for which others may keep an answer of a
// Cacheable route. Expires names the moment.
func Expire(c *fiber.Ctx, at, now time.Time) {
	c.Set(fiber.HeaderExpires, at.UTC().Format(http.TimeFormat))
	caching, cacheable := c.Locals(cacheableKey{}).(Caching)
	if !cacheable || !caching.keeps() {
		return
	}
	left := at.Sub(now)
	caching.MaxAge = min(caching.MaxAge, left)
	caching.StaleWhileRevalidate = min(caching.StaleWhileRevalidate, left-caching.MaxAge)
	c.Set(fiber.HeaderCacheControl, caching.header())
}

// unchanged gives the answer its tag. It reports whether the client has the answer with this tag;
// then it is 304, and complete.
func unchanged(c *fiber.Ctx, tag string) bool {
	c.Response().Header.Set(fiber.HeaderETag, tag)
	sent := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	if len(sent) == 0 || !Holds(string(sent), tag) {
		return false
	}
	c.Status(fiber.StatusNotModified).Response().ResetBody()
	return true
}

// Holds reports whether an If-None-Match header contains this tag, by weak comparison (RFC 9110,
// 13.1.2).
func Holds(header, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for sent := range strings.SplitSeq(header, ",") {
		sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
		if sent == tag || sent == "*" {
			return true
		}
	}
	return false
}
