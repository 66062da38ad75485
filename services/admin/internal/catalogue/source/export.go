package source

import "litfass/services/admin/internal/platform/dataexport"

const exportSources = `
SELECT uuid::text, jsonb_build_object(
    'uuid', uuid, 'org_uuid', org_uuid, 'name', name, 'address', address, 'created_at', created_at, 'updated_at', updated_at
)
FROM event_source
WHERE answers_for = $1 AND ($2 = '' OR uuid > nullif($2, '')::uuid)
ORDER BY event_source.uuid
LIMIT $3`

// Exports are the sources for which a user answers.
var Exports = []dataexport.List{{Name: "sources", Query: exportSources}}
