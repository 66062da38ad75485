package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/version"
)

// bulkBody are the edits of several events.
type bulkBody struct {
	Events []json.RawMessage `json:"events"`
}

// bulkEdit are the fields that can be edited in bulk. An element also has the uuid of its event,
// and may have if_match, the ETag of its last read.
type bulkEdit struct {
	adminapi.ReleasePart
	adminapi.TypesPart
	adminapi.TagsPart
	adminapi.PlacePart
}

// bulkTarget is the part of an element that names its event.
type bulkTarget struct {
	UUID    string     `json:"uuid"`
	IfMatch value.Text `json:"if_match"`
}

// updateEvents edits several events, all or none. If-Match does not apply, since they have no
// common version.
func (r Catalogue) updateEvents(c *fiber.Ctx) error {
	if err := expected(c).CheckUnversioned("events"); err != nil {
		return err
	}
	body, err := readBody[bulkBody](c, entityBody)
	if err != nil {
		return err
	}
	edits, err := body.edits()
	if err != nil {
		return err
	}
	updated, err := r.Editor.UpdateEvents(c.UserContext(), edits)
	if err != nil {
		return err
	}
	result := adminapi.BulkResult{Done: done("events updated"), Events: make([]adminapi.BulkEvent, len(updated))}
	for i, event := range updated {
		result.Events[i] = adminapi.BulkEvent{
			UUID: event.Answer.UUID, ETag: version.Tag(event.Version), Warned: adminapi.Warned{Warnings: event.Warnings},
		}
	}
	return c.JSON(result)
}

// edits reads the elements. A fault names a field by the uuid of its event, or by the index of an
// element without a valid one.
func (b bulkBody) edits() ([]editing.EventEdit, error) {
	var bad fault.Violations
	if count := len(b.Events); count == 0 || count > editing.MaxBulk {
		bad.Add("events", reason.CountNotBetween(1, editing.MaxBulk))
		return nil, bad.Err("invalid_parameters", "some fields are not right")
	}
	edits := make([]editing.EventEdit, len(b.Events))
	seen := map[string]bool{}
	for i, raw := range b.Events {
		edit := parsePatch[bulkEdit](raw, "uuid", "if_match")
		at, name := edit.bulkTarget(fmt.Sprintf("events[%d]", i), raw)
		if seen[at.Key] && at.Key != "" {
			edit.wrong("uuid", reason.GivenTwice)
		}
		seen[at.Key] = true
		if edit.cleared("release_status") {
			edit.wrong("release_status", reason.CannotClear)
		}
		for _, violation := range edit.bad {
			violation.Field = strings.TrimSuffix(name+"."+violation.Field, ".")
			bad = append(bad, violation)
		}
		edits[i] = editing.EventEdit{At: at, Edit: func(to *rules.Event) error {
			edit.apply(to)
			return nil
		}}
	}
	return edits, bad.Err("invalid_body", "the body is not what this operation reads")
}

// bulkTarget returns the target of an element and the prefix of its fields; place is the prefix
// without a valid uuid.
func (p *patch[T]) bulkTarget(place string, raw []byte) (editing.Target, string) {
	var named bulkTarget
	if json.Unmarshal(raw, &named) != nil {
		p.wrong("uuid", reason.NotBulkTarget)
		return editing.Target{}, place
	}
	id, valid := value.UUIDv7(named.UUID)
	if !valid {
		p.wrong("uuid", reason.NotUUID)
		return editing.Target{}, place
	}
	return editing.Target{Key: id, Expected: version.Parse(string(named.IfMatch))}, id
}
