package editing

import (
	"fmt"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/rules"
)

// item is one entity to be saved, with its result.
type item struct {
	entity     rules.Entity
	references []rules.Reference
	named      []rules.PartReference // parts of series
	result     Result

	// Faults name parts of an event by their positions in the lists as given, before Event.Arrange.
	dates, rules, images, links []string // the uuids; that of a link may be ""
}

// newItem normalizes the entity and checks the rules that need no other rows. The fault is Invalid
// and names every bad field.
func newItem(entity rules.Entity) (*item, error) {
	if err := rules.CheckValues(entity); err != nil {
		return nil, err
	}
	it := &item{entity: entity, references: rules.References(entity)}
	event, ok := entity.(*rules.Event)
	if !ok {
		return it, nil
	}
	it.named = event.PartReferences()
	for _, date := range event.Dates {
		it.dates = append(it.dates, date.UUID)
	}
	for _, rule := range event.DateRules {
		it.rules = append(it.rules, rule.UUID)
	}
	for _, image := range event.Images {
		it.images = append(it.images, image.UUID)
	}
	for _, link := range event.EventLinks {
		it.links = append(it.links, link.UUID)
	}
	event.Arrange()
	return it, nil
}

func (i *item) refuse(f *fault.Fault) { i.result = Result{Err: f} }

// identity names an entity within the catalogue.
type identity struct {
	kind rules.Kind
	key  string
}

func (i *item) identity() identity { return identity{i.entity.Kind(), i.entity.Key()} }

// parts are the uuids of an event's dates, rules, images and links.
func (i *item) parts() []string {
	all := slices.Concat(i.dates, i.rules, i.images, i.links)
	return slices.DeleteFunc(all, func(uuid string) bool { return uuid == "" })
}

// kindWords are the kinds of entities as reasons name them.
var kindWords = map[rules.Kind]reason.Word{
	rules.KindRegion: reason.WordRegion, rules.KindOrganization: reason.WordOrganization, rules.KindVenue: reason.WordVenue,
	rules.KindSpace: reason.WordSpace, rules.KindLabel: reason.WordLabel, rules.KindEvent: reason.WordEvent, rules.KindPortal: reason.WordPortal,
	rules.KindList: reason.WordList, rules.KindSeries: reason.WordSeries,
	rules.KindContributor: reason.WordContributor,
}

// checkReferences returns the fault of an item that refers to an entity that does not exist, or
// nil.
func (i *item) checkReferences(locks lockSet, belongs belongings) *fault.Fault {
	var bad fault.Violations
	for _, r := range i.references {
		switch {
		case !locks.has(identity{r.Kind, r.Key}):
			bad.Add(r.Field(), reason.UnknownReference(kindWords[r.Kind]))
		case r.Venue != "" && belongs.venueOf[r.Key] != r.Venue:
			bad.Add(r.Field(), reason.SpaceOfOtherVenue)
		}
	}
	for _, named := range i.named {
		series := belongs.seriesOf[named.Part]
		if series == "" || i.entity.(*rules.Event).SeriesState(series) == "" {
			bad.Add(named.Field, reason.UnknownReference(reason.WordSeriesPart))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return fault.Of(invalid(i.entity.Kind(), bad))
}

// refuseForeign refuses an event with parts of other events, and names each of them.
func (i *item) refuseForeign(foreign map[string]bool) {
	refused := fault.New(fault.Conflict, "uuid_taken", "the event holds what belongs to another event")
	for _, list := range []struct {
		name  string
		uuids []string
		word  reason.Word
	}{
		{"dates", i.dates, reason.WordDate}, {"date_rules", i.rules, reason.WordRule},
		{"images", i.images, reason.WordImage}, {"event_links", i.links, reason.WordLink},
	} {
		for n, uuid := range list.uuids {
			if foreign[uuid] {
				field := fmt.Sprintf("%s[%d].uuid", list.name, n)
				refused.Violations = append(refused.Violations, fault.Violate(field, reason.UUIDTaken(list.word)))
			}
		}
	}
	i.refuse(refused)
}
