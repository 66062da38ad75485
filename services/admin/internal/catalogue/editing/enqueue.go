package editing

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/hours"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/draft"
	"litfass/services/admin/internal/publish/outbox"
)

func enqueueRegions(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Region]) error {
	return outbox.Enqueue(ctx, tx, change.KindRegion, keysOf(diffs))
}

// enqueueOrganizations: venues and events show an organization's name and link, events its contact,
// too. A deleted one had no venues and events, so it was not public.
func enqueueOrganizations(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Organization]) error {
	if err := outbox.EnqueuePublicOrganizations(ctx, tx, keysOf(diffs)); err != nil {
		return err
	}
	var shown []string
	for _, d := range diffs {
		if d.before != nil && d.after != nil && organizerOf(d.before) != organizerOf(d.after) {
			shown = append(shown, d.key)
		}
	}
	return outbox.EnqueueUsesOfOrganizations(ctx, tx, shown)
}

// organizerOf is an organization as its events show it.
func organizerOf(o *rules.Organization) change.Organizer {
	return change.Organizer{Name: o.Name, WebLink: o.WebLink, ContactEmail: o.ContactEmail, ContactPhone: o.ContactPhone}
}

// enqueueVenues: events show a venue's name, address and accessibility, if its organization is
// approved.
func enqueueVenues(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Venue]) error {
	if err := outbox.Enqueue(ctx, tx, change.KindVenue, keysOf(diffs)); err != nil {
		return err
	}
	if err := enqueueOwnersOfVenues(ctx, tx, diffs); err != nil {
		return err
	}
	var shown []string
	for _, d := range diffs {
		if d.before != nil && d.after != nil && !reflect.DeepEqual(shownOnEvents(*d.before), shownOnEvents(*d.after)) {
			shown = append(shown, d.key)
		}
	}
	return outbox.EnqueueEventsOfVenues(ctx, tx, shown)
}

// shownOnEvents is a venue with only the fields that its events show (change.VenueOfEvent), and the
// organization, which decides whether they do.
func shownOnEvents(v rules.Venue) rules.Venue {
	v.Summary, v.Description, v.ContactEmail, v.ContactPhone = "", "", "", ""
	v.OpenedAt, v.ClosedAt, v.OpeningHours, v.TicketInfo, v.TicketLink = "", "", "", "", ""
	v.AccessibilitySummary, v.Hours = "", hours.Hours{}
	return v
}

// enqueueSpaces: venues and events show all fields of a space.
func enqueueSpaces(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Space]) error {
	venues := map[string]bool{}
	var changed []string
	for _, d := range diffs {
		if d.before != nil {
			venues[d.before.VenueUUID] = true
		}
		if d.after != nil {
			venues[d.after.VenueUUID] = true
		}
		if d.before != nil && d.after != nil {
			changed = append(changed, d.key)
		}
	}
	if err := outbox.Enqueue(ctx, tx, change.KindVenue, slices.Sorted(maps.Keys(venues))); err != nil {
		return err
	}
	return outbox.EnqueueEventsOfSpaces(ctx, tx, changed)
}

// enqueueLabels: all labels are one value set.
func enqueueLabels(ctx context.Context, tx pgx.Tx, _ []diff[*rules.Label]) error {
	return outbox.Enqueue(ctx, tx, change.KindLookup, []string{change.LookupLabels})
}

// enqueueEvents: a draft has no public view, unless it had one before.
func enqueueEvents(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	var public []string
	for _, d := range diffs {
		if isPublic(d.before) || isPublic(d.after) {
			public = append(public, d.key)
		}
	}
	if err := outbox.Enqueue(ctx, tx, change.KindEvent, public); err != nil {
		return err
	}
	if err := enqueueNamed(ctx, tx, diffs); err != nil {
		return err
	}
	if err := enqueueDrafts(ctx, tx, diffs); err != nil {
		return err
	}
	return enqueueOwnersOfEvents(ctx, tx, diffs)
}

// enqueueDrafts keeps edits of events for the webhooks of their organizations, the one before and
// the one now. An event that is public by then is left out later: it may wait for its release date.
func enqueueDrafts(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	var edits []draft.Edit
	for _, d := range diffs {
		var orgs []string
		for _, e := range []*rules.Event{d.before, d.after} {
			if e != nil && !slices.Contains(orgs, e.OrgUUID) {
				orgs = append(orgs, e.OrgUUID)
			}
		}
		for _, org := range orgs {
			edits = append(edits, draft.Edit{Event: d.key, Org: org, WasPublic: isPublic(d.before)})
		}
	}
	return draft.Enqueue(ctx, tx, edits)
}

// enqueueSeries: events show a series with the parts of their dates. The events of a deleted series
// are enqueued before (releaseEvents).
func enqueueSeries(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Series]) error {
	if err := outbox.Enqueue(ctx, tx, change.KindSeries, keysOf(diffs)); err != nil {
		return err
	}
	var shown []string
	for _, d := range diffs {
		if d.before != nil && d.after != nil && !reflect.DeepEqual(seriesOnEvents(*d.before), seriesOnEvents(*d.after)) {
			shown = append(shown, d.key)
		}
	}
	return outbox.EnqueueEventsOfSeries(ctx, tx, shown)
}

// seriesOnEvents is a series with only the fields that its events show (change.SeriesOfEvent), and
// those that decide whether they do.
func seriesOnEvents(s rules.Series) rules.Series {
	s.Subtitle, s.Description, s.WebLink, s.Image = "", "", "", nil
	titles := adminapi.SeriesTexts{}
	for language, text := range s.Texts {
		if text.Title != "" {
			titles[language] = adminapi.SeriesText{Title: text.Title}
		}
	}
	s.Texts = titles
	s.Parts = slices.Clone(s.Parts)
	for i := range s.Parts {
		s.Parts[i].Description = ""
	}
	return s
}

// enqueueContributors: events show the type, name, note and links of a contributor. No event names
// a new one yet, or a deleted one any more.
func enqueueContributors(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Contributor]) error {
	var known, shown []string
	for _, d := range diffs {
		if d.before == nil || d.after == nil {
			continue
		}
		known = append(known, d.key)
		was, is := *d.before, *d.after
		was.OrgUUID, was.Description = is.OrgUUID, is.Description
		if !reflect.DeepEqual(was, is) {
			shown = append(shown, d.key)
		}
	}
	if err := outbox.Enqueue(ctx, tx, change.KindContributor, known); err != nil {
		return err
	}
	return outbox.EnqueueEventsOfContributors(ctx, tx, shown)
}

func enqueuePortals(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Portal]) error {
	return outbox.Enqueue(ctx, tx, change.KindPortal, keysOf(diffs))
}

func enqueueLists(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.List]) error {
	return outbox.Enqueue(ctx, tx, change.KindList, keysOf(diffs))
}

func isPublic(e *rules.Event) bool { return e != nil && rules.PublicStatus(e.ReleaseStatus) }

func keysOf[E rules.Entity](diffs []diff[E]) []string {
	keys := make([]string, len(diffs))
	for i, d := range diffs {
		keys[i] = d.key
	}
	return keys
}
