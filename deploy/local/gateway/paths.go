package gateway

import (
	"slices"
	"strings"
)

// AdminPaths are the paths of the admin service, each with everything below it: the admin
// operations, the account operations, the avatars, which are stored there, previews of drafts, and
// the types of webhooks. This, QueryPaths and ConsolePaths are the only lists: the tests of
// deploy/check compare compose/Caddyfile, kubernetes/ingress.yaml and both APIs' OpenAPI documents
// with them.
var AdminPaths = []string{
	"/api/admin",
	"/api/login", "/api/signup", "/api/activate", "/api/invitation", "/api/forgot-password", "/api/reset-password",
	"/api/user", "/api/preview", "/api/webhooks",
}

// QueryPaths are the paths of the query service, each with everything below it that is not admin's:
// the rest of /api, the paths by which other programs discover pages, and that of language models.
var QueryPaths = []string{"/api", "/sitemap.xml", "/sitemap", "/robots.txt", "/llms.txt", "/oembed", "/mcp"}

// ConsolePaths are the paths of the console, each with everything below it. All other paths are the
// site's.
var ConsolePaths = []string{"/console"}

// IsAdmin reports whether a request for this path goes to the admin service.
func IsAdmin(path string) bool { return isBelow(path, AdminPaths) }

// IsQuery reports whether a request for this path, which is not admin's, goes to the query service.
func IsQuery(path string) bool { return isBelow(path, QueryPaths) }

// IsConsole reports whether a request for this path goes to the console.
func IsConsole(path string) bool { return isBelow(path, ConsolePaths) }

func isBelow(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(own string) bool {
		return path == own || strings.HasPrefix(path, own+"/")
	})
}
