package api

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/fresh"
)

// kept is a payload that is kept until a batch alters what it was read from.
type kept struct {
	encoded.Payload
	alters alters
}

// alters reports whether a batch may alter a payload.
type alters func(batch *delta.Batch) bool

// wrote is for the payload of one record of an index.
func wrote(index, id string) alters {
	return func(batch *delta.Batch) bool { return batch.Wrote(index, id) }
}

// touched is for a payload of many records of an index.
func touched(index string) alters {
	return func(batch *delta.Batch) bool { return batch.Touches(index) }
}

// Pack keeps the smallest form of the payload alone.
func (k *kept) Pack() { k.Payload.Pack() }

// After returns the payload itself, or nil when the batch may alter it.
func (k *kept) After(batch *delta.Batch) fresh.Kept {
	if k.alters(batch) {
		return nil
	}
	return k
}

// sendKept answers with a payload that is kept, or loaded and kept from now on. kind names the
// operation; question is all that the payload depends on besides the index.
func (d Deps) sendKept(
	c *fiber.Ctx, kind string, question []any, alters alters, load func(ctx context.Context) ([]byte, error),
) error {
	k, err := d.keep(c, kind, question, func(ctx context.Context) (*kept, error) {
		data, err := load(ctx)
		if err != nil {
			return nil, err
		}
		return &kept{encoded.NewPayload(data), alters}, nil
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, k.Payload)
}

// sendKeptList is sendKept for a list without an envelope, which is written as JSON.
func (d Deps) sendKeptList(
	c *fiber.Ctx, kind string, question []any, alters alters, load func(ctx context.Context) (any, error),
) error {
	return d.sendKeptText(c, fiber.MIMEApplicationJSON, kind, question, alters, func(ctx context.Context) ([]byte, error) {
		list, err := load(ctx)
		if err != nil {
			return nil, err
		}
		data, err := value.JSON(list)
		if err != nil {
			return nil, fmt.Errorf("encode a list: %w", err)
		}
		return data, nil
	})
}

// sendKeptText is sendKept for a text of another type, without an envelope.
func (d Deps) sendKeptText(
	c *fiber.Ctx, contentType, kind string, question []any, alters alters, load func(ctx context.Context) ([]byte, error),
) error {
	k, err := d.keep(c, kind, question, func(ctx context.Context) (*kept, error) {
		data, err := load(ctx)
		if err != nil {
			return nil, err
		}
		return &kept{encoded.Payload{Text: encoded.New(data)}, alters}, nil
	})
	if err != nil {
		return err
	}
	return sendText(c, contentType, k.Text)
}

// sendList answers with a list without an envelope.
func sendList(c *fiber.Ctx, list *encoded.Text) error {
	return sendText(c, fiber.MIMEApplicationJSON, list)
}

func sendText(c *fiber.Ctx, contentType string, text *encoded.Text) error {
	c.Response().Header.SetContentType(contentType)
	return web.SendText(c, text)
}

func (d Deps) keep(
	c *fiber.Ctx, kind string, question []any, load func(ctx context.Context) (*kept, error),
) (*kept, error) {
	return fresh.Answer(c.UserContext(), d.Kept, kind, keyOf(kind, question), load)
}

// keyOf returns the key of a question, which is made of strings, numbers and booleans. No other
// question has the same one.
func keyOf(kind string, question []any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%#v", kind, question))
}
