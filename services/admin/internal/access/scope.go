package access

import (
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/permission"
)

// Allowed is SQL that begins a query with the table allowed: the organizations in which a principal
// has the permissions $4. They are those of a user ($1), every one for a platform administrator
// ($2), and the one of an organization's API key ($3). Its arguments are those of Scope.
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

// Scope returns the arguments of Allowed, and false when the API key itself lacks need, so that no
// organization is allowed.
func Scope(who auth.Principal, need permission.Set) ([]any, bool) {
	if who.APIKey != "" && !who.KeyLimit.Has(need) {
		return nil, false
	}
	return []any{who.UserID, who.PlatformAdmin, who.KeyOrg, int64(need)}, true
}
