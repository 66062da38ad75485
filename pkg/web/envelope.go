package web

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// What every envelope says of its sender (decisions.md, Responses).
const (
	envelopeService = "litfass"
	envelopeVersion = "1.0"
)

// Envelope surrounds the payload of the public reads that are not choosable lists (interface.md,
// Response envelope).
type Envelope struct {
	Service      string   `json:"service"`
	APIVersion   string   `json:"api_version"`
	ResponseType string   `json:"response_type"`
	Status       int      `json:"status"`
	Timestamp    string   `json:"timestamp"` // UTC, whole seconds
	Metadata     Metadata `json:"metadata"`
	Data         any      `json:"data"` // null beside an error
}

// Metadata is part of every enveloped answer.
type Metadata struct {
	ResponseTimeMS int64 `json:"response_time_ms"` // of this answer, also when its payload was kept
}

type envelopeKey struct{}

// Enveloped returns a handler that stands before an enveloped operation's own: the answer and its
// errors carry the envelope with this response type.
func Enveloped(responseType string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Locals(envelopeKey{}, responseType)
		return c.Next()
	}
}

// responseType returns the response type of the operation that a request with this path is for,
// also when it did not reach its route; "" for one that is not enveloped.
func (o *observer) responseType(c *fiber.Ctx, path string) string {
	if responseType, routed := c.Locals(envelopeKey{}).(string); routed {
		return responseType
	}
	path = strings.TrimSuffix(path, "/")
	if responseType, found := o.types[path]; found {
		return responseType
	}
	for route, responseType := range o.types {
		if strings.Contains(route, ":") && fiber.RoutePatternMatch(path, route, fiber.Config{CaseSensitive: true}) {
			return responseType
		}
	}
	return ""
}

// SendData answers 200 with data in the envelope of the operation, which must stand behind
// Enveloped.
func SendData(c *fiber.Ctx, data any) error {
	responseType, _ := c.Locals(envelopeKey{}).(string)
	envelope := newEnvelope(c, responseType)
	envelope.Data = data
	return c.JSON(envelope)
}

// SendRawData is SendData for a payload that is already JSON. It is written as it is, neither
// checked nor copied twice.
func SendRawData(c *fiber.Ctx, data []byte) error {
	responseType, _ := c.Locals(envelopeKey{}).(string)
	e := newEnvelope(c, responseType)
	body := make([]byte, 0, len(data)+256)
	body = append(body, `{"service":"`+e.Service+`","api_version":"`+e.APIVersion+`","response_type":`...)
	body = strconv.AppendQuote(body, e.ResponseType) // a constant of the service: plain ASCII
	body = append(body, `,"status":`...)
	body = strconv.AppendInt(body, int64(e.Status), 10)
	body = append(body, `,"timestamp":"`+e.Timestamp+`","metadata":{"response_time_ms":`...)
	body = strconv.AppendInt(body, e.Metadata.ResponseTimeMS, 10)
	body = append(body, `},"data":`...)
	body = append(body, data...)
	body = append(body, '}')
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(body)
	return nil
}

func newEnvelope(c *fiber.Ctx, responseType string) Envelope {
	now := time.Now()
	started, ok := c.Locals(startedKey{}).(time.Time)
	if !ok {
		started = now
	}
	return Envelope{
		Service:      envelopeService,
		APIVersion:   envelopeVersion,
		ResponseType: responseType,
		Status:       c.Response().StatusCode(),
		Timestamp:    now.UTC().Format(time.RFC3339),
		Metadata:     Metadata{ResponseTimeMS: now.Sub(started).Milliseconds()},
	}
}

// encodeJSON writes v without escaping <, > and &: answers are never read as HTML (their type is
// JSON, with nosniff).
func encodeJSON(v any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}
