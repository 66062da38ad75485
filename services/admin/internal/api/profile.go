package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/version"
)

// Profiles are the operations on a user's own profile, settings and password.
type Profiles struct {
	Users *user.Service
}

// Mount adds the operations to the authenticated router of Prefix.
func (p Profiles) Mount(admin fiber.Router) {
	admin.Get("/user/profile", p.get)
	admin.Put("/user/profile", p.change)
	admin.Put("/user/settings", p.setSettings)
	admin.Put("/user/password", p.setPassword)
}

func (p Profiles) get(c *fiber.Ctx) error {
	stored, err := p.Users.Profile(c.UserContext())
	if err != nil {
		return err
	}
	return sendVersion(c, stored.Version, stored.Profile)
}

// settingsBody is the language and theme of a user.
type settingsBody struct {
	Locale *string `json:"locale"`
	Theme  *string `json:"theme"`
}

// profileBody is a change of a profile. Clients may send back a profile as they read it: user_id
// must be equal, and pending_email, avatar_url and is_admin are ignored, like the username that
// known clients send.
type profileBody struct {
	UserID      *int    `json:"user_id"`
	Email       *string `json:"email"`
	DisplayName *string `json:"display_name"`
	FirstName   *string `json:"first_name"`
	LastName    *string `json:"last_name"`
	Password    string  `json:"password"`
	settingsBody
}

func (p Profiles) change(c *fiber.Ctx) error {
	body, err := readPatch[profileBody](c, smallBody, "username", "avatar_url", "pending_email", "is_admin")
	if err != nil {
		return err
	}
	if id := body.given.UserID; id != nil && *id != auth.PrincipalOf(c.UserContext()).UserID {
		body.wrong("user_id", reason.NotYours)
	}
	return p.store(c, "profile updated", user.ProfileChange{
		Email:       body.text("email", body.given.Email),
		DisplayName: body.text("display_name", body.given.DisplayName),
		FirstName:   body.text("first_name", body.given.FirstName),
		LastName:    body.text("last_name", body.given.LastName),
		Locale:      body.text("locale", body.given.Locale),
		Theme:       body.text("theme", body.given.Theme),
		Password:    body.given.Password,
	}, func(change *user.ProfileChange) error { return body.refuse(change.Check) })
}

func (p Profiles) setSettings(c *fiber.Ctx) error {
	body, err := readPatch[settingsBody](c, smallBody)
	if err != nil {
		return err
	}
	return p.store(c, "settings updated", user.ProfileChange{
		Locale: body.text("locale", body.given.Locale),
		Theme:  body.text("theme", body.given.Theme),
	}, func(change *user.ProfileChange) error { return body.refuse(change.Check) })
}

// store changes the profile unless refuse refuses the body.
func (p Profiles) store(
	c *fiber.Ctx, text string, change user.ProfileChange, refuse func(*user.ProfileChange) error,
) error {
	if err := refuse(&change); err != nil {
		return err
	}
	stored, err := p.Users.ChangeProfile(c.UserContext(), expected(c), change)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(stored.Version))
	return c.JSON(adminapi.WrittenProfile{Done: done(text), Profile: stored.Profile})
}

func (p Profiles) setPassword(c *fiber.Ctx) error {
	body, err := readBody[adminapi.ChangedPassword](c, smallBody)
	if err != nil {
		return err
	}
	revoked, err := p.Users.ChangePassword(c.UserContext(), body.Password, body.NewPassword)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.PasswordChanged{
		Done: done("password changed; every other login has ended"), RevokedAPIKeys: int(revoked),
	})
}
