package web

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Cacheable returns a handler for routes whose answers depend on the URL alone: caches may keep
// them for maxAge and revalidate them afterwards with If-None-Match (304). With a maxAge of 0 they
// revalidate each time.
func Cacheable(maxAge time.Duration) fiber.Handler {
	control := cacheControl(maxAge)
	return func(c *fiber.Ctx) error {
		if err := c.Next(); err != nil || c.Response().StatusCode() != fiber.StatusOK {
			return err
		}
		tag := etag(c.Response().Body())
		c.Set(fiber.HeaderETag, tag)
		c.Set(fiber.HeaderCacheControl, control)
		if Holds(c.Get(fiber.HeaderIfNoneMatch), tag) {
			c.Status(fiber.StatusNotModified).Response().ResetBody()
		}
		return nil
	}
}

// CacheControl returns a handler for routes whose answers caches may keep for maxAge, but whose
// envelope differs each time: they have no ETag.
func CacheControl(maxAge time.Duration) fiber.Handler {
	control := cacheControl(maxAge)
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, control)
		return c.Next() // an error overrides it
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

// Holds reports whether an If-None-Match header contains this tag, by weak comparison (RFC 9110,
// 13.1.2).
func Holds(header, tag string) bool {
	for sent := range strings.SplitSeq(header, ",") {
		sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
		if sent == tag || sent == "*" {
			return true
		}
	}
	return false
}
