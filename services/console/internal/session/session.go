// Package session keeps the tokens of a login in a cookie that only the console can read: sealed,
// and out of the reach of scripts.
package session

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/seal"
)

// Session is a login.
type Session struct {
	Access  string    `json:"a"`
	Refresh string    `json:"r"`
	Expires time.Time `json:"e"` // of the access token

	UserID int    `json:"u"`
	Name   string `json:"n"` // how the person is addressed
	Locale string `json:"l"` // "de", "en" or "da"
	Theme  string `json:"t"` // "auto", "light" or "dark"
}

// cookieName is that of the cookie that holds a session.
const cookieName = "litfass_console"

// path is below which browsers send the cookie.
const path = "/console"

// cookieAge is how long a browser keeps the cookie. The admin service decides how long the tokens
// in it are valid.
const cookieAge = 60 * 24 * time.Hour

// Cookies reads and writes the cookie.
type Cookies struct {
	Sealer seal.Sealer
	Secure bool // whether the console is only reached by https
}

// Read returns the session of a request; nil when it has none, or one that no secret opens.
func (k Cookies) Read(c *fiber.Ctx) *Session {
	plain := k.unseal(c, cookieName)
	var s Session
	if plain == nil || json.Unmarshal(plain, &s) != nil {
		return nil
	}
	return &s
}

// unseal returns the content of a cookie; nil when there is none, or one that no secret opens.
func (k Cookies) unseal(c *fiber.Ctx, name string) []byte {
	sealed, err := base64.RawURLEncoding.DecodeString(c.Cookies(name))
	if err != nil || len(sealed) == 0 {
		return nil
	}
	plain, err := k.Sealer.Open(name, sealed, true)
	if err != nil {
		return nil
	}
	return plain
}

// Write has the browser keep a session.
func (k Cookies) Write(c *fiber.Ctx, s *Session) error {
	plain, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return k.seal(c, cookieName, plain, cookieAge)
}

// seal has the browser keep a value that only the console can read.
func (k Cookies) seal(c *fiber.Ctx, name string, plain []byte, age time.Duration) error {
	sealed, _, err := k.Sealer.Seal(name, plain)
	if err != nil {
		return err
	}
	k.set(c, name, base64.RawURLEncoding.EncodeToString(sealed), age)
	return nil
}

// Clear has the browser forget its session.
func (k Cookies) Clear(c *fiber.Ctx) { k.set(c, cookieName, "", 0) }

// set sends a cookie; without an age the browser deletes it. Browsers send it when a link in a mail
// is followed, but not with writes that another site has them send.
func (k Cookies) set(c *fiber.Ctx, name, value string, age time.Duration) {
	cookie := fiber.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(age.Seconds()),
		Secure: k.Secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	}
	if age == 0 {
		cookie.Expires = fasthttp.CookieExpireDelete
	}
	c.Cookie(&cookie)
}

// languageCookie keeps the language that was chosen in this browser, for pages without a login.
const languageCookie = "litfass_language"

// languageAge is how long a browser keeps that choice.
const languageAge = 365 * 24 * time.Hour

// Language returns the language that was chosen in this browser; "" for none.
func (k Cookies) Language(c *fiber.Ctx) string { return c.Cookies(languageCookie) }

// WriteLanguage has the browser keep a choice of language.
func (k Cookies) WriteLanguage(c *fiber.Ctx, code string) {
	k.set(c, languageCookie, code, languageAge)
}
