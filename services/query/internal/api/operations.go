package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
)

// operations answers requests of this process by public operations, as if they had come from
// outside.
type operations struct{ answer fasthttp.RequestHandler }

// contextKey is where such a request has the context of the request that it serves.
type contextKey struct{}

// askerKey is where that context has its asker.
type askerKey struct{}

// asker is who an outside request comes from, and learns of errors that are not theirs.
type asker struct {
	client limit.Client
	failed atomic.Pointer[error]
}

// askedBy is the limit.Identify of requests of this process.
func askedBy(c *fiber.Ctx) limit.Client {
	if from, known := c.UserContext().Value(askerKey{}).(*asker); known {
		return from.client
	}
	return limit.Client{}
}

// newOperations returns the operations that mount adds.
func newOperations(mount func(fiber.Router)) operations {
	app := fiber.New(fiber.Config{
		Immutable: true, CaseSensitive: true, DisableStartupMessage: true, ErrorHandler: refuse,
	})
	app.Use(func(c *fiber.Ctx) (err error) {
		defer func() {
			if reason := recover(); reason != nil {
				err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
			}
		}()
		if ctx, set := c.Context().UserValue(contextKey{}).(context.Context); set {
			c.SetUserContext(ctx)
		}
		return c.Next()
	})
	mount(app.Group(base))
	return operations{app.Handler()}
}

// refuse answers with an error.
func refuse(c *fiber.Ctx, err error) error {
	if routing := (*fiber.Error)(nil); errors.As(err, &routing) {
		return c.SendStatus(routing.Code)
	}
	f := web.Describe(err)
	if from, known := c.UserContext().Value(askerKey{}).(*asker); known && f.Status == http.StatusInternalServerError {
		from.failed.Store(&err)
	}
	return c.Status(f.Status).JSON(f)
}

// ask is the llm.Ask of these operations.
func (o operations) ask(ctx context.Context, method, address string, body []byte) (status int, answer []byte) {
	var request fasthttp.RequestCtx
	request.Request.Header.SetMethod(method)
	request.Request.SetRequestURI(address)
	if body != nil {
		request.Request.Header.SetContentType(fiber.MIMEApplicationJSON)
		request.Request.SetBodyRaw(body)
	}
	request.SetUserValue(contextKey{}, ctx)
	o.answer(&request)
	return request.Response.StatusCode(), request.Response.Body()
}
