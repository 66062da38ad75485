package editing

import (
	"fmt"
	"slices"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

const writesEvents = permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent

func TestCreatingAnEventStoresAllOfIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	given := rulestest.Event(h.org.UUID, h.venue.UUID, h.space.UUID)
	given.UUID, given.Images = "", nil
	given.DropTextsOfImages()
	given.MoveTextsOfDates(nil)
	for i := range given.Dates {
		given.Dates[i].UUID, given.Dates[i].AvailabilityVersion = "", value.Count{}
	}
	for i := range given.EventLinks {
		given.EventLinks[i].UUID = ""
	}
	want, err := clone(given)
	if err != nil {
		t.Fatal(err)
	}
	created, err := h.editor.CreateEvent(h.member(writesEvents|permission.ReleaseEvent, 0), given)
	if err != nil || created.Version != 1 {
		t.Fatalf("%+v, %v", created, err)
	}
	h.wantOutbox(line(change.KindEvent, created.Answer.UUID), line(change.KindOrganization, h.org.UUID))
	stored := h.storedEvent(created.Answer.UUID).Entity
	same(t, stored, created.Answer.Event)
	want.UUID = stored.UUID
	for i := range stored.Dates {
		want.Dates[i].UUID, want.Dates[i].AvailabilityVersion = stored.Dates[i].UUID, value.Counted(1)
	}
	for i := range stored.EventLinks {
		want.EventLinks[i].UUID = stored.EventLinks[i].UUID
	}
	if err := rules.Check(want); err != nil {
		t.Fatal(err)
	}
	same(t, stored, want)
	h.wantAudited(h.org.UUID, "event.create")
}

func TestClientsChooseNoUUIDs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	e.Currency, e.EventLinks = "euro", []rules.EventLink{{UUID: newID(), Type: "website", URL: "https://example.org"}}
	_, err := h.editor.CreateEvent(h.member(permission.All, 0), e)
	h.mustRefuse(err, fault.Invalid, "dates[0].uuid", "event_links[0].uuid", "currency")
}

func TestChecklist(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	h.venue.Lat, h.venue.Lon, h.other.Lat, h.other.Lon = pointer(54.3), pointer(10.1), pointer(54.4), pointer(10.2)
	h.mustSave(h.venue, h.other)
	created, err := h.editor.CreateEvent(ctx, &rules.Event{OrgUUID: h.org.UUID})
	if err != nil {
		t.Fatal(err)
	}
	items := func(view EventView) (lines []string) {
		for _, item := range view.Checklist {
			if item.Message == "" || item.Kind == string(rules.KindEvent) && item.UUID != view.UUID {
				t.Errorf("item %+v", item)
			}
			line := fmt.Sprintf("%s %s %v", item.Kind, item.Field, item.Required)
			if item.Kind != string(rules.KindEvent) {
				line += " " + item.UUID
			}
			lines = append(lines, line)
		}
		return lines
	}
	same(t, items(created.Answer), []string{
		"event title true", "event dates true", "event venue_uuid true", "event summary false", "event images false",
		"event categories false", "event price_type false", "event languages false",
	})
	placed, err := h.editor.UpdateEvent(ctx, at(created.Answer.UUID), func(e *rules.Event) error {
		e.Title, e.Summary, e.VenueUUID, e.SpaceUUID = "Konzert", "Kurz", value.Text(h.venue.UUID), value.Text(h.space.UUID)
		e.Dates = []rules.Date{{UUID: newID(), StartDate: "2027-01-01", AllDay: true, VenueUUID: value.Text(h.other.UUID)}}
		e.Categories, e.PriceType, e.Languages = []int{1}, "free", []string{"de"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	places := []string{"space accessibility_flags false " + h.space.UUID, "venue accessibility_flags false " + h.other.UUID}
	if h.other.UUID < h.space.UUID {
		slices.Reverse(places)
	}
	same(t, items(placed.Answer), append([]string{"event images false"}, places...))
	if placed.Answer.OrgName != h.org.Name || string(placed.Answer.VenueName) != h.venue.Name || string(placed.Answer.SpaceName) != h.space.Name {
		t.Errorf("names %+v", placed.Answer)
	}
	h.other.Lat, h.other.Lon = nil, nil
	h.venue.AccessibilityFlags, h.other.AccessibilityFlags = pointer(value.Mask(0)), pointer(value.Mask(1))
	h.mustSave(h.venue, h.other)
	found, err := h.editor.Event(h.member(permission.ViewEventInsights, 0), created.Answer.UUID)
	if err != nil || found.Version != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	same(t, items(found.Answer), []string{"event images false", "venue lat false " + h.other.UUID})
	h.other.Lat, h.other.Lon = pointer(54.4), pointer(10.2)
	h.mustSave(h.other)
	if found, err = h.editor.Event(ctx, created.Answer.UUID); err != nil {
		t.Fatal(err)
	}
	same(t, items(found.Answer), []string{"event images false"})
}
