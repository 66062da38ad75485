package api

import (
	"net/netip"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/limit"
	"litfass/pkg/web"
	"litfass/services/admin/internal/auth"
)

// identify returns a handler that stores the origin of each request in its context, for limits and
// the audit.
func identify(trusted []netip.Prefix) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.UserContext()
		c.SetUserContext(auth.WithOrigin(ctx, auth.Origin{
			Address:   web.ClientAddress(c, trusted),
			UserAgent: c.Get(fiber.HeaderUserAgent),
			RequestID: web.RequestID(ctx),
		}))
		return c.Next()
	}
}

// authenticate returns a handler that runs before every admin operation: it requires a principal,
// from the Authorization header alone (interface.md, Authentication), and stores it in the
// request's context, see auth.PrincipalOf.
func authenticate(authenticator *auth.Authenticator) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.UserContext()
		header, err := authorization(c)
		if err != nil {
			return challenged(c, err)
		}
		principal, err := authenticator.Authenticate(ctx, header)
		if err != nil {
			return challenged(c, err)
		}
		c.SetUserContext(auth.WithPrincipal(ctx, principal))
		return c.Next()
	}
}

// authorization returns the request's Authorization header, "" without one. With several of them it
// is an Unauthenticated fault: a proxy may have checked another one than this service would read.
func authorization(c *fiber.Ctx) (string, error) {
	if len(c.Request().Header.PeekAll(fiber.HeaderAuthorization)) > 1 {
		return "", fault.New(fault.Unauthenticated, "token_invalid",
			"the header Authorization must be given once")
	}
	return c.Get(fiber.HeaderAuthorization), nil
}

// challenged adds to a 401 the header that RFC 9110 requires.
func challenged(c *fiber.Ctx, err error) error {
	if fault.Is(err, fault.Unauthenticated) {
		c.Set(fiber.HeaderWWWAuthenticate, `Bearer realm="litfass"`)
	}
	return err
}

// client is the limit.Identify of the service: the API key or the user, else the address.
func client(c *fiber.Ctx) limit.Client {
	ctx := c.UserContext()
	switch who := auth.PrincipalOf(ctx); {
	case who.APIKey != "":
		return limit.Key(who.APIKey, who.KeyTier)
	case who.LoggedIn():
		return limit.User(strconv.Itoa(who.UserID))
	default:
		return limit.Address(auth.OriginOf(ctx).Address)
	}
}
