package command

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/change"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

func publishRegions(ctx context.Context, tx pgx.Tx, edits []edit[*catalog.Region]) error {
	return postgres.Enqueue(ctx, tx, change.KindRegion, keysOf(edits))
}

// publishOrganizations: venues and events show an organization's name and link.
func publishOrganizations(ctx context.Context, tx pgx.Tx, edits []edit[*catalog.Organization]) error {
	if err := postgres.EnqueuePublicOrganizations(ctx, tx, keysOf(edits)); err != nil {
		return err
	}
	var renamed []string
	for _, e := range edits {
		if !e.created && (e.before.Name != e.after.Name || e.before.WebLink != e.after.WebLink) {
			renamed = append(renamed, e.after.UUID)
		}
	}
	return postgres.EnqueueUsesOfOrganizations(ctx, tx, renamed)
}

// publishVenues: events show a venue's name, address and accessibility.
func publishVenues(ctx context.Context, tx pgx.Tx, edits []edit[*catalog.Venue]) error {
	if err := postgres.Enqueue(ctx, tx, change.KindVenue, keysOf(edits)); err != nil {
		return err
	}
	if err := publishOwnersOfVenues(ctx, tx, edits); err != nil {
		return err
	}
	var shown []string
	for _, e := range edits {
		if !e.created && !reflect.DeepEqual(shownOnEvents(*e.before), shownOnEvents(*e.after)) {
			shown = append(shown, e.after.UUID)
		}
	}
	return postgres.EnqueueEventsOfVenues(ctx, tx, shown)
}

// shownOnEvents is a venue without what its events do not show of it (change.VenueOfEvent).
func shownOnEvents(v catalog.Venue) catalog.Venue {
	v.OrgUUID, v.Summary, v.Description, v.ContactEmail, v.ContactPhone = "", "", "", "", ""
	v.OpenedAt, v.ClosedAt, v.OpeningHours, v.TicketInfo, v.TicketLink = "", "", "", "", ""
	v.AccessibilitySummary = ""
	return v
}

// publishSpaces: venues and events show the whole of a space.
func publishSpaces(ctx context.Context, tx pgx.Tx, edits []edit[*catalog.Space]) error {
	venues := map[string]bool{}
	var changed []string
	for _, e := range edits {
		venues[e.after.VenueUUID] = true
		if !e.created {
			venues[e.before.VenueUUID] = true
			changed = append(changed, e.after.UUID)
		}
	}
	if err := postgres.Enqueue(ctx, tx, change.KindVenue, slices.Sorted(maps.Keys(venues))); err != nil {
		return err
	}
	return postgres.EnqueueEventsOfSpaces(ctx, tx, changed)
}

// publishEvents: a draft has no public state, unless it had one before.
func publishEvents(ctx context.Context, tx pgx.Tx, edits []edit[*catalog.Event]) error {
	var public []string
	for _, e := range edits {
		if catalog.PublicStatus(e.after.ReleaseStatus) || (!e.created && catalog.PublicStatus(e.before.ReleaseStatus)) {
			public = append(public, e.after.UUID)
		}
	}
	if err := postgres.Enqueue(ctx, tx, change.KindEvent, public); err != nil {
		return err
	}
	return publishOwnersOfEvents(ctx, tx, edits)
}

func keysOf[E Entity](edits []edit[E]) []string {
	keys := make([]string, len(edits))
	for i, e := range edits {
		keys[i] = e.after.Key()
	}
	return keys
}
