package webhook

import "litfass/services/admin/internal/platform/dataexport"

const exportWebhooks = `
SELECT uuid::text, jsonb_build_object(
    'uuid', uuid, 'org_uuid', org_uuid, 'name', name, 'url', url, 'types', types, 'filter', filter, 'active', active,
    'ended_for', ended_for, 'created_at', created_at, 'updated_at', updated_at, 'succeeded_at', succeeded_at
)
FROM webhook
WHERE (user_id = $1 OR created_by = $1) AND ($2 = '' OR uuid > nullif($2, '')::uuid)
ORDER BY webhook.uuid
LIMIT $3`

// Exports are the webhooks of a user, and those that the user made for others, without their
// secrets. The user's own are deleted with the account.
var Exports = []dataexport.List{{Name: "webhooks", Query: exportWebhooks}}
