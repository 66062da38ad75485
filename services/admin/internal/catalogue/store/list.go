package store

import "litfass/services/admin/internal/catalogue/rules"

const listRows = `
    SELECT uuid, org_uuid, slug, name, description, titles, public, entries, version
    FROM list`

const selectStoredLists = `
SELECT version, row_to_json(row)
FROM (` + listRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

const upsertLists = `
INSERT INTO list AS stored (uuid, org_uuid, slug, name, description, titles, public, entries)
SELECT uuid, org_uuid, slug, name, description, titles, public, entries
FROM json_populate_recordset(NULL::list, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    slug = excluded.slug,
    name = excluded.name,
    description = excluded.description,
    titles = excluded.titles,
    public = excluded.public,
    entries = excluded.entries,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

const deleteList = `DELETE FROM list WHERE uuid = $1::uuid`

// Lists are the rows of lists. No other row refers to them.
var Lists = Table[*rules.List]{
	kind: rules.KindList, read: selectStoredLists, upsert: upsertLists, remove: deleteList,
}
