package api

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
)

// source describes a cached answer: its operation, everything that it depends on besides the index,
// and the records that it is made of.
type source struct {
	kind     string
	question []any // strings, numbers and booleans
	records  cache.Records
}

// key returns the key of the answer. No other question has the same one.
func (s source) key() cache.Key {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%#v", s.kind, s.question))
}

// sendData answers with an envelope around data, which is cached or loaded.
func (d Deps) sendData(c *fiber.Ctx, s source, load func(ctx context.Context) ([]byte, error)) error {
	text, err := cache.Get(c.UserContext(), d.Cache, s.kind, s.key(), func(ctx context.Context) (*cache.Text, error) {
		data, err := load(ctx)
		if err != nil {
			return nil, err
		}
		return &cache.Text{Payload: encoded.NewPayload(data), From: s.records}, nil
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, text.Payload)
}

// sendRecord answers with an envelope around the view of a record, a venue or an organization,
// which is cached or loaded.
func (d Deps) sendRecord(c *fiber.Ctx, s source, load func(ctx context.Context) ([]byte, error)) error {
	text, err := cache.Get(c.UserContext(), d.Cache, s.kind, s.key(), func(ctx context.Context) (*cache.Text, error) {
		view, err := load(ctx)
		if err != nil {
			return nil, err
		}
		return &cache.Text{Payload: encoded.NewPayload(view), From: s.records, Shows: true}, nil
	})
	if err != nil {
		return err
	}
	return web.SendPayload(c, text.Payload)
}

// list returns a page of records, cached or loaded.
func (d Deps) list(c *fiber.Ctx, kind string, question []any, load func(ctx context.Context) (*cache.List, error)) (*cache.List, error) {
	return cache.Get(c.UserContext(), d.Cache, kind, source{kind: kind, question: question}.key(), load)
}

// sendText answers with a text of some type without an envelope, which is cached or loaded.
func (d Deps) sendText(c *fiber.Ctx, contentType string, s source, load func(ctx context.Context) ([]byte, error)) error {
	text, err := cache.Get(c.UserContext(), d.Cache, s.kind, s.key(), func(ctx context.Context) (*cache.Text, error) {
		data, err := load(ctx)
		if err != nil {
			return nil, err
		}
		return &cache.Text{Payload: encoded.Payload{Text: encoded.New(data)}, From: s.records}, nil
	})
	if err != nil {
		return err
	}
	return sendText(c, contentType, text.Text)
}

// sendJSON answers with a value without an envelope, which is cached or loaded.
func (d Deps) sendJSON(c *fiber.Ctx, s source, load func() (any, error)) error {
	return d.sendText(c, fiber.MIMEApplicationJSON, s, func(context.Context) ([]byte, error) {
		list, err := load()
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

func sendText(c *fiber.Ctx, contentType string, text *encoded.Text) error {
	c.Response().Header.SetContentType(contentType)
	return web.SendText(c, text)
}
