package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

const seriesRows = `
    SELECT
        uuid, org_uuid, slug, title, subtitle, description, web_link, start_date, end_date, public, text_language, texts,
        (
            SELECT coalesce(json_agg(series_part ORDER BY position), '[]')
            FROM series_part
            WHERE series_uuid = series.uuid
        ) AS parts,
        (
            SELECT row_to_json(event_image)
            FROM event_image
            WHERE series_uuid = series.uuid
        ) AS image,
        version
    FROM series`

const selectStoredSeries = `
SELECT version, row_to_json(row)
FROM (` + seriesRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

const upsertSeries = `
INSERT INTO series AS stored (
    uuid, org_uuid, slug, title, subtitle, description, web_link, start_date, end_date, public, text_language, texts
)
SELECT uuid, org_uuid, slug, title, subtitle, description, web_link, start_date, end_date, public, text_language, texts
FROM json_populate_recordset(NULL::series, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    slug = excluded.slug,
    title = excluded.title,
    subtitle = excluded.subtitle,
    description = excluded.description,
    web_link = excluded.web_link,
    start_date = excluded.start_date,
    end_date = excluded.end_date,
    public = excluded.public,
    text_language = excluded.text_language,
    texts = excluded.texts,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

const deleteSeries = `DELETE FROM series WHERE uuid = $1::uuid`

// AllSeries are the rows of series with their parts. Events belong to them.
var AllSeries = Table[*rules.Series]{
	kind: rules.KindSeries, read: selectStoredSeries, upsert: upsertSeries, remove: deleteSeries, parts: queueSeriesParts,
}

type seriesPartRow struct {
	SeriesUUID string `json:"series_uuid"`
	Position   int    `json:"position"`
	adminapi.SeriesPart
}

const deleteSeriesParts = `DELETE FROM series_part WHERE uuid = ANY ($1::uuid[])`

const updateSeriesParts = `
UPDATE series_part
SET position = row.position, kind = row.kind, title = row.title, description = row.description
FROM json_populate_recordset(NULL::series_part, $1) AS row
WHERE series_part.uuid = row.uuid`

const insertSeriesParts = `
INSERT INTO series_part (uuid, series_uuid, position, kind, title, description)
SELECT uuid, series_uuid, position, kind, title, description
FROM json_populate_recordset(NULL::series_part, $1)
ORDER BY uuid`

const deleteImagesOfSeries = `DELETE FROM event_image WHERE series_uuid = ANY ($1::uuid[])`

// queueSeriesParts queues the statements that write the differences of parts and of images. A part
// stays the same row: dates refer to it.
func queueSeriesParts(batch *pgx.Batch, all []*rules.Series, stored Found[*rules.Series]) {
	var gone []string
	var changed, added []seriesPartRow
	for _, s := range all {
		before := map[string]bool{}
		if was := stored[s.UUID].Entity; was != nil {
			gone = append(gone, GoneParts(was, s)...)
			for _, part := range was.Parts {
				before[part.UUID] = true
			}
		}
		for i, part := range s.Parts {
			if row := (seriesPartRow{s.UUID, i, part}); before[part.UUID] {
				changed = append(changed, row)
			} else {
				added = append(added, row)
			}
		}
	}
	if len(gone) > 0 {
		batch.Queue(deleteSeriesParts, gone)
	}
	if len(changed) > 0 {
		batch.Queue(updateSeriesParts, changed)
	}
	if len(added) > 0 {
		batch.Queue(insertSeriesParts, added)
	}
	queueImagesOfSeries(batch, all, stored)
}

func queueImagesOfSeries(batch *pgx.Batch, all []*rules.Series, stored Found[*rules.Series]) {
	var stale []string
	var fresh []imageRow
	for _, s := range all {
		var before *adminapi.Image
		if was := stored[s.UUID].Entity; was != nil {
			before = was.Image
		}
		if reflect.DeepEqual(s.Image, before) {
			continue
		}
		if before != nil {
			stale = append(stale, s.UUID)
		}
		if s.Image != nil {
			fresh = append(fresh, imageRow{SeriesUUID: value.Text(s.UUID), Image: rules.Image(*s.Image)})
		}
	}
	if len(stale) > 0 {
		batch.Queue(deleteImagesOfSeries, stale)
	}
	if len(fresh) > 0 {
		batch.Queue(insertImages, fresh)
	}
}

// GoneParts returns the uuids of the parts that a series has before an edit, and not after it.
func GoneParts(before, after *rules.Series) (gone []string) {
	for _, part := range before.Parts {
		if !slices.ContainsFunc(after.Parts, func(p adminapi.SeriesPart) bool { return p.UUID == part.UUID }) {
			gone = append(gone, part.UUID)
		}
	}
	return gone
}

const selectSeriesOfParts = `
SELECT uuid::text, series_uuid::text
FROM series_part
WHERE uuid = ANY ($1::uuid[])`

// SeriesOfParts returns the series of those parts that exist.
func SeriesOfParts(ctx context.Context, tx pgx.Tx, parts []string) (map[string]string, error) {
	return postgres.Pairs(ctx, tx, "series of parts", selectSeriesOfParts, parts)
}

const selectSeriesAwaits = `SELECT EXISTS (SELECT FROM series_event WHERE series_uuid = $1::uuid AND state = 'asked')`

// SeriesAwaits reports whether an event waits for a decision on it.
func SeriesAwaits(ctx context.Context, tx pgx.Tx, series string) (waiting bool, err error) {
	if err := tx.QueryRow(ctx, selectSeriesAwaits, series).Scan(&waiting); err != nil {
		return false, fmt.Errorf("read events that wait: %w", err)
	}
	return waiting, nil
}

// touchEvents counts a write of the events of a statement, which locks them in the order of their
// keys, and returns those of a public status.
const touchEvents = `
    ORDER BY uuid
    FOR NO KEY UPDATE
), touched AS (
    UPDATE event
    SET version = version + 1, updated_at = now()
    FROM affected
    WHERE event.uuid = affected.uuid
    RETURNING event.uuid, event.release_status
)
SELECT uuid::text
FROM touched
WHERE event_status_is_public(release_status)`

const touchEventsOfSeries = `
WITH affected AS (
    SELECT uuid
    FROM event
    WHERE uuid IN (SELECT event_uuid FROM series_event WHERE series_uuid = $1::uuid)` + touchEvents

// TouchEventsOfSeries counts a write of each event of a series that is about to be deleted, whose
// row the caller has locked ForDelete, and returns those that have a public status.
func TouchEventsOfSeries(ctx context.Context, tx pgx.Tx, series string) ([]string, error) {
	return postgres.Collect[string](ctx, tx, "events of a series", touchEventsOfSeries, series)
}

const touchEventsOfParts = `
WITH affected AS (
    SELECT uuid
    FROM event
    WHERE uuid IN (SELECT event_uuid FROM event_date WHERE series_part_uuid = ANY ($1::uuid[]))` + touchEvents

// TouchEventsOfParts counts a write of each event with a date in parts that are about to be
// deleted.
func TouchEventsOfParts(ctx context.Context, tx pgx.Tx, parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, touchEventsOfParts, parts); err != nil {
		return fmt.Errorf("take dates out of parts: %w", err)
	}
	return nil
}
