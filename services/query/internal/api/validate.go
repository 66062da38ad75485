package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
)

const (
	// validationBody has room for publicapi.MaxValidated long addresses.
	validationBody = 512 << 10
	// validationTime bounds the work of one request, which limits count once: cached answers take
	// some 20 ms, but each of other addresses may select venues.
	validationTime = 100 * time.Millisecond
)

// validations answers which of many answers are still the same. It asks the operations in this
// process, and nothing of the engine.
type validations struct {
	operations

	now func() time.Time
}

// newValidations returns the validations of the operations that mount adds.
func newValidations(now func() time.Time, mount func(fiber.Router)) validations {
	return validations{newOperations(mount), now}
}

// post answers POST /api/validate.
func (v validations) post(c *fiber.Ctx) error {
	asked, err := readValidation(c)
	if err != nil {
		return err
	}
	ctx := cache.OnlyCached(c.UserContext())
	found := publicapi.Validation{Answers: make([]publicapi.Validated, len(asked))}
	var request fasthttp.RequestCtx
	began := v.now()
	for i, answer := range asked {
		found.Answers[i].Status = publicapi.Unknown
		if v.now().Sub(began) < validationTime {
			found.Answers[i] = v.validate(ctx, &request, answer)
		}
	}
	return web.SendData(c, found)
}

// validate asks for an answer, using a request that was used before.
func (v validations) validate(ctx context.Context, request *fasthttp.RequestCtx, of publicapi.CachedAnswer) (found publicapi.Validated) {
	request.Request.Reset()
	request.Response.Reset()
	request.ResetUserValues()
	request.Request.SetRequestURI(of.Path)
	request.Request.Header.Set(fiber.HeaderIfNoneMatch, of.ETag)
	request.SetUserValue(contextKey{}, ctx)
	v.answer(request)
	switch request.Response.StatusCode() {
	case http.StatusNotModified:
		found.Status = publicapi.Unchanged
		if expires, err := http.ParseTime(string(request.Response.Header.Peek(fiber.HeaderExpires))); err == nil {
			found.Expires = expires.UTC().Format(time.RFC3339)
		}
	case http.StatusOK:
		found.Status = publicapi.Changed
	default:
		found.Status = publicapi.Unknown
	}
	return found
}

// readValidation decodes the answers that a request names. The faults: UnsupportedType, TooLarge,
// and Invalid, which names every bad field.
func readValidation(c *fiber.Ctx) ([]publicapi.CachedAnswer, error) {
	if err := plainJSON(c); err != nil {
		return nil, err
	}
	body := c.BodyRaw()
	if len(body) > validationBody {
		return nil, fault.New(fault.TooLarge, "", "the body is too large")
	}
	var read struct {
		Answers []publicapi.CachedAnswer `json:"answers"`
	}
	bad := strictjson.Decode(body, &read)
	switch n := len(read.Answers); {
	case len(bad) > 0:
	case n == 0:
		bad.Add("answers", reason.Required)
	case n > publicapi.MaxValidated:
		bad.Add("answers", reason.TooMany(publicapi.MaxValidated))
	}
	return read.Answers, bad.Err("invalid_body", "the body is not what this operation reads")
}
