package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// mountContributors adds the operations on contributors.
func (r Catalogue) mountContributors(admin fiber.Router, large fiber.Handler) {
	admin.Get("/contributors", r.listContributors)
	admin.Put("/contributor", large, create[contributorBody](r.Editor, "contributor created", r.Editor.CreateContributor))
	admin.Get("/contributor/:contributorId", show("contributorId", r.Editor.Contributor))
	admin.Put("/contributor/:contributorId", large,
		update[contributorBody]("contributor updated", r.Editor.UpdateContributor, "contributorId"))
	admin.Delete("/contributor/:contributorId", r.removeContributor)
	admin.Post("/contributor/:contributorId/merge", r.mergeContributor)
	admin.Put("/event/:eventId/contributors", large, r.putContributors)
}

// contributorBody is a contributor; clients may send back the contributors merged into it,
// which are ignored.
type contributorBody struct {
	rules.Contributor
	FormerUUIDs readOnly `json:"former_uuids"`
}

// listContributors answers the contributors that the caller may name, of an organization or of all.
func (r Catalogue) listContributors(c *fiber.Ctx) error {
	p := parametersOf(c)
	page, org, repeated := p.page(), "", p.flag("repeated")
	if c.Query("org_uuid") != "" {
		org = p.queryUUID("org_uuid")
	}
	if err := p.err(); err != nil {
		return err
	}
	shown, err := r.Overview.Contributors(c.UserContext(), org, c.Query("search"), repeated, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// removeContributor deletes a contributor: with take_out also one that events name.
func (r Catalogue) removeContributor(c *fiber.Ctx) error {
	p := parametersOf(c)
	operation := r.Editor.RemoveContributor
	if p.flag("take_out") {
		operation = r.Editor.RemovePerson
	}
	if err := p.err(); err != nil {
		return err
	}
	return remove("contributor deleted", operation, "contributorId")(c)
}

func (r Catalogue) mergeContributor(c *fiber.Ctx) error {
	at, err := target(c, "contributorId")
	if err != nil {
		return err
	}
	body, err := readPatch[adminapi.ContributorMerge](c, smallBody)
	if err != nil {
		return err
	}
	into, valid := value.UUIDv7(body.given.Into)
	if !valid {
		body.wrong("into", reason.NotUUID)
	}
	merged, err := r.Editor.MergeContributor(c.UserContext(), at, into, body.refuse(noRules))
	if err != nil {
		return err
	}
	return sendWritten(c, "contributor merged", merged.Version, merged.Warnings, merged.Answer)
}

// noRules are the rules of a body whose values are checked where they are used.
func noRules(*fault.Violations) {}

// putContributors answers the contributors of the event as they are now.
func (r Catalogue) putContributors(c *fiber.Ctx) error {
	at, err := target(c, "eventId")
	if err != nil {
		return err
	}
	body, err := readPatch[adminapi.GivenContributors](c, entityBody)
	if err != nil {
		return err
	}
	if body.given.Contributors == nil {
		body.wrong("contributors", reason.Required)
	}
	written, err := r.Editor.NameContributors(c.UserContext(), at, body.given.Contributors, body.refuse(noRules))
	if err != nil {
		return err
	}
	event := written.Answer
	return sendWritten(c, "contributors updated", written.Version, written.Warnings,
		adminapi.PartOfEvent{UUID: event.UUID, Checklist: event.Checklist},
		namedPart{event.Contributors, event.Named})
}

// namedPart are the contributors of an event as adminapi.WrittenContributors has them.
type namedPart struct {
	Contributors []rules.EventContributor    `json:"contributors"`
	Named        []adminapi.NamedContributor `json:"named_contributors"`
}
