package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// holder holds events of a source that look like other ones.
type holder struct {
	*Service
	org, record string
	source      string // "" for a preview, which stores nothing
	at          time.Time
}

// maxCompared is how many dates of an event are compared with others.
const maxCompared = 100

// selectLike finds an event at one of the places and times, of the organization in any state, or a
// public one of another: not one that the source has brought. All-day events, of which a house has
// many, must also have the same title. $4 to $7 are the venue, space, day and time of each date.
const selectLike = `
SELECT e.uuid::text
FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS asked (venue, space, day, clock)
JOIN event_date d ON d.start_date = asked.day::date AND d.start_time IS NOT DISTINCT FROM nullif(asked.clock, '')::time
JOIN event e ON e.uuid = d.event_uuid
CROSS JOIN LATERAL (
    SELECT
        coalesce(d.venue_uuid, e.venue_uuid) AS venue,
        CASE WHEN d.venue_uuid IS NULL THEN e.space_uuid ELSE d.space_uuid END AS space
) AS place
WHERE place.venue = asked.venue::uuid
    AND coalesce(place.space = nullif(asked.space, '')::uuid, true)
    AND (asked.clock <> '' OR lower(e.title) = lower($3))
    AND d.release_status <> 'cancelled'
    AND e.release_status <> 'cancelled'
    AND (e.org_uuid = $1 OR event_is_public(e.release_status, e.release_scheduled) AND ` + outbox.Approved + `e.org_uuid))
    AND NOT EXISTS (SELECT FROM imported_event i WHERE i.event_uuid = e.uuid AND i.org_uuid = $1 AND i.source = $2)
ORDER BY e.org_uuid <> $1, e.uuid
LIMIT 1`

// selectOrigin finds an event of this Litfass, by its uuid in the address at which it first was, or
// one that has come from the same address by another way.
const selectOrigin = `
SELECT e.uuid::text
FROM event e
WHERE e.uuid = nullif($4, '')::uuid
UNION ALL
SELECT e.uuid::text
FROM imported_event i
JOIN event e ON e.uuid = i.event_uuid
WHERE i.origin = $3
    AND NOT (i.org_uuid = $1 AND i.source = $2)
    AND (e.org_uuid = $1 OR event_is_public(e.release_status, e.release_scheduled) AND ` + outbox.Approved + `e.org_uuid))
LIMIT 1`

// known reports whether an event of another Litfass was here first, even if it was deleted since,
// or has come by another way, and returns the uuid of the event, "" for none that is left.
func (h holder) known(ctx context.Context, origin string) (known bool, like string, err error) {
	if origin == "" {
		return false, "", nil
	}
	id, _ := value.UUIDv7(origin[strings.LastIndexByte(origin, '/')+1:])
	found, err := postgres.Collect[string](ctx, h.DB, "events of an origin", selectOrigin, h.org, h.record, origin, id)
	if err != nil || len(found) > 0 {
		return err == nil, strings.Join(found, ""), err
	}
	return strings.HasPrefix(origin, strings.TrimSuffix(h.PublicURL, "/")+eventPath), "", nil
}

const selectDecision = `
SELECT event_uuid::text, coalesce(decision, '')
FROM source_duplicate
WHERE source_uuid = nullif($1, '')::uuid AND external_id = $2`

const upsertDuplicate = `
INSERT INTO source_duplicate (source_uuid, external_id, event_uuid, entry, seen_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (source_uuid, external_id) DO UPDATE
SET event_uuid = excluded.event_uuid, entry = excluded.entry, seen_at = excluded.seen_at`

// hold is the eventimport.Reading.Hold of a source.
func (h holder) hold(ctx context.Context, found eventimport.Found) (action, like string, err error) {
	if known, like, err := h.known(ctx, found.Origin); known || err != nil {
		return adminapi.ImportLinked, like, err
	}
	var decision string
	err = h.DB.QueryRow(ctx, selectDecision, h.source, found.ExternalID).Scan(&like, &decision)
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return "", "", fmt.Errorf("read decision about duplicate: %w", err)
	case decision == adminapi.SourceSame:
		return adminapi.ImportLinked, like, nil
	case decision == adminapi.SourceDifferent:
		return "", "", nil
	}
	like, err = h.find(ctx, found.Event)
	if err != nil || like == "" {
		return "", "", err
	}
	if h.source != "" {
		if _, err := h.DB.Exec(ctx, upsertDuplicate, h.source, found.ExternalID, like, entryOf(found), h.at); err != nil {
			return "", "", fmt.Errorf("store duplicate: %w", err)
		}
	}
	return adminapi.ImportHeld, like, nil
}

