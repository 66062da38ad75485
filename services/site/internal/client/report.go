package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/report"
	"litfass/pkg/contracts/value"
)

// Report hands on a visitor's report of an event, with the visitor's address, which the API limits
// reports by. It returns nil once the report is stored. The errors are the faults of the API, and
// an Unavailable one when it does not answer.
func (c *Client) Report(ctx context.Context, given report.Report) error {
	body, err := value.JSON(map[string]string{"reason": given.Reason, "text": given.Text, "email": given.Email})
	if err != nil {
		return fmt.Errorf("encode a report: %w", err)
	}
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	target := "/api/event/" + given.EventUUID + "/report"
	request.SetRequestURI(c.base + target)
	request.Header.SetMethod(http.MethodPost)
	request.Header.SetContentType("application/json")
	request.Header.Set(web.HeaderVisitor, given.Address.String())
	if c.key != "" {
		request.Header.Set(headerKey, c.key)
	}
	request.SetBody(body)
	if err := c.http.DoDeadline(request, response, c.deadline(ctx)); err != nil {
		return fault.Wrap(fmt.Errorf("hand on a report: %w", err), fault.Unavailable, "",
			"reports cannot be taken now; try again later")
	}
	if response.StatusCode() != http.StatusAccepted {
		return failure(target, Answer{Status: response.StatusCode(), Body: response.Body()})
	}
	return nil
}
