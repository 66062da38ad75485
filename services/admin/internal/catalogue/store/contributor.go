package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

const contributorRows = `
    SELECT uuid, org_uuid, type, name, note, description, web_link, wikidata, former_uuids, version
    FROM contributor`

const selectStoredContributors = `
SELECT version, row_to_json(row)
FROM (` + contributorRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

const upsertContributors = `
INSERT INTO contributor AS stored (uuid, org_uuid, type, name, note, description, web_link, wikidata, former_uuids)
SELECT uuid, org_uuid, type, name, note, description, web_link, wikidata, former_uuids
FROM json_populate_recordset(NULL::contributor, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    type = excluded.type,
    name = excluded.name,
    note = excluded.note,
    description = excluded.description,
    web_link = excluded.web_link,
    wikidata = excluded.wikidata,
    former_uuids = excluded.former_uuids,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

const deleteContributor = `DELETE FROM contributor WHERE uuid = $1::uuid`

const countUsesOfContributor = `
SELECT 0, 0, count(DISTINCT event_uuid), 0, 0, 0
FROM event_contributor
WHERE contributor_uuid = $1::uuid`

// Contributors are the rows of contributors. Events refer to them.
var Contributors = Table[*rules.Contributor]{
	kind: rules.KindContributor, read: selectStoredContributors, upsert: upsertContributors,
	remove: deleteContributor, uses: countUsesOfContributor,
}

const selectSurvivors = `
SELECT former::text, contributor.uuid::text
FROM contributor, unnest(former_uuids) AS former
WHERE former_uuids <> '{}' AND former_uuids && $1::uuid[] AND former = ANY ($1::uuid[])`

// Survivors returns the contributors into which those of the uuids were merged that are no more, by
// these.
func Survivors(ctx context.Context, tx pgx.Tx, uuids []string) (map[string]string, error) {
	survivors := map[string]string{}
	if len(uuids) == 0 {
		return survivors, nil
	}
	rows, _ := tx.Query(ctx, selectSurvivors, uuids) // the error comes with the rows
	var former, survivor string
	_, err := pgx.ForEachRow(rows, []any{&former, &survivor}, func() error {
		survivors[former] = survivor
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read merged contributors: %w", err)
	}
	return survivors, nil
}

// VisibleContributor is SQL for whether the contributor c may be named by the user $2 or the API
// key of the organization $3, or for $4 by a platform administrator: it is the operator's or one of
// an organization of theirs, or an event names it that is public or of such an organization. Others
// would learn of plans.
const VisibleContributor = `(
    $4 OR c.org_uuid IS NULL
    OR CASE
        WHEN $3 = '' THEN c.org_uuid IN (SELECT org_uuid FROM membership WHERE user_id = $2)
        ELSE c.org_uuid = nullif($3, '')::uuid
    END
    OR EXISTS (
        SELECT
        FROM event_contributor n
        JOIN event e ON e.uuid = n.event_uuid
        WHERE n.contributor_uuid = c.uuid AND ` + visibleEvent + `
    )
)`

// publicEvent is SQL for whether the event e is public.
const publicEvent = `event_is_public(e.release_status, e.release_scheduled) AND NOT EXISTS (
            SELECT
            FROM organization_approval a
            WHERE a.state <> 'approved' AND a.org_uuid = e.org_uuid
        )`

// visibleEvent is SQL for whether the event e is public or of an organization of those to whom
// VisibleContributor applies.
const visibleEvent = `(
            ` + publicEvent + `
            OR CASE
                WHEN $3 = '' THEN e.org_uuid IN (SELECT org_uuid FROM membership WHERE user_id = $2)
                ELSE e.org_uuid = nullif($3, '')::uuid
            END
        )`

// EventsOfContributor is SQL for the number of events that name the contributor c, of which those
// know to whom VisibleContributor applies.
const EventsOfContributor = `(
        SELECT count(DISTINCT e.uuid)
        FROM event_contributor n
        JOIN event e ON e.uuid = n.event_uuid
        WHERE n.contributor_uuid = c.uuid AND ($4 OR ` + visibleEvent + `)
    )`

// SharedContributor is SQL for whether a public event of another organization names the contributor
// c.
const SharedContributor = `EXISTS (
        SELECT
        FROM event_contributor n
        JOIN event e ON e.uuid = n.event_uuid
        WHERE n.contributor_uuid = c.uuid AND e.org_uuid <> c.org_uuid AND ` + publicEvent + `
    )`

const selectShared = `
SELECT count(*) > 0
FROM contributor c
WHERE c.uuid = $1::uuid AND ` + SharedContributor

// ContributorIsShared reports whether a public event of another organization names a contributor.
func ContributorIsShared(ctx context.Context, tx pgx.Tx, contributor string) (shared bool, err error) {
	if err := tx.QueryRow(ctx, selectShared, contributor).Scan(&shared); err != nil {
		return false, fmt.Errorf("read whether a contributor is shared: %w", err)
	}
	return shared, nil
}

const selectVisibleContributor = `
SELECT count(*) > 0
FROM contributor c
WHERE c.uuid = $1::uuid AND ` + VisibleContributor

// ContributorIsVisible reports whether a contributor exists that a user, the API key of an
// organization or a platform administrator may name.
func ContributorIsVisible(
	ctx context.Context, tx pgx.Tx, contributor string, user int, keyOrg string, platform bool,
) (visible bool, err error) {
	if err := tx.QueryRow(ctx, selectVisibleContributor, contributor, user, keyOrg, platform).Scan(&visible); err != nil {
		return false, fmt.Errorf("read whether a contributor may be named: %w", err)
	}
	return visible, nil
}

const selectNamedContributors = `
SELECT json_build_object('uuid', c.uuid, 'type', c.type, 'name', c.name, 'note', c.note, 'web_link', c.web_link, 'wikidata', c.wikidata)
FROM contributor c
JOIN (
    SELECT contributor_uuid, min(position) AS position
    FROM event_contributor
    WHERE event_uuid = $1
    GROUP BY contributor_uuid
) AS named ON named.contributor_uuid = c.uuid
ORDER BY named.position`

// NamedContributors returns the contributors that an event names, each once and in order, never
// nil.
func NamedContributors(ctx context.Context, tx pgx.Tx, event string) ([]adminapi.NamedContributor, error) {
	named, err := postgres.Collect[adminapi.NamedContributor](ctx, tx, "contributors of an event", selectNamedContributors, event)
	if named == nil {
		named = []adminapi.NamedContributor{}
	}
	return named, err
}

const lockEventsOfContributors = `
SELECT uuid::text
FROM event
WHERE uuid IN (SELECT event_uuid FROM event_contributor WHERE contributor_uuid = ANY ($1::uuid[]))
ORDER BY uuid
FOR NO KEY UPDATE`

const deleteRepeats = `
DELETE FROM event_contributor AS merged
USING event_contributor AS kept
WHERE
    merged.contributor_uuid = $1 AND kept.contributor_uuid = $2
    AND kept.event_uuid = merged.event_uuid AND kept.role = merged.role`

const touchEventsOfContributor = `
UPDATE event
SET version = version + 1, updated_at = now()
WHERE uuid IN (SELECT event_uuid FROM event_contributor WHERE contributor_uuid = $1)`

const takeOut = `
WITH gone AS (
    DELETE FROM event_contributor
    WHERE contributor_uuid = $1
    RETURNING event_uuid
)
SELECT json_build_object('event', uuid, 'title', title, 'org', org_uuid)
FROM event
WHERE uuid IN (SELECT event_uuid FROM gone)
ORDER BY org_uuid, title, uuid`

// Naming is an event that named a contributor.
type Naming struct {
	Event string `json:"event"`
	Title string `json:"title"`
	Org   string `json:"org"`
}

// TakeOut takes a contributor out of all events that name it, which get a new version, and returns
// these, those of an organization together. The caller has locked the contributor ForDelete.
func TakeOut(ctx context.Context, tx pgx.Tx, contributor string) ([]Naming, error) {
	batch := &pgx.Batch{}
	batch.Queue(lockEventsOfContributors, []string{contributor})
	batch.Queue(touchEventsOfContributor, contributor)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("take a contributor out of events: %w", err)
	}
	return postgres.Collect[Naming](ctx, tx, "events that named a contributor", takeOut, contributor)
}

const renameInEvents = `
UPDATE event_contributor
SET contributor_uuid = $2
WHERE contributor_uuid = $1`

const takeOver = `
UPDATE contributor
SET former_uuids = contributor.former_uuids || merged.uuid::uuid || merged.former_uuids, version = contributor.version + 1,
    updated_at = now()
FROM contributor AS merged
WHERE merged.uuid = $1 AND contributor.uuid = $2`

// MergeContributors gives the events of a contributor to another one, which takes its place, and
// deletes it. The caller has locked both ForDelete.
func MergeContributors(ctx context.Context, tx pgx.Tx, from, into string) error {
	batch := &pgx.Batch{}
	batch.Queue(lockEventsOfContributors, []string{from, into})
	batch.Queue(touchEventsOfContributor, from)
	batch.Queue(deleteRepeats, from, into)
	batch.Queue(renameInEvents, from, into)
	batch.Queue(takeOver, from, into)
	batch.Queue(deleteContributor, from)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("merge contributors: %w", err)
	}
	return nil
}
