package apikey

import "litfass/services/admin/internal/platform/dataexport"

const exportKeys = `
SELECT uuid::text, jsonb_build_object(
    'uuid', uuid, 'org_uuid', org_uuid, 'name', name, 'prefix', prefix, 'permissions', permissions::text, 'tier', tier,
    'created_at', created_at, 'expires_at', expires_at, 'last_used_at', last_used_at, 'revoked_at', revoked_at
)
FROM api_key
WHERE created_by = $1 AND ($2 = '' OR uuid > nullif($2, '')::uuid)
ORDER BY api_key.uuid
LIMIT $3`

// Exports are the keys that a user made, for themselves or for an organization, without their
// text.
var Exports = []dataexport.List{{Name: "api_keys", Query: exportKeys}}
