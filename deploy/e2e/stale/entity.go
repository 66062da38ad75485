package stale

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// sameAsOne compares an object with its possible versions.
func sameAsOne(got map[string]any, wanted []map[string]any) error {
	if len(wanted) > mostVariants {
		return nil
	}
	var difference error
	for _, want := range wanted {
		if difference = reference.Shows(got, want); difference == nil {
			return nil
		}
	}
	return difference
}

// checkEntity compares the details of an event, a venue or an organization with the book; got is
// nil when the answer is that there is none.
func (b *Book) checkEntity(e entity, got map[string]any, position uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted, hidden := b.wanted(e, position)
	if got == nil {
		if hidden {
			return nil
		}
		return fmt.Errorf("%s %s is not found", e.kind, e.uuid)
	}
	if len(wanted) == 0 {
		return fmt.Errorf("%s %s is shown", e.kind, e.uuid)
	}
	if err := sameAsOne(got, wanted); err != nil {
		return fmt.Errorf("%s %s: %w", e.kind, e.uuid, err)
	}
	return nil
}

// wanted returns the fields that an answer may show of an entity, and whether it may be hidden.
func (b *Book) wanted(e entity, position uint64) (wanted []map[string]any, hidden bool) {
	switch e.kind {
	case organization:
		hidden = !b.staysPublic(e.uuid)
		for _, o := range b.organizations[e.uuid].at(position) {
			wanted = append(wanted, reference.Fields(o.Shown()))
		}
	case venue:
		for _, v := range b.venues[e.uuid].at(position) {
			for _, o := range b.organizations[v.OrgUUID].at(position) {
				wanted = append(wanted, reference.Fields(v.Shown(o)))
			}
		}
	default:
		for _, is := range b.events[e.uuid].at(position) {
			if !b.isPublic(is) {
				hidden = true
				continue
			}
			wanted = append(wanted, b.fieldsOfEvent(is, position)...)
		}
	}
	return wanted, hidden
}

// fieldsOfEvent returns the public fields of a version of an event. Edits of a venue do not change
// fields of dates.
func (b *Book) fieldsOfEvent(e *reference.Event, position uint64) (wanted []map[string]any) {
	venues := []*reference.Venue{nil}
	if e.VenueUUID != "" {
		venues = b.venues[string(e.VenueUUID)].at(position)
	}
	for _, o := range b.organizations[e.OrgUUID].at(position) {
		var dates []*reference.Dated
		for _, date := range b.datesOf[e.UUID] {
			dates = append(dates, b.drawOf(date, e, b.dates[date].Place.Venue, o))
		}
		for _, v := range venues {
			wanted = append(wanted, withoutTimes(reference.Fields(b.ref.Detail(dates, v))))
		}
	}
	return wanted
}

// withoutTimes returns the fields of an event without the times of the last changes of status:
// these are by the clock of the service.
func withoutTimes(fields map[string]any) map[string]any {
	delete(fields, changed)
	for _, date := range fields["dates"].([]any) {
		delete(date.(map[string]any), changed)
	}
	return fields
}

// checkVenues compares the list of an organization's venues with the book.
func (b *Book) checkVenues(org string, got []client.Entry, position uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	shown := map[string]client.Entry{}
	for _, v := range got {
		shown[v.Text("uuid")] = v
	}
	for uuid, h := range b.venues {
		if h.last().OrgUUID != org {
			continue
		}
		if shown[uuid] == nil {
			return fmt.Errorf("venue %s of organization %s is missing", uuid, org)
		}
		wanted, _ := b.wanted(entity{venue, uuid}, position)
		if err := sameAsOne(shown[uuid], wanted); err != nil {
			return fmt.Errorf("venue %s: %w", uuid, err)
		}
	}
	return nil
}

// mostListed is the limit of the lists that are asked for.
const mostListed = 200

// checkOrganizations compares the list of all organizations with a part in their names with the
// book.
func (b *Book) checkOrganizations(part string, got []client.Entry, position uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	shown := map[string]client.Entry{}
	for _, o := range got {
		shown[o.Text("uuid")] = o
	}
	for uuid := range b.eventsOf {
		var wanted []map[string]any
		versions := b.organizations[uuid].at(position)
		for _, o := range versions {
			if strings.Contains(reference.Fold(o.Name), reference.Fold(part)) {
				wanted = append(wanted, reference.Fields(o.Shown()))
			}
		}
		must := len(wanted) == len(versions) && len(got) < mostListed && b.staysPublic(uuid)
		if err := checkListed(shown[uuid], wanted, must); err != nil {
			return fmt.Errorf("organization %s in the list of %q: %w", uuid, part, err)
		}
	}
	return nil
}

// checkListed compares an element of a list, nil when it is absent, with its possible versions.
func checkListed(got client.Entry, wanted []map[string]any, must bool) error {
	switch {
	case got == nil && must:
		return errors.New("it is missing")
	case got == nil:
		return nil
	case len(wanted) == 0:
		return errors.New("it does not belong to it")
	default:
		return sameAsOne(got, wanted)
	}
}

// staysPublic reports whether an organization has an event that was public all the time.
func (b *Book) staysPublic(org string) bool {
	return slices.ContainsFunc(b.eventsOf[org], func(uuid string) bool {
		return !slices.ContainsFunc(b.events[uuid].versions, func(v version[reference.Event]) bool { return !b.isPublic(v.value) })
	})
}
