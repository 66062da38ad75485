package web

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Cacheable returns a handler that stands before one whose answers depend on nothing but the
// address: anyone may keep them for maxAge, and ask afterwards with If-None-Match whether they
// still hold (304). With a maxAge of 0 they ask each time.
func Cacheable(maxAge time.Duration) fiber.Handler {
	control := cacheControl(maxAge)
	return func(c *fiber.Ctx) error {
		if err := c.Next(); err != nil || c.Response().StatusCode() != fiber.StatusOK {
			return err
		}
		tag := etag(c.Response().Body())
		c.Set(fiber.HeaderETag, tag)
		c.Set(fiber.HeaderCacheControl, control)
		if holds(c.Get(fiber.HeaderIfNoneMatch), tag) {
			c.Status(fiber.StatusNotModified).Response().ResetBody()
		}
		return nil
	}
}

// CacheControl returns a handler that stands before one whose answers anyone may keep for maxAge,
// but that differ each time in the envelope: they have no tag.
func CacheControl(maxAge time.Duration) fiber.Handler {
	control := cacheControl(maxAge)
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, control)
		return c.Next() // an error takes it back
	}
}

func cacheControl(maxAge time.Duration) string {
	if maxAge <= 0 {
		return "no-cache"
	}
	return fmt.Sprintf("public, max-age=%d", int(maxAge.Seconds()))
}

func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// holds reports whether the tags of an If-None-Match header name this one. They are compared weakly
// (RFC 9110, 13.1.2).
func holds(header, tag string) bool {
	for sent := range strings.SplitSeq(header, ",") {
		sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
		if sent == tag || sent == "*" {
			return true
		}
	}
	return false
}
