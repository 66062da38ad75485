package api

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/api/openapi"
	"litfass/services/query/internal/llm"
)

// messageBody has room for lists of several thousand uuids.
const messageBody = 512 << 10

// assistants answers the programs that read the catalogue for a language model.
type assistants struct {
	server llm.Server
	asker  func(c *fiber.Ctx) *asker
}

// newAssistants returns the answers to assistants. What they ask counts as the requests of their
// client to each operation.
func (d Deps) newAssistants() assistants {
	asked := newOperations(func(inner fiber.Router) { d.mountReads(d.Limits.Router(inner, base, askedBy)) })
	return assistants{
		server: llm.NewServer(openapi.JSON(), d.aboutSite(), asked.ask),
		asker:  func(c *fiber.Ctx) *asker { return &asker{client: d.client(c)} },
	}
}

// post answers POST /mcp: a message of the Model Context Protocol.
func (a assistants) post(c *fiber.Ctx) error {
	if err := web.RequireJSON(c); err != nil {
		return err
	}
	if len(c.BodyRaw()) > messageBody {
		return fault.New(fault.TooLarge, "", "the body is too large")
	}
	from := a.asker(c)
	ctx := context.WithValue(c.UserContext(), askerKey{}, from)
	answer, err := a.server.Answer(ctx, http.Header(c.GetReqHeaders()), c.BodyRaw())
	if err != nil {
		return err
	}
	if failed := from.failed.Load(); failed != nil {
		return *failed
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Response().Header.SetContentType(answer.ContentType)
	return c.Status(answer.Status).Send(answer.Body)
}

// aboutSite returns what assistants learn about the site.
func (d Deps) aboutSite() llm.Site { return llm.Site{Name: d.Site.Name, URL: d.Site.URL} }
