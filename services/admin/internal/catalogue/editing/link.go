package editing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
)

// Link is a link with the uuid of its event.
type Link struct {
	EventUUID string `json:"event_uuid"`
	rules.EventLink
}

// AddLink adds a link, which edit fills in, after the other links of an event and gives it its
// uuid. It needs EditEvent. It returns the faults of UpdateEvent, naming the fields of the link.
func (e *Editor) AddLink(
	ctx context.Context, at Target, edit func(*rules.EventLink) error,
) (added Versioned[Link], err error) {
	if at.Part, err = newUUID(); err != nil {
		return added, err
	}
	return e.editLinks(ctx, at, func(event *rules.Event) (int, error) {
		event.EventLinks = append(event.EventLinks, rules.EventLink{UUID: at.Part})
		last := len(event.EventLinks) - 1
		return last, edit(&event.EventLinks[last])
	})
}

// UpdateLink applies an edit to a link of an event. It needs EditEvent. It returns the faults of
// UpdateEvent, naming the fields of the link, and NotFound for a link of another event.
func (e *Editor) UpdateLink(
	ctx context.Context, at Target, edit func(*rules.EventLink) error,
) (Versioned[Link], error) {
	return e.editLinks(ctx, at, func(event *rules.Event) (int, error) {
		place, err := placeOfLink(event, at.Part)
		if err != nil {
			return place, err
		}
		return place, edit(&event.EventLinks[place])
	})
}

// RemoveLink removes a link from an event. It needs EditEvent. It returns the faults of UpdateLink.
func (e *Editor) RemoveLink(ctx context.Context, at Target) (version int64, err error) {
	updated, err := e.UpdateEvent(ctx, at, func(event *rules.Event) error {
		place, err := placeOfLink(event, at.Part)
		if err == nil {
			event.EventLinks = slices.Delete(event.EventLinks, place, place+1)
		}
		return err
	})
	return updated.Version, err
}

// editLinks applies an edit to the links of an event and returns the link of the target. edit
// returns the place of the link that its faults are about.
func (e *Editor) editLinks(
	ctx context.Context, at Target, edit func(*rules.Event) (int, error),
) (edited Versioned[Link], err error) {
	place := 0
	updated, err := e.UpdateEvent(ctx, at, func(event *rules.Event) (err error) {
		place, err = edit(event)
		return err
	})
	if err != nil {
		return edited, partFault(err, fmt.Sprintf("event_links[%d]", place))
	}
	edited.Version, edited.Warnings = updated.Version, updated.Warnings
	edited.Answer = Link{updated.Answer.UUID, updated.Answer.EventLinks[place]}
	return edited, nil
}

func placeOfLink(event *rules.Event, link string) (int, error) {
	place := slices.IndexFunc(event.EventLinks, func(l rules.EventLink) bool { return l.UUID == link })
	if place < 0 {
		return place, fault.New(fault.NotFound, "link_not_found", "there is no such link of the event")
	}
	return place, nil
}

// partFault names the fields of a part relative to the part: "url" and not "event_links[3].url".
func partFault(err error, part string) error {
	f := *fault.Of(err)
	if len(f.Violations) == 0 {
		return err
	}
	f.Violations = slices.Clone(f.Violations)
	for i := range f.Violations {
		f.Violations[i].Field = strings.TrimPrefix(f.Violations[i].Field, part+".")
	}
	return &f
}

// completeLinks gives links without a uuid the uuid of the stored link with the same values, or
// else a new one: a catalogue file without uuids of links changes nothing when it is imported
// again.
func completeLinks(before, after *rules.Event) error {
	var stored []rules.EventLink
	if before != nil {
		stored = slices.DeleteFunc(slices.Clone(before.EventLinks), func(known rules.EventLink) bool {
			return slices.ContainsFunc(after.EventLinks, func(link rules.EventLink) bool { return link.UUID == known.UUID })
		})
	}
	for i := range after.EventLinks {
		link := &after.EventLinks[i]
		if link.UUID != "" {
			continue
		}
		same := slices.IndexFunc(stored, func(known rules.EventLink) bool {
			return known.Type == link.Type && known.Label == link.Label && known.URL == link.URL
		})
		if same >= 0 {
			link.UUID = stored[same].UUID
			stored = slices.Delete(stored, same, same+1)
			continue
		}
		var err error
		if link.UUID, err = newUUID(); err != nil {
			return err
		}
	}
	return nil
}
