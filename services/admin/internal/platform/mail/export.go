package mail

import "litfass/services/admin/internal/platform/dataexport"

const exportMails = `
SELECT o.id::text, jsonb_build_object(
    'id', o.id, 'recipient', o.recipient, 'template', o.template, 'locale', o.locale,
    'created_at', o.created_at, 'sent_at', o.sent_at
)
FROM mail_outbox o
JOIN app_user u ON lower(u.email) = lower(o.recipient) AND u.email_verified
WHERE u.id = $1 AND o.id > coalesce(nullif($2, ''), '0')::bigint
ORDER BY o.id
LIMIT $3`

// Exports are the mails to a user that are queued, or were sent not long ago.
var Exports = []dataexport.List{{Name: "mails", Query: exportMails}}
