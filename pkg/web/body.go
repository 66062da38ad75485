package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
)

// ReadJSON decodes the body into T. The faults: UnsupportedType unless the content type is application/json; Invalid,
// with code "invalid_body", unless the body is one JSON value in UTF-8 that fits T. A key that T lacks is named.
func ReadJSON[T any](c *fiber.Ctx) (T, error) {
	var into T
	if err := RequireJSON(c); err != nil {
		return into, err
	}
	body := c.Body()
	if !utf8.Valid(body) {
		return into, fault.New(fault.Invalid, "invalid_body", "the body is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&into); err != nil {
		return into, undecodable(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return into, fault.New(fault.Invalid, "invalid_body", "the body holds more than one JSON value")
	}
	return into, nil
}

// RequireJSON returns an UnsupportedType fault unless the request says that its body is application/json.
func RequireJSON(c *fiber.Ctx) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return fault.New(fault.UnsupportedType, "", "the body must be application/json")
	}
	if c.Get(fiber.HeaderContentEncoding) != "" { // Fiber would unpack it without a limit
		return fault.New(fault.UnsupportedType, "", "the body must not be compressed")
	}
	return nil
}

func undecodable(err error) error {
	var wrongType *json.UnmarshalTypeError
	var violations fault.Violations
	const message = "the body is not what this operation reads"
	switch {
	case errors.As(err, &wrongType) && wrongType.Field != "":
		violations.Add(wrongType.Field, "must not be a JSON %s", wrongType.Value)
		return violations.Err("invalid_body", message)
	case unknownField(err) != "":
		violations.Add(unknownField(err), "is not known")
		return violations.Err("invalid_body", message)
	default:
		return fault.Wrap(err, fault.Invalid, "invalid_body", message)
	}
}

// unknownField returns the key that made the decoder fail, or "". The package tells it only in the error's text.
func unknownField(err error) string {
	var field string
	if _, scanErr := fmt.Sscanf(err.Error(), "json: unknown field %q", &field); scanErr != nil {
		return ""
	}
	return field
}
