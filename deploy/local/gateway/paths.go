package gateway

import (
	"slices"
	"strings"
)

// AdminPaths are the paths of the admin service, each with everything below it: the admin
// operations, the account operations, the avatars, which are stored there, and previews of drafts.
// The rest of /api belongs to the query service. This is the only list: the tests of deploy/check
// compare compose/Caddyfile, kubernetes/ingress.yaml and both services' OpenAPI documents with it.
var AdminPaths = []string{
	"/api/admin",
	"/api/login", "/api/signup", "/api/activate", "/api/forgot-password", "/api/reset-password",
	"/api/user", "/api/preview",
}

// IsAdmin reports whether a request for this path goes to the admin service.
func IsAdmin(path string) bool {
	return slices.ContainsFunc(AdminPaths, func(own string) bool {
		return path == own || strings.HasPrefix(path, own+"/")
	})
}
