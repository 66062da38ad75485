package client

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
)

// Previews reads the events of preview links from the admin service, and nothing else of it. It
// sends no credentials but the token of a link.
type Previews struct{ client *Client }

// NewPreviews returns a client of the admin service at base, an address without a path. timeout
// limits each read.
func NewPreviews(base string, timeout time.Duration) *Previews {
	return &Previews{New(base, "", timeout)}
}

// previewRoute stands for the address of a preview in errors, which are logged.
const previewRoute = "/api/preview/:token"

// token is the form of a link's token: 32 bytes in base64url.
var token = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// Event returns the event of a preview link, with the names of types and genres in a language.
// visitor, unless it is the zero Addr, is whom the admin service limits if it trusts this process
// as a proxy. What has not the form of a token is not asked for. The errors: NotFound for a link
// that is not valid, TooMany, and Unavailable when the service does not answer. They hold no token.
func (p *Previews) Event(
	ctx context.Context, secret, lang string, visitor netip.Addr,
) (event publicapi.EventDetails, err error) {
	if !token.MatchString(secret) {
		return event, fault.New(fault.NotFound, "preview_not_found", "there is no such preview")
	}
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.SetRequestURI(p.client.base + "/api/preview/" + secret + "?lang=" + lang)
	if visitor.IsValid() {
		request.Header.Set(fiber.HeaderXForwardedFor, visitor.String())
	}
	if err := p.client.http.DoDeadline(request, response, p.client.deadline(ctx)); err != nil {
		return event, fault.Wrap(fmt.Errorf("read a preview: %w", err), fault.Unavailable, "",
			"previews cannot be read now; try again shortly")
	}
	if response.StatusCode() != http.StatusOK {
		return event, failure(previewRoute, Answer{Status: response.StatusCode(), Body: response.Body()})
	}
	envelope := struct {
		Data *publicapi.EventDetails `json:"data"`
	}{&event}
	return event, decode(previewRoute, response.Body(), &envelope)
}
