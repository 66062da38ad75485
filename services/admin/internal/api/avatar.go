package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/avatar"
	"litfass/services/admin/internal/platform/version"
)

// setAvatar reads the file field "avatar" of a multipart body. The version is that of the profile,
// which contains the avatar.
func (a Accounts) setAvatar(c *fiber.Ctx) error {
	if err := access.RequireLogin(auth.PrincipalOf(c.UserContext())); err != nil {
		return err
	}
	form, err := readForm(c, "avatar", avatar.MaxBytes)
	if err == nil {
		err = form.mustHold("avatar")
	}
	if err != nil {
		return naming("avatar", err)
	}
	stored, err := a.Avatars.Set(c.UserContext(), expected(c), form.file)
	if err != nil {
		return naming("avatar", err)
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(done("avatar stored"))
}

func (a Accounts) deleteAvatar(c *fiber.Ctx) error {
	if err := access.RequireLogin(auth.PrincipalOf(c.UserContext())); err != nil {
		return err
	}
	stored, err := a.Avatars.Remove(c.UserContext(), expected(c))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(done("avatar deleted"))
}

// avatarFreshFor lets a browser show an avatar for five minutes without validation.
const avatarFreshFor = "public, max-age=300"

func (a Accounts) showAvatar(c *fiber.Ctx) error {
	var violations fault.Violations
	userID := positive(&violations, "userId", c.Params("userId"))
	size := avatar.DefaultSize
	if asked := c.Params("size"); asked != "" {
		size = positive(&violations, "size", asked)
	}
	if err := violations.Err("invalid_parameters", "the path is not right"); err != nil {
		return err
	}
	shown, err := a.Avatars.Find(c.UserContext(), userID, size)
	if err != nil {
		return naming("size", err)
	}
	tag := `"` + shown.Tag + `"`
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, avatarFreshFor)
	if seen(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(http.StatusNotModified)
	}
	data, err := a.Avatars.Load(c.UserContext(), shown)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, shown.Type)
	return c.Send(data)
}

// positive returns the integer of a path's segment; any text but 1 to 2147483647 is a violation.
func positive(violations *fault.Violations, name, text string) int {
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil || number < 1 || text[0] == '+' {
		violations.Add(name, reason.NotAboveZero)
		return 0
	}
	return int(number)
}

// seen reports whether an If-None-Match header contains the tag (RFC 9110).
func seen(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == tag || candidate == "*" {
			return true
		}
	}
	return false
}
