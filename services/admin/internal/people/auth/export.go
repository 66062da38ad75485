package auth

import "litfass/services/admin/internal/platform/dataexport"

const exportSessions = `
SELECT id::text, jsonb_build_object(
    'uuid', id, 'user_agent', user_agent, 'created_at', created_at, 'used_at', used_at,
    'expires_at', expires_at, 'revoked_at', revoked_at, 'revoked_for', revoked_for
)
FROM session
WHERE user_id = $1 AND ($2 = '' OR id > nullif($2, '')::uuid)
ORDER BY session.id
LIMIT $3`

// Exports are the sessions of a user, without their tokens.
var Exports = []dataexport.List{{Name: "sessions", Query: exportSessions}}
