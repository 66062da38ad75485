package editing

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

func enqueueRegions(ctx context.Context, tx pgx.Tx, edits []edit[*rules.Region]) error {
	return outbox.Enqueue(ctx, tx, change.KindRegion, keysOf(edits))
}

// enqueueOrganizations: venues and events show an organization's name and link. A deleted one had
// no venues and events, so it was not public.
func enqueueOrganizations(ctx context.Context, tx pgx.Tx, edits []edit[*rules.Organization]) error {
	if err := outbox.EnqueuePublicOrganizations(ctx, tx, keysOf(edits)); err != nil {
		return err
	}
	var renamed []string
	for _, e := range edits {
		if e.before != nil && e.after != nil && (e.before.Name != e.after.Name || e.before.WebLink != e.after.WebLink) {
			renamed = append(renamed, e.key)
		}
	}
	return outbox.EnqueueUsesOfOrganizations(ctx, tx, renamed)
}

// enqueueVenues: events show a venue's name, address and accessibility.
func enqueueVenues(ctx context.Context, tx pgx.Tx, edits []edit[*rules.Venue]) error {
	if err := outbox.Enqueue(ctx, tx, change.KindVenue, keysOf(edits)); err != nil {
		return err
	}
	if err := enqueueOwnersOfVenues(ctx, tx, edits); err != nil {
		return err
	}
	var shown []string
	for _, e := range edits {
		if e.before != nil && e.after != nil && !reflect.DeepEqual(shownOnEvents(*e.before), shownOnEvents(*e.after)) {
			shown = append(shown, e.key)
		}
	}
	return outbox.EnqueueEventsOfVenues(ctx, tx, shown)
}

// shownOnEvents is a venue with only the fields that its events show (change.VenueOfEvent).
func shownOnEvents(v rules.Venue) rules.Venue {
	v.OrgUUID, v.Summary, v.Description, v.ContactEmail, v.ContactPhone = "", "", "", "", ""
	v.OpenedAt, v.ClosedAt, v.OpeningHours, v.TicketInfo, v.TicketLink = "", "", "", "", ""
	v.AccessibilitySummary = ""
	return v
}

// enqueueSpaces: venues and events show all fields of a space.
func enqueueSpaces(ctx context.Context, tx pgx.Tx, edits []edit[*rules.Space]) error {
	venues := map[string]bool{}
	var changed []string
	for _, e := range edits {
		if e.before != nil {
			venues[e.before.VenueUUID] = true
		}
		if e.after != nil {
			venues[e.after.VenueUUID] = true
		}
		if e.before != nil && e.after != nil {
			changed = append(changed, e.key)
		}
	}
	if err := outbox.Enqueue(ctx, tx, change.KindVenue, slices.Sorted(maps.Keys(venues))); err != nil {
		return err
	}
	return outbox.EnqueueEventsOfSpaces(ctx, tx, changed)
}

// enqueueEvents: a draft has no public view, unless it had one before.
func enqueueEvents(ctx context.Context, tx pgx.Tx, edits []edit[*rules.Event]) error {
	var public []string
	for _, e := range edits {
		if isPublic(e.before) || isPublic(e.after) {
			public = append(public, e.key)
		}
	}
	if err := outbox.Enqueue(ctx, tx, change.KindEvent, public); err != nil {
		return err
	}
	return enqueueOwnersOfEvents(ctx, tx, edits)
}

func isPublic(e *rules.Event) bool { return e != nil && rules.PublicStatus(e.ReleaseStatus) }

func keysOf[E rules.Entity](edits []edit[E]) []string {
	keys := make([]string, len(edits))
	for i, e := range edits {
		keys[i] = e.key
	}
	return keys
}
