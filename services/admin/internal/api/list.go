package api

import (
	"cmp"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
)

// mountLists adds the operations on lists.
func (r Catalogue) mountLists(admin fiber.Router, large fiber.Handler) {
	admin.Get("/lists", ofOrganization(r.Overview.Lists))
	admin.Put("/list", large, create[rules.List](r.Editor, "list created", r.Editor.CreateList))
	admin.Get("/list/:listId", show("listId", r.Editor.List))
	admin.Put("/list/:listId", large, update[rules.List]("list updated", r.Editor.UpdateList, "listId"))
	admin.Delete("/list/:listId", remove("list deleted", r.Editor.RemoveList, "listId"))
	admin.Get("/list/:listId/entries", r.showListEntries)
	admin.Put("/list/:listId/entry", r.putListEntry)
	admin.Delete("/list/:listId/entry/:eventId", r.removeListEntry)
}

// showListEntries answers the entries of a list with what there is to know about their events.
func (r Catalogue) showListEntries(c *fiber.Ctx) error {
	at, err := target(c, "listId")
	if err != nil {
		return err
	}
	list, err := r.Editor.List(c.UserContext(), at.Key)
	if err != nil {
		return err
	}
	shown, err := r.Overview.ListEntries(c.UserContext(), list.Answer.Entries)
	if err != nil {
		return err
	}
	return sendVersion(c, list.Version, adminapi.ListEntries{Entries: shown})
}

// putListEntry adds an entry to a list, or changes its note or its place.
func (r Catalogue) putListEntry(c *fiber.Ctx) error {
	at, err := target(c, "listId")
	if err != nil {
		return err
	}
	body, err := readPatch[rules.PlacedEntry](c, smallBody)
	if err != nil {
		return err
	}
	entry, refused := body.given, body.refuse(rulesOf[rules.PlacedEntry, rules.PlacedEntry](body, true))
	entry.Normalize()
	refused = cmp.Or(refused, entry.Validate().Err("invalid_list", "the entry is not valid"))
	written, err := r.Editor.UpdateList(c.UserContext(), at, func(l *rules.List) error { // which checks the rights first
		if refused == nil {
			l.Put(entry)
		}
		return refused
	})
	if err != nil {
		return err
	}
	return sendWritten(c, "entry written", written.Version, written.Warnings, written.Answer)
}

// removeListEntry takes an event off a list, or with ?date_uuid= one date of it.
func (r Catalogue) removeListEntry(c *fiber.Ctx) error {
	at, err := target(c, "listId")
	if err != nil {
		return err
	}
	p := parametersOf(c)
	key := rules.EntryKey{Event: p.uuid("eventId")}
	if c.Query("date_uuid") != "" {
		key.Date = p.queryUUID("date_uuid")
	}
	if err := p.err(); err != nil {
		return err
	}
	written, err := r.Editor.UpdateList(c.UserContext(), at, func(l *rules.List) error {
		if !l.Take(key) {
			return fault.New(fault.NotFound, "list_entry_not_found", "the list has no such entry")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return sendWritten(c, "entry removed", written.Version, written.Warnings, written.Answer)
}
