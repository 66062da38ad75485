package page

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// previewGone is the code of a link that has expired or was revoked, or never was one.
const previewGone = "preview_gone"

// mountPreviews adds the page of preview links, if there is a service to read them from.
func (d Deps) mountPreviews(router fiber.Router) {
	if d.Previews != nil {
		router.Get(view.PreviewPath+":token", d.preview)
	}
}

// preview answers with the event of a preview link as its page will show it. It is read and
// rendered for each request, and kept nowhere.
func (d Deps) preview(c *fiber.Ctx) error {
	r, err := d.routed(c)
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	shown := view.EventPage{Token: c.Params("token")}
	shown.EventDetails, err = d.Previews.Event(ctx, shown.Token, r.Text.Code, web.ClientAddress(c, d.TrustedProxies))
	if fault.Is(err, fault.NotFound) {
		return missing(previewGone)
	}
	if err != nil {
		return err
	}
	api := d.API.Reads(r.Position)
	if err := complete(ctx, api, r, &shown); err != nil {
		return err
	}
	public, err := isPublic(ctx, api, shown.UUID)
	if err != nil {
		return err
	}
	html, err := d.html(ctx, r, view.Preview(d.shown(r), shown, public))
	if err != nil {
		return err
	}
	d.head(c, r)
	return c.Send(html)
}

// isPublic reports whether the public API shows an event.
func isPublic(ctx context.Context, api *client.Reads, event string) (bool, error) {
	_, err := api.Text(ctx, "/api/event/"+event, nil)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// hide keeps an answer below a secret address out of every cache and search engine, and the address
// from the pages that it links to.
func hide(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set("X-Robots-Tag", "noindex")
}
