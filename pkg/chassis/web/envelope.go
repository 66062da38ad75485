package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/value"
)

// The sender in every envelope (RULES.md, Responses).
const (
	envelopeService = "litfass"
	envelopeVersion = "1.0"
)

// Envelope surrounds the payload of the public reads that are not choosable lists (RULES.md,
// Responses).
type Envelope struct {
	Service      string   `json:"service"`
	APIVersion   string   `json:"api_version"`
	ResponseType string   `json:"response_type"`
	Status       int      `json:"status"`
	Timestamp    string   `json:"timestamp"` // UTC, whole seconds
	Metadata     Metadata `json:"metadata"`
	Data         any      `json:"data"` // null with an error
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
// also when it did not reach its route; "" for one that is not enveloped. Of several routes that
// match the path the longest one counts.
func (o *observer) responseType(c *fiber.Ctx, path string) string {
	if responseType, routed := c.Locals(envelopeKey{}).(string); routed {
		return responseType
	}
	path = strings.TrimSuffix(path, "/")
	if responseType, found := o.types[path]; found {
		return responseType
	}
	matching := ""
	for route := range o.types {
		if len(route) > len(matching) && strings.Contains(route, ":") &&
			fiber.RoutePatternMatch(path, route, fiber.Config{CaseSensitive: true}) {
			matching = route
		}
	}
	return o.types[matching]
}

// SendData answers 200 with data in the envelope of the operation. Its route needs Enveloped.
func SendData(c *fiber.Ctx, data any) error {
	payload, err := value.JSON(data)
	if err != nil {
		return err
	}
	return SendPayload(c, encoded.NewPayload(payload))
}

// SendPayload is SendData for a cached payload. Its bytes are neither checked nor copied. On a
// Cacheable route a client that has the same payload gets a 304; the rest of the envelope does not
// matter.
func SendPayload(c *fiber.Ctx, payload encoded.Payload) error {
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	var start [256]byte
	sendText(c, payload.Text, appendStart(start[:0], c))
	return nil
}

// SendText answers with a whole text that is kept. The content type is set before.
func SendText(c *fiber.Ctx, text *encoded.Text) error {
	sendText(c, text, nil)
	return nil
}

func sendText(c *fiber.Ctx, text *encoded.Text, start []byte) {
	if c.Locals(cacheableKey{}) != nil && unchanged(c, text.Tag()) {
		return
	}
	sendBody(c, text.Body(accepted(c), start))
}

// appendStart appends the envelope up to its data.
func appendStart(b []byte, c *fiber.Ctx) []byte {
	responseType, _ := c.Locals(envelopeKey{}).(string)
	now := time.Now()
	b = append(b, `{"service":"`+envelopeService+`","api_version":"`+envelopeVersion+`","response_type":`...)
	b = strconv.AppendQuote(b, responseType) // a constant of the service: plain ASCII
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(c.Response().StatusCode()), 10)
	b = append(b, `,"timestamp":"`...)
	b = now.UTC().AppendFormat(b, time.RFC3339)
	b = append(b, `","metadata":{"response_time_ms":`...)
	b = strconv.AppendInt(b, now.Sub(startOf(c, now)).Milliseconds(), 10)
	return append(b, `},"data":`...)
}

// startOf returns when the request began, or now when that is not known.
func startOf(c *fiber.Ctx, now time.Time) time.Time {
	if started, known := c.Locals(startedKey{}).(time.Time); known {
		return started
	}
	return now
}

func newEnvelope(c *fiber.Ctx, responseType string) Envelope {
	now := time.Now()
	return Envelope{
		Service:      envelopeService,
		APIVersion:   envelopeVersion,
		ResponseType: responseType,
		Status:       c.Response().StatusCode(),
		Timestamp:    now.UTC().Format(time.RFC3339),
		Metadata:     Metadata{ResponseTimeMS: now.Sub(startOf(c, now)).Milliseconds()},
	}
}
