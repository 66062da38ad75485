package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/semaphore"

	"litfass/pkg/fault"
	"litfass/pkg/web"
)

// How many large bodies are taken in at once: each is kept whole until it is dealt with.
const (
	uploads = 4 // files of at most a few MiB
	texts   = 16
)

// formBytes is what a form may need beside its file.
const formBytes = 64 << 10

// uploadTime is how long a large body may take to arrive once it is its turn.
const uploadTime = 10 * time.Second

// waitingLine returns a handler that lets so many large bodies through at once. The others wait,
// unread. Small ones pass by.
func waitingLine(most int64) fiber.Handler {
	open := semaphore.NewWeighted(most)
	return func(c *fiber.Ctx) error {
		if length := c.Request().Header.ContentLength(); length >= 0 && length <= smallBody {
			return c.Next()
		}
		if err := open.Acquire(c.UserContext(), 1); err != nil {
			return fault.Wrap(err, fault.Unavailable, "busy", "too many large requests are arriving; try again in a moment")
		}
		defer open.Release(1)
		if err := c.Context().Conn().SetReadDeadline(time.Now().Add(uploadTime)); err != nil { // waiting has used up the first
			return fmt.Errorf("read upload: %w", err)
		}
		return c.Next()
	}
}

// uploaded returns the file in a field of a multipart body. The faults: UnsupportedType for another
// body, Invalid without the file, TooLarge for one of more than most bytes.
func uploaded(c *fiber.Ctx, field string, most int) ([]byte, error) {
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm {
		return nil, fault.New(fault.UnsupportedType, "", "the body must be multipart/form-data")
	}
	body, err := web.ReadBody(c, most+formBytes)
	if err != nil {
		return nil, err
	}
	file, err := fileIn(multipart.NewReader(bytes.NewReader(body), parameters["boundary"]), field, most)
	if err != nil {
		return nil, err
	}
	if len(file) > most {
		return nil, fault.New(fault.TooLarge, "image_too_large", "the file has more than %d MiB", most>>20)
	}
	return file, nil
}

// fileIn returns the first file in a field, as far as it has most bytes and one more.
func fileIn(form *multipart.Reader, field string, most int) ([]byte, error) {
	for {
		part, err := form.NextPart()
		if err == nil && (part.FormName() != field || part.FileName() == "") {
			continue
		}
		var file []byte
		if err == nil {
			file, err = io.ReadAll(io.LimitReader(part, int64(most)+1))
		}
		if err == nil {
			return file, nil
		}
		if errors.Is(err, io.EOF) {
			return nil, fault.New(fault.Invalid, "invalid_body", "the body lacks the file")
		}
		return nil, fault.Wrap(err, fault.Invalid, "invalid_body", "the body is no form that could be read")
	}
}

// naming returns a fault with the content of a field as one that names the field.
func naming(field string, err error) error {
	var found *fault.Fault
	if !errors.As(err, &found) || len(found.Violations) > 0 || found.Kind != fault.Invalid && found.Kind != fault.TooLarge {
		return err
	}
	named := *found
	named.Violations = []fault.Violation{{Field: field, Reason: found.Message}}
	return &named
}
