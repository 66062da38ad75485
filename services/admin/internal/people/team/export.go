package team

import "litfass/services/admin/internal/platform/dataexport"

const exportMemberships = `
SELECT m.uuid::text, jsonb_build_object(
    'uuid', m.uuid, 'org_uuid', m.org_uuid, 'org_name', o.name, 'role', m.role,
    'permissions', m.permissions::text, 'joined_at', m.joined_at
)
FROM membership m
JOIN organization o ON o.uuid = m.org_uuid
WHERE m.user_id = $1 AND ($2 = '' OR m.uuid > nullif($2, '')::uuid)
ORDER BY m.uuid
LIMIT $3`

const exportedInvitation = `
SELECT i.uuid::text, jsonb_build_object(
    'uuid', i.uuid, 'org_uuid', i.org_uuid, 'org_name', o.name, 'email', i.email, 'role', i.role,
    'permissions', i.permissions::text, 'created_at', i.created_at, 'expires_at', i.expires_at,
    'accepted_at', i.accepted_at, 'revoked_at', i.revoked_at
)
FROM invitation i
JOIN organization o ON o.uuid = i.org_uuid`

const exportMade = exportedInvitation + `
WHERE i.invited_by = $1 AND ($2 = '' OR i.uuid > nullif($2, '')::uuid)
ORDER BY i.uuid
LIMIT $3`

const exportReceived = exportedInvitation + `
JOIN app_user u ON u.id = $1
WHERE (i.accepted_by = u.id OR lower(i.email) = lower(u.email) AND u.email_verified)
    AND ($2 = '' OR i.uuid > nullif($2, '')::uuid)
ORDER BY i.uuid
LIMIT $3`

// Exports are the memberships of a user, and the invitations that they made and received.
var Exports = []dataexport.List{
	{Name: "memberships", Query: exportMemberships},
	{Name: "invitations_made", Query: exportMade},
	{Name: "invitations_received", Query: exportReceived},
}
