// Command fence checks which packages depend on which, directly or through others. The import rules
// of the linter see direct imports only.
package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// clients are the client libraries of the engines.
var clients = []string{
	"github.com/jackc/pgx/v5",
	"github.com/nats-io/nats.go",
	"github.com/meilisearch/meilisearch-go",
}

// rule forbids packages to depend on others. Each import path includes the packages below it.
type rule struct {
	from  []string
	never []string
	why   string
}

var rules = append([]rule{
	{
		from:  []string{"litfass/pkg", "litfass/migrations"},
		never: []string{"litfass/services", "litfass/deploy"},
		why:   "shared packages do not depend on services",
	},
	{
		from:  []string{"litfass/services/admin"},
		never: []string{"litfass/services/query", "litfass/services/projector", "litfass/pkg/chassis/index", "github.com/meilisearch/meilisearch-go"},
		why:   "the write side depends neither on the read side nor on its index",
	},
	{
		from:  []string{"litfass/services/projector"},
		never: []string{"litfass/services/admin", "litfass/services/query", "litfass/migrations", "github.com/jackc/pgx/v5"},
		why:   "the projector uses the stream and the index, never PostgreSQL",
	},
	{
		from:  []string{"litfass/services/query"},
		never: []string{"litfass/services/admin", "litfass/services/projector", "litfass/migrations", "github.com/jackc/pgx/v5"},
		why:   "the query service answers from the index alone",
	},
	{
		from: []string{"litfass/services/site", "litfass/pkg/ui"},
		never: append([]string{
			"litfass/services/admin", "litfass/services/projector", "litfass/services/query", "litfass/migrations",
			"litfass/pkg/chassis/stream", "litfass/pkg/chassis/index", "litfass/pkg/contracts/document", "litfass/pkg/contracts/change",
		}, clients...),
		why: "pages are made from the public API alone",
	},
	{
		from: []string{"litfass/services/console"},
		never: append([]string{
			"litfass/services/admin", "litfass/services/projector", "litfass/services/query", "litfass/services/site",
			"litfass/migrations", "litfass/pkg/chassis/stream", "litfass/pkg/chassis/index", "litfass/pkg/contracts/document", "litfass/pkg/contracts/change",
		}, clients...),
		why: "the organizers' pages are made from the two APIs alone",
	},
	{
		from: []string{
			"litfass/pkg/contracts/change", "litfass/pkg/contracts/document", "litfass/pkg/chassis/fault", "litfass/pkg/contracts/language", "litfass/pkg/contracts/value",
			"litfass/pkg/contracts/project", "litfass/pkg/contracts/publicapi", "litfass/pkg/contracts/report",
			"litfass/services/admin/internal/catalogue/rules",
			"litfass/services/query/internal/filter",
		},
		never: append([]string{"github.com/gofiber/fiber/v2", "litfass/pkg/chassis/stream", "litfass/pkg/chassis/index", "litfass/pkg/chassis/web", "litfass/services/query/internal/cache"}, clients...),
		why:   "rules are pure: they use neither engines nor HTTP",
	},
}, wingRules("litfass/services/admin/internal", "app", "api", "catalogue", "people", "publish", "platform")...)

// wingRules returns the rules of a service whose packages stand in folders: each imports only the
// folders after it. They do not apply to test files.
func wingRules(parent string, wings ...string) (rules []rule) {
	for i := 1; i < len(wings); i++ {
		r := rule{from: []string{parent + "/" + wings[i]}, why: "imports run " + strings.Join(wings, " → ")}
		for _, earlier := range wings[:i] {
			r.never = append(r.never, parent+"/"+earlier)
		}
		rules = append(rules, r)
	}
	return rules
}

// Check returns every breach of the rules by the packages of the patterns, one on each line. A rule
// about a package that does not exist is a breach as well.
func Check(ctx context.Context, root string, patterns []string) ([]string, error) {
	reach, err := list(ctx, root, append([]string{"-f", "{{.ImportPath}} {{join .Deps \" \"}}"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var breaches []string
	for _, r := range rules {
		breaches = append(breaches, r.breaches(reach)...)
	}
	return breaches, nil
}

func (r rule) breaches(reach map[string][]string) []string {
	var found []string
	for _, subject := range r.from {
		exists := false
		for path, reached := range reach {
			if !below(path, subject) {
				continue
			}
			exists = true
			for _, other := range r.never {
				if slices.ContainsFunc(reached, func(dependency string) bool { return below(dependency, other) }) {
					found = append(found, fmt.Sprintf("%s reaches %s: %s", path, other, r.why))
				}
			}
		}
		if !exists {
			found = append(found, fmt.Sprintf("no package %s: the fence's rules need it", subject))
		}
	}
	slices.Sort(found)
	return found
}

// UnitPackages returns the packages that can be tested without engines: neither they nor their
// tests depend on an engine's client.
func UnitPackages(ctx context.Context, root string, patterns []string) ([]string, error) {
	reach, err := list(ctx, root, append([]string{"-test", "-f", "{{.ImportPath}} {{join .Deps \" \"}}"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var units []string
	for path, reached := range reach {
		name, isTest := strings.CutSuffix(path, ".test")
		if isTest && !slices.ContainsFunc(reached, isClient) {
			units = append(units, name)
		}
	}
	slices.Sort(units)
	return units, nil
}

func isClient(path string) bool {
	return slices.ContainsFunc(clients, func(client string) bool { return below(path, client) })
}

// below reports whether a package is the given one or below it.
func below(path, parent string) bool {
	return path == parent || strings.HasPrefix(path, parent+"/")
}

// list runs go list and returns the dependencies by package.
func list(ctx context.Context, root string, args ...string) (map[string][]string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	reach := map[string][]string{}
	for line := range strings.Lines(string(output)) {
		if words := strings.Fields(line); len(words) > 0 {
			reach[words[0]] = words[1:]
		}
	}
	return reach, nil
}
