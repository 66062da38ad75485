package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// An answer that is not compressed keeps its body: sent as a stream of the same bytes, it would be
// read from a buffer that another request may have by then.
func TestWhatIsNotCompressedIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	streamed := false
	app.Use(func(c *fiber.Ctx) error {
		err := compress(c)
		streamed = c.Response().IsBodyStream()
		return err
	})
	app.Get("/", func(c *fiber.Ctx) error { return c.SendString("short") })
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set(fiber.HeaderAcceptEncoding, "gzip")
	answer, err := app.Test(request)
	if err != nil {
		t.Fatal(err)
	}
	if streamed || answer.ContentLength != int64(len("short")) || answer.Header.Get(fiber.HeaderVary) != fiber.HeaderAcceptEncoding {
		t.Errorf("streamed %v, %d bytes, %v", streamed, answer.ContentLength, answer.Header)
	}
}
