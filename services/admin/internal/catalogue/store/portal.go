package store

import "litfass/services/admin/internal/catalogue/rules"

const portalRows = `
    SELECT uuid, org_uuid, slug, name, titles, languages, look, filter, include, exclude, version
    FROM portal`

const selectStoredPortals = `
SELECT version, row_to_json(row)
FROM (` + portalRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

const upsertPortals = `
INSERT INTO portal AS stored (uuid, org_uuid, slug, name, titles, languages, look, filter, include, exclude)
SELECT uuid, org_uuid, slug, name, titles, languages, look, filter, include, exclude
FROM json_populate_recordset(NULL::portal, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    org_uuid = excluded.org_uuid,
    slug = excluded.slug,
    name = excluded.name,
    titles = excluded.titles,
    languages = excluded.languages,
    look = excluded.look,
    filter = excluded.filter,
    include = excluded.include,
    exclude = excluded.exclude,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

const deletePortal = `DELETE FROM portal WHERE uuid = $1::uuid`

// Portals are the rows of portals. No other row refers to them.
var Portals = Table[*rules.Portal]{
	kind: rules.KindPortal, read: selectStoredPortals, upsert: upsertPortals, remove: deletePortal,
}
