package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
)

// importBody is enough for the largest file in base64, and as text with escapes.
const importBody = eventfile.MaxBytes/3*4 + smallBody

// Imports is the operation that imports events from files.
type Imports struct{ Service *eventimport.Service }

// Mount adds the operation to the router of Prefix, which knows the principal of each request.
func (i Imports) Mount(admin fiber.Router) {
	admin.Post("/organization/:organizationId/import", waitingLine(imports), i.importEvents)
}

// importEvents answers 200 even if every row is refused: the report contains the reasons.
func (i Imports) importEvents(c *fiber.Ctx) error {
	p := parametersOf(c)
	org := p.uuid("organizationId")
	if err := p.err(); err != nil {
		return err
	}
	body, err := readBody[adminapi.ImportBody](c, importBody)
	if err != nil {
		return err
	}
	report, err := i.Service.Import(c.UserContext(), org, body)
	if err != nil {
		return err
	}
	return c.JSON(report)
}
