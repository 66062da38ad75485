package auth

import "litfass/services/admin/internal/people/personal"

const exportSessions = `
SELECT id::text, jsonb_build_object(
    'uuid', id, 'user_agent', user_agent, 'created_at', created_at, 'used_at', used_at,
    'expires_at', expires_at, 'revoked_at', revoked_at, 'revoked_for', revoked_for
)
FROM session
WHERE user_id = $1 AND ($2 = '' OR id > nullif($2, '')::uuid)
ORDER BY session.id
LIMIT $3`

// Exported are the sessions of a user, without their tokens.
var Exported = []personal.List{{Name: "sessions", Query: exportSessions}}