// find returns the uuid of an event that looks like one of the source, "" for none.
func (h holder) find(ctx context.Context, event *rules.Event) (string, error) {
	var venues, spaces, days, clocks []string
	today := h.Now().In(h.Zone).Format(time.DateOnly)
	for _, d := range event.Dates {
		venue, space := d.VenueUUID, d.SpaceUUID
		if venue == "" {
			venue, space = event.VenueUUID, event.SpaceUUID
		}
		if venue != "" && d.StartDate >= today && len(days) < maxCompared {
			venues, spaces = append(venues, string(venue)), append(spaces, string(space))
			days, clocks = append(days, d.StartDate), append(clocks, string(d.StartTime))
		}
	}
	if len(days) == 0 {
		return "", nil
	}
	found, err := postgres.Collect[string](ctx, h.DB, "similar events", selectLike,
		h.org, h.record, event.Title, venues, spaces, days, clocks)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// entryOf returns what is shown of an event of a source.
func entryOf(found eventimport.Found) adminapi.SourceEntry {
	start := ""
	for _, d := range found.Event.Dates {
		at := d.StartDate
		if d.StartTime != "" {
			at += "T" + string(d.StartTime)
		}
		if start == "" || at < start {
			start = at
		}
	}
	return adminapi.SourceEntry{
		Title: found.Event.Title, Start: value.Text(start), VenueName: value.Text(found.VenueName), SourceLink: found.Event.SourceLink,
	}
}

const selectDuplicates = `
SELECT
    s.external_id, coalesce(s.decision, ''), s.entry, e.uuid::text, e.title,
    coalesce((
        SELECT start
        FROM event_date d
        CROSS JOIN LATERAL (
            SELECT to_char(d.start_date, 'YYYY-MM-DD') || coalesce('T' || to_char(d.start_time, 'HH24:MI'), '') AS start
        ) AS written
        WHERE d.event_uuid = e.uuid
        ORDER BY start <> s.entry ->> 'start', start
        LIMIT 1
    ), ''),
    coalesce(v.name, ''), o.uuid::text, o.name, e.release_status
FROM source_duplicate s
JOIN event e ON e.uuid = s.event_uuid
JOIN organization o ON o.uuid = e.org_uuid
LEFT JOIN venue v ON v.uuid = e.venue_uuid
WHERE s.source_uuid = $1
    AND (e.org_uuid = $3 OR event_is_public(e.release_status, e.release_scheduled) AND ` + outbox.Approved + `e.org_uuid))
ORDER BY s.decision IS NOT NULL, s.entry ->> 'start', s.external_id
LIMIT $2`

// readDuplicates returns the duplicates of a source with both sides. One whose event is no longer
// shown to the organization is left out.
func readDuplicates(ctx context.Context, tx pgx.Tx, org, source string) ([]adminapi.SourceDuplicate, error) {
	rows, _ := tx.Query(ctx, selectDuplicates, source, adminapi.MaxSourceRows, org) // the error comes with the rows
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d adminapi.SourceDuplicate, err error) {
		err = row.Scan(&d.ExternalID, (*string)(&d.Decision), &d.Entry, &d.Event.UUID, &d.Event.Title, (*string)(&d.Event.Start),
			(*string)(&d.Event.VenueName), &d.Event.OrgUUID, &d.Event.OrgName, &d.Event.ReleaseStatus)
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("read duplicates: %w", err)
	}
	return append([]adminapi.SourceDuplicate{}, list...), nil
}

const (
	updateDecision = `
UPDATE source_duplicate
SET decision = $3, decided_at = $4
WHERE source_uuid = $1 AND external_id = $2`

	dueAtOnce = `
UPDATE event_source
SET next_read_at = $2, etag = NULL, last_modified = NULL, content = NULL, version = version + 1,
    feed = jsonb_set(feed, '{pending}', coalesce(nullif(feed -> 'pending', 'null'), '[]') || to_jsonb($3::text))
WHERE uuid = $1`
)

// Decide decides whether an event of a source is the one that it looks like. One that is not is
// imported by the next reading, which is due at once. The faults are those of List, and NotFound;
// Invalid.
func (s *Service) Decide(ctx context.Context, org, id string, d adminapi.SourceDecision) (shown adminapi.ShownSource, err error) {
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, managing); err != nil {
			return err
		}
		if _, err := readOne(ctx, tx, lockSource, org, id); err != nil {
			return err
		}
		if err := checkDecision(d); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, updateDecision, id, d.ExternalID, d.Decision, s.Now())
		if err == nil {
			_, err = tx.Exec(ctx, dueAtOnce, id, s.Now(), d.ExternalID)
		}
		switch {
		case err != nil:
			return fmt.Errorf("store decision about duplicate: %w", err)
		case tag.RowsAffected() == 0:
			return fault.New(fault.NotFound, "duplicate_not_found", "the source has no such event that looks like another one")
		}
		return s.audit(ctx, tx, "decide", org, id, nil, map[string]any{"external_id": d.ExternalID, "decision": d.Decision})
	})
	if err != nil {
		return shown, err
	}
	shown, _, err = s.Show(ctx, org, id)
	return shown, err
}

func checkDecision(d adminapi.SourceDecision) error {
	var bad fault.Violations
	if d.ExternalID == "" {
		bad.Add("external_id", reason.Required)
	}
	if d.Decision != adminapi.SourceSame && d.Decision != adminapi.SourceDifferent {
		bad.Add("decision", reason.NotOneOf([]string{adminapi.SourceSame, adminapi.SourceDifferent}))
	}
	return bad.Err("invalid_decision", "the decision is not valid")
}
