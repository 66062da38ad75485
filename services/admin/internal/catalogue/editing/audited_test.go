package editing

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
)

// entry is the last audit entry of an event.
func (h *house) entry(event string) (before, after map[string]any) {
	h.Helper()
	const last = "SELECT json_build_array(before, after) FROM audit_entry WHERE entity_id = $1 ORDER BY id DESC LIMIT 1"
	var sides []map[string]any
	if err := json.Unmarshal([]byte(one[string](h.stage, last, event)), &sides); err != nil {
		h.Fatal(err)
	}
	return sides[0], sides[1]
}

func TestAuditHoldsOnlyThePartsThatDiffer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	for n := range 999 {
		e.Dates = append(e.Dates, rules.Date{UUID: newID(), StartDate: fmt.Sprintf("%d-01-01", 2000+n), AllDay: true})
	}
	e.EventLinks = []rules.EventLink{{UUID: newID(), Type: "website", URL: "https://a.example"}, {UUID: newID(), Type: "website", URL: "https://b.example"}}
	h.mustSave(e)
	ctx := h.member(permission.All, 0)
	apply := func(edit func(*rules.Event)) (before, after map[string]any) {
		if _, err := h.editor.UpdateEvent(ctx, at(e.UUID), func(e *rules.Event) error { edit(e); return nil }); err != nil {
			t.Fatal(err)
		}
		return h.entry(e.UUID)
	}
	changed := e.Dates[500].UUID
	before, after := apply(func(e *rules.Event) {
		i := slices.IndexFunc(e.Dates, func(d rules.Date) bool { return d.UUID == changed })
		e.Dates[i].AccessibilityInfo = "Rampe"
	})
	same(t, fmt.Sprint(idsIn(before["dates"]), idsIn(after["dates"]), len(before), len(after)), fmt.Sprint([]string{changed}, []string{changed}, 1, 1))
	before, after = apply(func(e *rules.Event) {
		e.Dates = slices.DeleteFunc(e.Dates, func(d rules.Date) bool { return d.UUID == changed })
	})
	same(t, fmt.Sprint(idsIn(before["dates"]), idsIn(after["dates"])), fmt.Sprint([]string{changed}, []string(nil)))
	before, after = apply(func(e *rules.Event) { e.Title, e.EventLinks[1].Label = "Neu", "B" })
	link := []string{e.EventLinks[1].UUID}
	same(t, fmt.Sprint(before["title"], after["title"], idsIn(before["event_links"]), idsIn(after["event_links"]), len(after)),
		fmt.Sprint("Konzert", "Neu", link, link, 2))
}

func idsIn(list any) (ids []string) {
	parts, _ := list.([]any)
	for _, part := range parts {
		ids = append(ids, part.(map[string]any)["uuid"].(string))
	}
	return ids
}
