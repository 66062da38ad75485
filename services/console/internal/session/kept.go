package session

import (
	"encoding/base64"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// keptPrefix is before the names of the cookies that hold a value on the way to an account.
const keptPrefix = "litfass_"

// keptAge is how long a browser keeps such a value: as long as the link in a mail works.
const keptAge = 24 * time.Hour

// longestKept is that of a value; a longer one comes from no mail.
const longestKept = 512

// Keep has the browser keep a value for a day, sealed: the token of a link, so that it stands in no
// address, or the e-mail address of a signup. name says what it is.
func (k Cookies) Keep(c *fiber.Ctx, name, value string) error {
	if len(value) > longestKept {
		return nil
	}
	sealed, _, err := k.Sealer.Seal(keptPrefix+name, []byte(value))
	if err != nil {
		return err
	}
	c.Cookie(k.kept(name, base64.RawURLEncoding.EncodeToString(sealed), keptAge))
	return nil
}

// Kept returns a value that Keep has stored; "" for none, and for one that no secret opens.
func (k Cookies) Kept(c *fiber.Ctx, name string) string {
	sealed, err := base64.RawURLEncoding.DecodeString(c.Cookies(keptPrefix + name))
	if err != nil || len(sealed) == 0 {
		return ""
	}
	plain, err := k.Sealer.Open(keptPrefix+name, sealed, true)
	if err != nil {
		return ""
	}
	return string(plain)
}

// Drop has the browser forget such a value.
func (k Cookies) Drop(c *fiber.Ctx, name string) {
	cookie := k.kept(name, "", 0)
	cookie.Expires = fasthttp.CookieExpireDelete
	c.Cookie(cookie)
}

func (k Cookies) kept(name, value string, age time.Duration) *fiber.Cookie {
	return &fiber.Cookie{
		Name: keptPrefix + name, Value: value, Path: path, MaxAge: int(age.Seconds()),
		Secure: k.Secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	}
}
