package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/report"
	"litfass/pkg/contracts/value"
)

// reportBody has room for a text of 2,000 characters that are all written as escapes.
const reportBody = 32 << 10

// reported is the payload of POST /api/event/{uuid}/report.
type reported struct {
	Message string `json:"message"`
}

// report answers POST /api/event/{uuid}/report: 202 once the report is stored, also for one that
// was stored before.
func (d Deps) report(c *fiber.Ctx) error {
	submission, err := readReport(c)
	if err != nil {
		return err
	}
	submission.Address = d.visitor(c)
	if err := d.Reports.Send(c.UserContext(), submission); err != nil {
		return err
	}
	c.Status(http.StatusAccepted)
	return web.SendData(c, reported{"the report was received"})
}

// readReport decodes a report. The faults: UnsupportedType, TooLarge, and Invalid, which names
// every bad field of the path and the body.
func readReport(c *fiber.Ctx) (submission report.Report, err error) {
	if err := plainJSON(c); err != nil {
		return submission, err
	}
	body := c.BodyRaw()
	if len(body) > reportBody {
		return submission, fault.New(fault.TooLarge, "", "the body is too large")
	}
	var read struct {
		Reason value.Text `json:"reason"`
		Text   value.Text `json:"text"`
		Email  value.Text `json:"email"`
	}
	bad := strictjson.Decode(body, &read)
	err = bad.Err("invalid_body", "the body is not what this operation reads")
	uuid, valid := value.UUIDv7(c.Params("uuid"))
	if !valid {
		err = withViolation(err, "uuid", reason.NotUUID)
	}
	return report.Report{
		EventUUID: uuid, Reason: string(read.Reason), Text: string(read.Text), Email: string(read.Email),
	}, err
}
