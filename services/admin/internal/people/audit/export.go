package audit

import "litfass/services/admin/internal/platform/dataexport"

const exportEntries = `
SELECT id::text, jsonb_build_object(
    'id', id, 'at', at, 'org_uuid', org_uuid, 'action', action, 'entity_kind', entity_kind,
    'entity_id', entity_id, 'address', host(address), 'request_id', request_id, 'before', before, 'after', after
)
FROM audit_entry
WHERE actor_user_id = $1 AND id > coalesce(nullif($2, ''), '0')::bigint
ORDER BY audit_entry.id
LIMIT $3`

// Exports are the entries with the user as the actor.
var Exports = []dataexport.List{{Name: "audit_entries", Query: exportEntries}}
