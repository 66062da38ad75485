package inbox

import "litfass/services/admin/internal/platform/dataexport"

const exportReceived = `
SELECT m.id::text, jsonb_build_object(
    'id', m.id, 'from_user_id', m.from_user_id, 'org_uuid', m.org_uuid, 'reply_to', m.reply_to,
    'created_at', m.created_at, 'read_at', r.read_at, 'subject', m.subject, 'message', m.body,
    'link', m.link
)
FROM message_recipient r
JOIN message m ON m.id = r.message_id
WHERE r.user_id = $1 AND r.message_id > coalesce(nullif($2, ''), '0')::integer
ORDER BY r.message_id
LIMIT $3`

const exportSent = `
SELECT m.id::text, jsonb_build_object(
    'id', m.id, 'org_uuid', m.org_uuid, 'reply_to', m.reply_to, 'created_at', m.created_at,
    'subject', m.subject, 'message', m.body, 'link', m.link
)
FROM message m
WHERE m.from_user_id = $1 AND m.kept_by_sender AND m.id > coalesce(nullif($2, ''), '0')::integer
ORDER BY m.id
LIMIT $3`

const exportTodos = `
SELECT id::text, jsonb_build_object(
    'id', id, 'title', title, 'description', description, 'due_date', due_date, 'completed', completed,
    'created_at', created_at, 'updated_at', updated_at
)
FROM todo
WHERE user_id = $1 AND id > coalesce(nullif($2, ''), '0')::integer
ORDER BY todo.id
LIMIT $3`

// Exports are the messages that a user received or sent and has not deleted, and their todos.
var Exports = []dataexport.List{
	{Name: "messages_received", Query: exportReceived},
	{Name: "messages_sent", Query: exportSent},
	{Name: "todos", Query: exportTodos},
}
