package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/source"
	"litfass/services/admin/internal/platform/version"
)

// Sources has the operations of sources, which are read on a schedule.
type Sources struct{ Service *source.Service }

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (s Sources) Mount(admin fiber.Router) {
	admin.Get("/organization/:organizationId/sources", s.list)
	admin.Post("/organization/:organizationId/sources", s.create)
	admin.Post("/organization/:organizationId/sources/preview", waitingLine(imports), s.preview)
	admin.Get("/organization/:organizationId/sources/:sourceId", s.show)
	admin.Put("/organization/:organizationId/sources/:sourceId", s.update)
	admin.Delete("/organization/:organizationId/sources/:sourceId", s.remove)
	admin.Post("/organization/:organizationId/sources/:sourceId/read", waitingLine(imports), s.read)
	admin.Put("/organization/:organizationId/sources/:sourceId/duplicate", s.decide)
}

// sourceBody is enough for the choices of a source.
const sourceBody = 256 << 10

func (s Sources) list(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	shown, err := s.Service.List(c.UserContext(), org)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (s Sources) create(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[adminapi.SourceBody](c, sourceBody)
	if err != nil {
		return err
	}
	made, stored, err := s.Service.Create(c.UserContext(), org, body.given, body.refuseAll(nil))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	c.Location(Prefix + "/organization/" + org + "/sources/" + made.UUID)
	return c.Status(http.StatusCreated).JSON(adminapi.WrittenSource{Done: done("source created; it is read in a moment"), Source: made})
}

// preview answers 200 even if every event would be refused: the report contains the reasons.
func (s Sources) preview(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readPatch[adminapi.SourceBody](c, sourceBody)
	if err != nil {
		return err
	}
	report, err := s.Service.Preview(c.UserContext(), org, body.given, body.refuseAll(nil))
	if err != nil {
		return err
	}
	return c.JSON(report)
}

// sourceOf reads the organization and the source of the path.
func sourceOf(c *fiber.Ctx) (org, id string, err error) {
	p := parametersOf(c)
	org, id = p.uuid("organizationId"), p.uuid("sourceId")
	return org, id, p.err()
}

func (s Sources) show(c *fiber.Ctx) error {
	org, id, err := sourceOf(c)
	if err != nil {
		return err
	}
	shown, stored, err := s.Service.Show(c.UserContext(), org, id)
	if err != nil {
		return err
	}
	return sendCurrent(c, stored, shown) // its health changes without a version
}

func (s Sources) update(c *fiber.Ctx) error {
	org, id, err := sourceOf(c)
	if err != nil {
		return err
	}
	body, err := readPatch[adminapi.SourceBody](c, sourceBody)
	if err != nil {
		return err
	}
	changed, stored, err := s.Service.Update(c.UserContext(), org, id, expected(c), func(to *adminapi.SourceBody) error {
		body.apply(to)
		return body.refuseAll(nil)
	})
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(stored))
	return c.JSON(adminapi.WrittenSource{Done: done("source changed; it is read in a moment"), Source: changed})
}

func (s Sources) remove(c *fiber.Ctx) error {
	org, id, err := sourceOf(c)
	if err != nil {
		return err
	}
	if err := s.Service.Delete(c.UserContext(), org, id); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("source deleted; its events stay"), UUID: id})
}

func (s Sources) read(c *fiber.Ctx) error {
	org, id, err := sourceOf(c)
	if err != nil {
		return err
	}
	var body adminapi.SourceReading
	if hasBody(c) {
		if body, err = readBody[adminapi.SourceReading](c, smallBody); err != nil {
			return err
		}
	}
	shown, err := s.Service.Read(c.UserContext(), org, id, body)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

func (s Sources) decide(c *fiber.Ctx) error {
	org, id, err := sourceOf(c)
	if err != nil {
		return err
	}
	body, err := readBody[adminapi.SourceDecision](c, smallBody)
	if err != nil {
		return err
	}
	shown, err := s.Service.Decide(c.UserContext(), org, id, body)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}
