package webhook

import "litfass/services/admin/internal/platform/dataexport"

const exportWebhooks = `
SELECT uuid::text, jsonb_build_object(
    'uuid', uuid, 'org_uuid', org_uuid, 'name', name, 'url', url, 'types', types, 'filter', filter, 'active', active,
    'ended_for', ended_for, 'created_at', created_at, 'updated_at', updated_at, 'succeeded_at', succeeded_at
)
FROM webhook
WHERE user_id = $1 AND ($2 = '' OR uuid > nullif($2, '')::uuid)
ORDER BY webhook.uuid
LIMIT $3`

// Exports are the webhooks of a user, without their secrets. They are deleted with the account.
// Webhooks that the user made for an organization are its own: their addresses may have changed
// since the user left it.
var Exports = []dataexport.List{{Name: "webhooks", Query: exportWebhooks}}
