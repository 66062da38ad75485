package api

import (
	"net/http"
	"net/netip"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/user"
)

// Accounts are the operations of login and account (RULES.md, Accounts).
type Accounts struct {
	Users          *user.Service
	Avatars        *user.Avatars
	Authenticator  *auth.Authenticator
	TrustedProxies []netip.Prefix
}

// Mount adds the operations, and the handlers that run before all others and determine the origin
// and the principal of a request; failures limits the requests of an address without a valid one.
// It returns the router of Prefix, whose operations have a principal (auth.PrincipalOf).
func (a Accounts) Mount(app fiber.Router, failures *limit.Failures) fiber.Router {
	app.Use("/api", identify(a.TrustedProxies))
	app.Get("/api/user/:userId/avatar", a.showAvatar) // images ignore unknown parameters
	app.Get("/api/user/:userId/avatar/:size", a.showAvatar)
	strict := operations{Router: app}
	strict.Post("/api/login", a.login)
	strict.Post("/api/signup", a.signup)
	strict.Post("/api/activate", a.activate)
	strict.Post("/api/invitation", a.readInvitation)
	strict.Post("/api/invitation/join", a.join)
	strict.Post("/api/forgot-password", a.forgotPassword)
	strict.Post("/api/reset-password", a.resetPassword)
	strict.Post(Prefix+"/refresh", a.refresh) // before the gate: it takes a refresh token
	admin := strict.Group(Prefix, newGate(a.Authenticator, failures).admit)
	admin.Post("/logout", a.logout)
	admin.Get("/user/sessions", a.listSessions)
	admin.Delete("/user/sessions/:sessionId", a.endSession)
	admin.Post("/user/avatar", fileLine, a.setAvatar)
	admin.Delete("/user/avatar", a.deleteAvatar)
	admin.Get("/user/export", a.exportData)
	admin.Delete("/user", a.deleteAccount)
	return admin
}

func (a Accounts) login(c *fiber.Ctx) error {
	body, err := readBody[adminapi.Credentials](c, smallBody)
	if err != nil {
		return err
	}
	login, err := a.Users.Login(c.UserContext(), body.Email, body.Password)
	if err != nil {
		return err
	}
	return c.JSON(resultOf(login))
}

func resultOf(login user.Login) adminapi.LoginResult {
	return adminapi.LoginResult{
		Done:   done("login successful"),
		UserID: login.Identity.UserID, DisplayName: login.DisplayName,
		FirstName: login.FirstName, LastName: login.LastName,
		Locale: login.Locale, Theme: login.Theme, TokenPair: pairOf(login.Grant),
	}
}

func pairOf(grant auth.Grant) adminapi.TokenPair {
	return adminapi.TokenPair{
		AccessToken: grant.Access, RefreshToken: grant.Refresh, ExpiresIn: int(grant.ExpiresIn.Seconds()),
	}
}

// signup answers the same whether or not the address has an account, so it returns no user_id.
func (a Accounts) signup(c *fiber.Ctx) error {
	body, err := readBody[adminapi.Credentials](c, smallBody, "referer")
	if err != nil {
		return err
	}
	if err := a.Users.Signup(c.UserContext(), body.Email, body.Password, c.Query("lang")); err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(done("signed up; the mail that is on its way says how to go on"))
}

func (a Accounts) activate(c *fiber.Ctx) error {
	body, err := readBody[adminapi.Activation](c, smallBody)
	if err != nil {
		return err
	}
	if err := a.Users.Activate(c.UserContext(), body); err != nil {
		return err
	}
	return c.JSON(done("activated"))
}

// readInvitation takes the token in a body, because addresses stand in logs.
func (a Accounts) readInvitation(c *fiber.Ctx) error {
	body, err := readBody[adminapi.InvitationToken](c, smallBody)
	if err != nil {
		return err
	}
	invitation, err := a.Users.Invitation(c.UserContext(), body.Token)
	if err != nil {
		return err
	}
	return c.JSON(invitation)
}

func (a Accounts) join(c *fiber.Ctx) error {
	body, err := readBody[adminapi.InvitedAccount](c, smallBody)
	if err != nil {
		return err
	}
	joined, err := a.Users.Join(c.UserContext(), body, c.Query("lang"))
	if err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(adminapi.InvitedLogin{
		LoginResult: resultOf(joined.Login), Membership: joined.Membership,
	})
}

func (a Accounts) forgotPassword(c *fiber.Ctx) error {
	body, err := readBody[adminapi.Address](c, smallBody, "referer")
	if err != nil {
		return err
	}
	if err := a.Users.ForgotPassword(c.UserContext(), body.Email, c.Query("lang")); err != nil {
		return err
	}
	return c.JSON(done("if there is an account with this address, a mail is on its way"))
}

func (a Accounts) resetPassword(c *fiber.Ctx) error {
	body, err := readBody[adminapi.NewPassword](c, smallBody)
	if err != nil {
		return err
	}
	reset, err := a.Users.ResetPassword(c.UserContext(), body.Token, body.NewPassword)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.PasswordReset{
		Done: done("password changed"), RevokedAPIKeys: int(reset.RevokedAPIKeys), Remaining: reset.Remaining,
	})
}

func (a Accounts) refresh(c *fiber.Ctx) error {
	token, err := refreshToken(c)
	if err != nil {
		return challenged(c, err)
	}
	grant, err := a.Users.Refresh(c.UserContext(), token)
	if err != nil {
		return challenged(c, err)
	}
	return c.JSON(adminapi.Refreshed{Done: done("token refreshed"), TokenPair: pairOf(grant)})
}

// refreshToken returns the token of the Authorization header or, without one, of a body
// {"refresh_token": "…"}.
func refreshToken(c *fiber.Ctx) (string, error) {
	header, err := authorization(c)
	if err != nil {
		return "", err
	}
	if header != "" || !hasBody(c) {
		return auth.Bearer(header)
	}
	body, err := readBody[adminapi.RefreshToken](c, smallBody)
	if err != nil {
		return "", err
	}
	return body.RefreshToken, nil
}

func (a Accounts) logout(c *fiber.Ctx) error {
	if err := a.Users.Logout(c.UserContext()); err != nil {
		return err
	}
	return c.JSON(done("logged out"))
}
