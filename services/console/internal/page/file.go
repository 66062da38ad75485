package page

import "github.com/gofiber/fiber/v2"

// KnownTag returns the ETag of the answer that the browser keeps; "" for none.
func (r *Request) KnownTag() string { return r.c.Get(fiber.HeaderIfNoneMatch) }
