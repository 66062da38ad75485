package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
)

const labelRows = `
    SELECT key, names, version
    FROM label`

const selectStoredLabels = `
SELECT version, row_to_json(row)
FROM (` + labelRows + `
    WHERE key = ANY ($1::text[])
) AS row`

// The value set that labels are published as is there with the first of them.
const upsertLabels = `
WITH value_set AS (
    INSERT INTO lookup (name, "integer")
    VALUES ('labels', false)
    ON CONFLICT DO NOTHING
)
INSERT INTO label AS stored (key, names)
SELECT key, names
FROM json_populate_recordset(NULL::label, $1)
ORDER BY key
ON CONFLICT (key) DO UPDATE SET
    names = excluded.names,
    version = stored.version + 1,
    updated_at = now()
RETURNING key, version`

const deleteLabel = `DELETE FROM label WHERE key = $1`

// Labels are the rows of labels. Events refer to them.
var Labels = Table[*rules.Label]{
	kind: rules.KindLabel, read: selectStoredLabels, upsert: upsertLabels, remove: deleteLabel,
}

const countLabels = `SELECT count(*) FROM label`

// CountLabels returns how many labels there are.
func CountLabels(ctx context.Context, tx pgx.Tx) (count int, err error) {
	if err := tx.QueryRow(ctx, countLabels).Scan(&count); err != nil {
		return 0, fmt.Errorf("count labels: %w", err)
	}
	return count, nil
}

const takeLabelOff = `
WITH labelled AS (
    SELECT uuid
    FROM event
    WHERE labels <> '{}' AND labels @> ARRAY[$1]
    ORDER BY uuid
    FOR NO KEY UPDATE
)
UPDATE event
SET labels = array_remove(labels, $1), version = version + 1, updated_at = now()
FROM labelled
WHERE event.uuid = labelled.uuid
RETURNING event.uuid::text, event_status_is_public(release_status)`

// TakeLabelOff takes a label, whose row the caller has locked ForDelete, off all events. It returns
// their number, and those that have a public status.
func TakeLabelOff(ctx context.Context, tx pgx.Tx, key string) (taken int, public []string, err error) {
	rows, _ := tx.Query(ctx, takeLabelOff, key) // the error comes with the rows
	var event string
	var isPublic bool
	_, err = pgx.ForEachRow(rows, []any{&event, &isPublic}, func() error {
		taken++
		if isPublic {
			public = append(public, event)
		}
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("take a label off: %w", err)
	}
	return taken, public, nil
}
