package api

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"strconv"

	"github.com/gofiber/fiber/v2"
	lru "github.com/hashicorp/golang-lru/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
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

// maxKnown is the number of cached credentials, about 100 bytes each.
const maxKnown = 10_000

// gate requires a principal for each admin operation. An address that sends too many invalid
// credentials is refused before they are looked up, so that guessing is limited. Clients with the
// same address are not affected if their credentials were valid before, or are access tokens that
// this service signed.
type gate struct {
	authenticator *auth.Authenticator
	failures      *limit.Failures                         // nil: not limited
	known         *lru.Cache[[sha256.Size]byte, struct{}] // credentials that were valid the last time
}

func newGate(authenticator *auth.Authenticator, failures *limit.Failures) *gate {
	known, err := lru.New[[sha256.Size]byte, struct{}](maxKnown)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &gate{authenticator, failures, known}
}

// admit is a handler that runs before every admin operation: it requires a principal, only from the
// Authorization header (RULES.md, Authentication), and stores it in the request's context, see
// auth.PrincipalOf.
func (g *gate) admit(c *fiber.Ctx) error {
	ctx := c.UserContext()
	header, err := authorization(c)
	if err != nil {
		return challenged(c, g.failed(ctx, err))
	}
	principal, err := g.principal(ctx, header)
	if err != nil {
		return challenged(c, err)
	}
	c.SetUserContext(auth.WithPrincipal(ctx, principal))
	err = c.Next()
	if _, refused := postgres.Refused(err); refused { // perhaps since the account was deleted meanwhile
		if _, ended := g.authenticator.Authenticate(ctx, header); fault.Is(ended, fault.Unauthenticated) {
			return challenged(c, ended)
		}
	}
	return err
}

// principal returns the principal of a request with this Authorization header. The fault is
// TooMany or Unauthenticated.
func (g *gate) principal(ctx context.Context, header string) (auth.Principal, error) {
	digest := sha256.Sum256([]byte(header))
	refused := g.failures.Refused(limit.Address(auth.OriginOf(ctx).Address))
	if refused != nil && !g.known.Contains(digest) && !g.authenticator.Signed(ctx, header) {
		return auth.Principal{}, refused
	}
	principal, err := g.authenticator.Authenticate(ctx, header)
	if err != nil {
		g.known.Remove(digest)
		return auth.Principal{}, g.failed(ctx, err)
	}
	g.known.Add(digest, struct{}{})
	return principal, nil
}

// failed counts a failure that is due to the credentials, and returns the error of the answer. An
// expired access token does not count: its client has only to refresh it.
func (g *gate) failed(ctx context.Context, err error) error {
	if !fault.Is(err, fault.Unauthenticated) || fault.Of(err).Code == auth.CodeExpired {
		return err
	}
	if refused := g.failures.Count(ctx, limit.Address(auth.OriginOf(ctx).Address)); refused != nil {
		return refused
	}
	return err
}

// authorization returns the request's Authorization header, "" without one. Several are an
// Unauthenticated fault: a proxy may have checked another one than this service would.
func authorization(c *fiber.Ctx) (string, error) {
	if len(c.Request().Header.PeekAll(fiber.HeaderAuthorization)) > 1 {
		return "", fault.New(fault.Unauthenticated, "token_invalid",
			"the header Authorization must be given once")
	}
	return c.Get(fiber.HeaderAuthorization), nil
}

// challenged adds the header that RFC 9110 requires to a 401.
func challenged(c *fiber.Ctx, err error) error {
	if fault.Is(err, fault.Unauthenticated) {
		c.Set(fiber.HeaderWWWAuthenticate, `Bearer realm="litfass"`)
	}
	return err
}

// client is the limit.Identify of the service: the creator of the API key, or the user, else the
// address.
func client(c *fiber.Ctx) limit.Client {
	ctx := c.UserContext()
	switch who := auth.PrincipalOf(ctx); {
	case who.APIKey != "":
		return limit.Key(who.KeyOwner, who.KeyTier)
	case who.LoggedIn():
		return limit.User(strconv.Itoa(who.UserID))
	default:
		return limit.Address(auth.OriginOf(ctx).Address)
	}
}
