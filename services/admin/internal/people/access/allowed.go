package access

import (
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
)

// Allowed begins a query with the common table expression allowed: the organizations in which a
// principal has certain permissions. These are a user's own, all for a platform administrator, and
// the one of an organization's API key. AllowedTo returns its arguments $1 to $4.
const Allowed = `
WITH allowed AS (
    SELECT org_uuid
    FROM membership
    WHERE user_id = $1 AND NOT $2 AND permissions & $4 = $4
    UNION ALL
    SELECT uuid
    FROM organization
    WHERE $2 OR uuid = nullif($3, '')::uuid
)`

// AllowedTo returns the arguments of Allowed, and false when an API key's own limit leaves nothing.
func AllowedTo(who auth.Principal, need permission.Set) (arguments []any, some bool) {
	if who.APIKey != "" && !who.KeyLimit.Has(need) {
		return nil, false
	}
	return []any{who.UserID, who.PlatformAdmin, who.KeyOrg, int64(need)}, true
}
