package editing

import (
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
)

func TestLinksKeepTheirIDs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e, other := h.draft(), h.draft()
	h.mustSave(e, other)
	ctx := h.member(permission.EditEvent, 0)
	add := func(url string) Versioned[Link] {
		added, err := h.editor.AddLink(ctx, at(e.UUID), func(l *rules.EventLink) error { l.Type, l.URL = "website", url; return nil })
		h.wantFault(url, err, "", "")
		return added
	}
	first, second := add("https://a.example"), add("https://b.example")
	part := func(event, link string) Target { return Target{Key: event, Part: link} }
	label := func(l *rules.EventLink) error { l.Label = "Seite"; return nil }
	changed, err := h.editor.UpdateLink(ctx, part(e.UUID, second.Answer.UUID), label)
	if err != nil || changed.Answer.UUID != second.Answer.UUID || changed.Answer.EventUUID != e.UUID || changed.Version != 4 {
		t.Fatalf("%+v, %v", changed, err)
	}
	_, err = h.editor.UpdateLink(ctx, part(other.UUID, second.Answer.UUID), label)
	h.wantFault("a link of another event", err, fault.NotFound, "link_not_found")
	_, err = h.editor.RemoveLink(ctx, part(e.UUID, newID()))
	h.wantFault("an unknown link", err, fault.NotFound, "link_not_found")
	_, err = h.editor.UpdateLink(ctx, part(e.UUID, second.Answer.UUID), func(l *rules.EventLink) error { l.URL, l.Type = "ftp://x", "moon"; return nil })
	h.mustRefuse(err, fault.Invalid, "type", "url")
	_, err = h.editor.AddLink(ctx, at(e.UUID), func(*rules.EventLink) error { return nil })
	h.mustRefuse(err, fault.Invalid, "type", "url")
	_, err = h.editor.RemoveLink(ctx, part(e.UUID, first.Answer.UUID))
	h.wantFault("remove", err, "", "")
	same(t, h.storedEvent(e.UUID).Entity.EventLinks, []rules.EventLink{changed.Answer.EventLink})

	thief := h.event()
	thief.EventLinks = []rules.EventLink{changed.Answer.EventLink}
	h.mustRefuse(h.saveOne(thief).Err, fault.Conflict, "event_links[0].uuid")
	twice := h.event()
	twice.EventLinks = []rules.EventLink{{UUID: first.Answer.UUID, Type: "website", URL: "https://a.example"}, {UUID: first.Answer.UUID, Type: "website", URL: "https://b.example"}}
	h.mustRefuse(h.saveOne(twice).Err, fault.Invalid, "event_links[1].uuid")
}

// TestLinksWithoutIDsChangeNothing: a catalogue file from before links had ids imports as it did.
func TestLinksWithoutIDsChangeNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	withLinks := func(e *rules.Event, urls ...string) *rules.Event {
		copied, err := clone(e)
		if err != nil {
			t.Fatal(err)
		}
		copied.EventLinks = nil
		for _, url := range urls {
			copied.EventLinks = append(copied.EventLinks, rules.EventLink{Type: "website", URL: url})
		}
		return copied
	}
	e := h.event()
	h.mustSave(withLinks(e, "https://a.example", "https://a.example", "https://b.example"))
	links := h.storedEvent(e.UUID).Entity.EventLinks
	if len(links) != 3 || links[0].UUID == links[1].UUID {
		t.Fatalf("links %v", links)
	}
	same(t, h.mustSave(withLinks(e, "https://a.example", "https://a.example", "https://b.example")), []Outcome{Unchanged})
	h.mustSave(withLinks(e, "https://b.example", "https://c.example"))
	after := h.storedEvent(e.UUID).Entity.EventLinks
	if after[0] != links[2] || after[1].UUID == "" {
		t.Errorf("links %v, before %v", after, links)
	}
	const old = "INSERT INTO event_link (event_uuid, position, type, url) VALUES ($1, 7, 'website', 'https://old.example')"
	if _, err := h.db.Pool().Exec(t.Context(), old, e.UUID); err != nil {
		t.Fatal(err)
	}
	written := h.storedEvent(e.UUID).Entity
	if err := rules.Check(written); err != nil || written.EventLinks[2].UUID == "" {
		t.Errorf("a link that a program without ids has written: %v, %v", written.EventLinks, err)
	}
}
