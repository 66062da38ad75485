package api

import (
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/invisible"
)

// keyOwner returns the organization that owns the keys of a path; "" for the user's personal keys.
func keyOwner(p *parameters) string {
	if p.c.Params("organizationId") == "" {
		return ""
	}
	return p.uuid("organizationId")
}

func (o Organizations) listKeys(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, page := keyOwner(p), p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := o.Keys.List(c.UserContext(), org, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

type keyBody struct {
	Name      string     `json:"name"`
	ExpiresAt *time.Time `json:"expires_at"`
	grant
}

// check returns the key that the body describes and adds violations for invalid fields.
func (b keyBody) check(violations *fault.Violations, now time.Time) apikey.NewKey {
	name := keyName(violations, b.Name)
	if b.Role == nil && b.Permissions == nil {
		violations.Add("permissions", reason.OneRequired("permissions or role"))
	}
	if b.ExpiresAt != nil && (!b.ExpiresAt.After(now) || b.ExpiresAt.Year() > 2999) {
		violations.Add("expires_at", reason.NotFuture(3000))
	}
	return apikey.NewKey{Name: name, Permissions: b.set(violations, 0), ExpiresAt: b.ExpiresAt}
}

// keyName normalizes a key's name and adds a violation for an invalid one.
func keyName(violations *fault.Violations, name string) string {
	name = invisible.Trim(name)
	if name == "" {
		violations.Add("name", reason.Required)
	} else if problem := user.NameProblem(name); problem != nil {
		violations.Add("name", problem)
	}
	return name
}

func (o Organizations) createKey(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := keyOwner(p)
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[keyBody](c, smallBody)
	if err != nil {
		return err
	}
	var violations fault.Violations
	asked := body.given.check(&violations, o.Keys.Now())
	if err := body.refuseAll(violations); err != nil {
		return err
	}
	key, text, err := o.Keys.Create(c.UserContext(), org, asked)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(http.StatusCreated).JSON(adminapi.MadeAPIKey{
		Done: done("API key created; it is shown this once"), Key: text, APIKey: key,
	})
}

func (o Organizations) renameKey(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, id := keyOwner(p), p.uuid("keyId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[adminapi.APIKeyName](c, smallBody)
	if err != nil {
		return err
	}
	var violations fault.Violations
	name := keyName(&violations, body.given.Name)
	if err := body.refuseAll(violations); err != nil {
		return err
	}
	key, err := o.Keys.Rename(c.UserContext(), org, id, name)
	if err != nil {
		return err
	}
	return c.JSON(adminapi.WrittenAPIKey{Done: done("API key renamed"), APIKey: key})
}

func (o Organizations) revokeKey(c *fiber.Ctx) error {
	p := parametersOf(c)
	org, key := keyOwner(p), p.uuid("keyId")
	if err := p.err(); err != nil {
		return err
	}
	if err := o.Keys.Revoke(c.UserContext(), org, key); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("API key revoked"), UUID: key})
}
