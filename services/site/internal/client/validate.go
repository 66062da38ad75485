package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
)

// Validated is a publicapi.Validated with the time as it is.
type Validated struct {
	Status  string
	Expires time.Time // zero for never
}

// Validate asks which answers are still the same, at most publicapi.MaxValidated of them, and
// returns the position up to which that is complete: at least position. It returns an Unavailable
// fault when the service does not answer in time, or does not know.
func (c *Client) Validate(ctx context.Context, reads []Read, position uint64) ([]Validated, uint64, error) {
	asked := make([]publicapi.CachedAnswer, len(reads))
	for i, read := range reads {
		asked[i] = publicapi.CachedAnswer{Path: read.Target, ETag: read.Tag}
	}
	body, err := json.Marshal(struct {
		Answers []publicapi.CachedAnswer `json:"answers"`
	}{asked})
	if err != nil {
		return nil, 0, fmt.Errorf("encode reads: %w", err)
	}
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.Header.SetMethod(http.MethodPost)
	request.SetRequestURI(c.base + "/api/validate")
	request.Header.SetContentType("application/json")
	request.Header.Set(web.HeaderPosition, strconv.FormatUint(position, 10))
	if c.key != "" {
		request.Header.Set(headerKey, c.key)
	}
	request.SetBody(body)
	if err := c.http.DoDeadline(request, response, c.deadline(ctx)); err != nil {
		return nil, 0, unreachable(err)
	}
	if response.StatusCode() != http.StatusOK {
		return nil, 0, unreachable(fmt.Errorf("validate: answer %d", response.StatusCode()))
	}
	reached, err := strconv.ParseUint(string(response.Header.Peek(web.HeaderPosition)), 10, 64)
	if err != nil {
		return nil, 0, unreachable(fmt.Errorf("validate: position: %w", err))
	}
	validated, err := validatedIn(response.Body(), len(reads))
	if err != nil {
		return nil, 0, unreachable(fmt.Errorf("validate: %w", err))
	}
	return validated, reached, nil
}

// validatedIn decodes an answer about n reads.
func validatedIn(body []byte, n int) ([]Validated, error) {
	var answer struct {
		Data publicapi.Validation `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data.Answers) != n {
		return nil, fmt.Errorf("%d answers of %d", len(answer.Data.Answers), n)
	}
	validated := make([]Validated, n)
	for i, of := range answer.Data.Answers {
		validated[i].Status = of.Status
		if of.Expires == "" {
			continue
		}
		var err error
		if validated[i].Expires, err = time.Parse(time.RFC3339, of.Expires); err != nil {
			return nil, err
		}
	}
	return validated, nil
}
