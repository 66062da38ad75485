package page

import (
	"context"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/report"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// reportForm has room for a text of 2,000 characters in four bytes each, escaped.
const reportForm = 32 << 10

// report is the page on which visitors report an event, and which thanks them for it.
func (d Deps) report(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	shown := view.ReportPage{Sent: r.Parameters.Get("sent") != ""}
	err := entity(ctx, api, r, "event", eventGone, &shown.EventDetails)
	return view.Report(d.shown(r), shown), err
}

// takeReport answers the form of that page: it hands the report on and leads to the thanks. What is
// not right is named on the same page, with all that was filled in.
func (d Deps) takeReport(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	r, err := d.routed(c)
	if err != nil {
		return err
	}
	given, err := d.readReport(c, r)
	if err != nil {
		return err
	}
	err = given.Check()
	if err == nil {
		err = d.API.Report(c.UserContext(), given)
	}
	switch {
	case err == nil:
		return c.Redirect(r.Link(r.Path, url.Values{"sent": {"true"}}), fiber.StatusSeeOther)
	case fault.Is(err, fault.Invalid):
		return d.showReport(c, r, given, fault.Of(err).Violations)
	case fault.Is(err, fault.NotFound):
		return missing(eventGone)
	default:
		return err
	}
}

// readReport reads the form. It returns a normalized report, NotFound for what names no event,
// Forbidden for a form of another website, UnsupportedType for what is no form, and TooLarge.
func (d Deps) readReport(c *fiber.Ctx, r *Request) (given report.Report, err error) {
	uuid, valid := value.UUIDv7(r.UUID)
	switch body := c.BodyRaw(); {
	case !valid:
		return given, missing(eventGone)
	case !d.ownForm(c):
		return given, fault.New(fault.Forbidden, "", "this form was sent from another website")
	case !strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationForm):
		return given, fault.New(fault.UnsupportedType, "", "the body must be a form")
	case len(body) > reportForm:
		return given, fault.New(fault.TooLarge, "", "the body is too large")
	default:
		// A form that cannot be read in part lacks that part, which the check names.
		form, _ := url.ParseQuery(string(body))
		given = report.Report{
			EventUUID: uuid, Reason: form.Get("reason"), Text: form.Get("text"), Email: form.Get("email"),
			Address: web.ClientAddress(c, d.TrustedProxies),
		}
		given.Normalize()
		return given, nil
	}
}

// ownForm reports whether a form was sent from a page of the site: else another website could have
// its visitors report events without their knowledge. Browsers say so, old ones by the origin
// alone.
func (d Deps) ownForm(c *fiber.Ctx) bool {
	if site := c.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(c.Get(fiber.HeaderOrigin))
	if err != nil || origin.Host == "" {
		return false
	}
	public, err := url.Parse(d.Brand.Public)
	return origin.Host == string(c.Request().Host()) || err == nil && origin.Host == public.Host
}

// showReport answers with the form as it was filled in, and what of it is not right.
func (d Deps) showReport(c *fiber.Ctx, r *Request, given report.Report, bad []fault.Violation) error {
	shown := view.ReportPage{Given: given, Bad: bad}
	if err := entity(c.UserContext(), d.API.Reads(0), r, "event", eventGone, &shown.EventDetails); err != nil {
		return err
	}
	html, err := d.html(c.UserContext(), r, view.Report(d.shown(r), shown))
	if err != nil {
		return err
	}
	c.Status(fiber.StatusBadRequest)
	d.head(c, r)
	return c.Send(html)
}
