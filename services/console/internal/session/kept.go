package session

import (
	"time"

	"github.com/gofiber/fiber/v2"
)

// keptPrefix is before the names of the cookies that hold a value on the way to an account.
const keptPrefix = "litfass_"

// keptAge is how long a browser keeps a value: as long as the link in a mail works.
const keptAge = 24 * time.Hour

// maxKept is the maximum length of a value; a longer one comes from no mail.
const maxKept = 512

// Keep has the browser keep a value for a day, sealed: the token of a link, so that it stands in
// no address, or the e-mail address of a signup. name identifies it.
func (k Cookies) Keep(c *fiber.Ctx, name, value string) error {
	if len(value) > maxKept {
		return nil
	}
	return k.seal(c, keptPrefix+name, []byte(value), keptAge)
}

// Kept returns a value that Keep has stored; "" for none, and for one that no secret opens.
func (k Cookies) Kept(c *fiber.Ctx, name string) string { return string(k.unseal(c, keptPrefix+name)) }

// Drop has the browser forget a value that Keep has stored.
func (k Cookies) Drop(c *fiber.Ctx, name string) { k.set(c, keptPrefix+name, "", 0) }
