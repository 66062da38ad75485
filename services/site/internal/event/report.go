package event

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
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// maxForm fits a text of 2,000 characters in four bytes each, escaped.
const maxForm = 32 << 10

// reports takes the reports of visitors.
type reports struct{ page.Router }

// showReport answers the page on which visitors report an event, and which thanks them for it.
func showReport(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	data := reportData{Sent: r.Parameters.Get("sent") != ""}
	err := detail.Read(ctx, api, r, "event", gone, &data.EventDetails)
	return reportPage(r.Scope(), data), err
}

// take answers the form of that page: it passes the report on and redirects to the thanks. An
// invalid form is shown again as it was filled in, with its violations.
func (f reports) take(c *fiber.Ctx, r *page.Request) error {
	given, err := f.read(c, r)
	if err != nil {
		return err
	}
	err = given.Check()
	if err == nil {
		err = f.API.Report(c.UserContext(), given)
	}
	switch {
	case err == nil:
		return c.Redirect(r.Link(r.Path, url.Values{"sent": {"true"}}), fiber.StatusSeeOther)
	case fault.Is(err, fault.Invalid):
		return f.showAgain(c, r, given, fault.Of(err).Violations)
	case fault.Is(err, fault.NotFound):
		return detail.Missing(gone)
	default:
		return err
	}
}

// read reads the form into a normalized report. The error is NotFound without an event, Forbidden
// for a form of another website, UnsupportedType or TooLarge.
func (f reports) read(c *fiber.Ctx, r *page.Request) (given report.Report, err error) {
	uuid, valid := value.UUIDv7(r.UUID)
	switch body := c.BodyRaw(); {
	case !valid:
		return given, detail.Missing(gone)
	case !f.own(c, r):
		return given, fault.New(fault.Forbidden, "", "this form was sent from another website")
	case !strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationForm):
		return given, fault.New(fault.UnsupportedType, "", "the body must be a form")
	case len(body) > maxForm:
		return given, fault.New(fault.TooLarge, "", "the body is too large")
	default:
		// A part of the form that cannot be parsed is missing, which the check reports.
		form, _ := url.ParseQuery(string(body))
		given = report.Report{
			EventUUID: uuid, Reason: form.Get("reason"), Text: form.Get("text"), Email: form.Get("email"),
			Address: web.ClientAddress(c, f.TrustedProxies),
		}
		given.Normalize()
		return given, nil
	}
}

// own reports whether a form was sent from a page of the site: otherwise another website could make
// its visitors report events without their knowledge. Old browsers send only the origin.
func (reports) own(c *fiber.Ctx, r *page.Request) bool {
	if site := c.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(c.Get(fiber.HeaderOrigin))
	if err != nil || origin.Host == "" {
		return false
	}
	public, err := url.Parse(r.Brand.Public)
	return origin.Host == string(c.Request().Host()) || err == nil && origin.Host == public.Host
}

// showAgain answers with the form as it was filled in, with its violations.
func (f reports) showAgain(c *fiber.Ctx, r *page.Request, given report.Report, bad []fault.Violation) error {
	data := reportData{Given: given, Bad: bad}
	if err := detail.Read(c.UserContext(), f.API.Reads(0), r, "event", gone, &data.EventDetails); err != nil {
		return err
	}
	c.Status(fiber.StatusBadRequest)
	return f.Send(c, r, reportPage(r.Scope(), data))
}
