package event

import (
	"context"
	"net/url"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// previewGone is the code of a link that expired, was revoked or never existed.
const previewGone = "preview_gone"

// previews answers preview links.
type previews struct{ page.Router }

// show answers with the event of a preview link as its public page would show it. It is read and
// rendered for each request.
func (p previews) show(c *fiber.Ctx, r *page.Request) (err error) {
	ctx := c.UserContext()
	data := eventData{Token: c.Params("token")}
	data.EventDetails, err = p.Previews.Event(ctx, data.Token, r.Text.Code, web.ClientAddress(c, p.TrustedProxies))
	if fault.Is(err, fault.NotFound) {
		return detail.Missing(previewGone)
	}
	if err != nil {
		return err
	}
	api := p.API.Reads(r.Position).Speaking(r.Text.Code)
	if err := complete(ctx, api, r, &data); err != nil {
		return err
	}
	public, err := isPublic(ctx, api, data.UUID)
	if err != nil {
		return err
	}
	return p.Send(c, r, previewPage(r.Scope(), data, public))
}

// isPublic reports whether the public API shows an event.
func isPublic(ctx context.Context, api *client.Reads, event string) (bool, error) {
	_, err := api.Text(ctx, "/api/event/"+event, nil)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// previewPage is the page of a preview link, whose token is set. public is set if the event has a
// public page now.
func previewPage(s view.Scope, e eventData, public bool) view.Page {
	return view.Page{Title: e.Title, Content: preview(s, e, e.chosen(s.Today), public), Scripts: e.scripts(s)}
}

// address returns the path and the parameters of this page with one of the event's dates.
func (e eventData) address(date string) (path string, parameters url.Values) {
	path, parameters = view.EventPath(e.UUID, date)
	if e.Token != "" {
		path = page.PreviewPath + e.Token
	}
	return path, parameters
}

// oncePublic returns the attributes of a link whose target exists once the event is public. In a
// preview it looks the same and is disabled.
func (e eventData) oncePublic(href string) templ.Attributes {
	if e.Token == "" {
		return templ.Attributes{"href": href}
	}
	return templ.Attributes{"role": "link", "aria-disabled": "true"}
}

// imageID returns the name of an image below imageSource: a preview reads the current version.
func (e eventData) imageID(image publicapi.Image) string {
	if e.Token != "" {
		return image.UUID
	}
	return view.Versioned(image.UUID, image.Path)
}

// imageSource returns the path of the event's images: a preview reads them with its token.
func (e eventData) imageSource() view.Images {
	if e.Token == "" {
		return view.PublicImages
	}
	return view.Images("/api" + page.PreviewPath + e.Token + "/image/")
}
