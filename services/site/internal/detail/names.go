package detail

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"

	"golang.org/x/sync/errgroup"
)

// Names are the names of an entity's codes, in the language of the page. Lists that a page does not
// need are empty.
type Names struct {
	Accessibility []publicapi.Flag
	VisitorInfo   []publicapi.Flag
	Languages     map[string]string
	Licenses      map[string]string
	LegalForms    map[string]string
	LinkTypes     map[string]string
	Roles         map[string]string
	Occasions     map[string]string
	Labels        map[string]string
	SpaceTypes    map[string]string
}

// NameOf returns the name of a code, the code itself when it has none.
func NameOf(names map[string]string, code string) string {
	if name := names[code]; name != "" {
		return name
	}
	return code
}

// Needs are the lists whose names a page shows.
type Needs struct {
	Accessibility, VisitorInfo                                                       bool
	Languages, Licenses, LegalForms, LinkTypes, Roles, Occasions, Labels, SpaceTypes bool
}

// LookUp adds to reads the lists that are needed, in the language with this code.
func LookUp(
	ctx context.Context, reads *errgroup.Group, api *client.Reads, lang string, names *Names, needs Needs,
) {
	parameters := url.Values{"lang": {lang}}
	flags := func(needed bool, path string, into *[]publicapi.Flag) {
		if needed {
			reads.Go(func() error { return api.List(ctx, path, parameters, into) })
		}
	}
	items := func(needed bool, list string, into *map[string]string) {
		if needed {
			reads.Go(func() (err error) {
				*into, err = namesIn(ctx, api, list, parameters)
				return err
			})
		}
	}
	flags(needs.Accessibility, "/api/accessibility/flags", &names.Accessibility)
	flags(needs.VisitorInfo, "/api/visitor-info/flags", &names.VisitorInfo)
	items(needs.Languages, "languages", &names.Languages)
	items(needs.Licenses, "licenses", &names.Licenses)
	items(needs.LegalForms, "legal-forms", &names.LegalForms)
	items(needs.LinkTypes, "link-types", &names.LinkTypes)
	items(needs.Roles, "contributor-roles", &names.Roles)
	items(needs.Labels, "labels", &names.Labels)
	items(needs.Occasions, "event-occasions", &names.Occasions)
	items(needs.SpaceTypes, "space-types", &names.SpaceTypes)
}

// Scope returns the values with which a page is rendered that shows these entries as cards: with
// the names of their labels, which are read only where an entry has one.
func Scope(ctx context.Context, api *client.Reads, r *page.Request, cards ...[]publicapi.Listed) (s view.Scope, err error) {
	s = r.Scope()
	for _, entries := range cards {
		if slices.ContainsFunc(entries, func(e publicapi.Listed) bool { return len(e.Labels) > 0 }) {
			s.Labels, err = namesIn(ctx, api, "labels", url.Values{"lang": {r.Text.Code}})
			return s, err
		}
	}
	return s, nil
}

// namesIn reads a choosable list as names by their ids.
func namesIn(
	ctx context.Context, api *client.Reads, list string, parameters url.Values,
) (map[string]string, error) {
	var items []publicapi.Item
	if err := api.List(ctx, "/api/choosable-"+list, parameters, &items); err != nil {
		return nil, err
	}
	names := make(map[string]string, len(items))
	for _, item := range items {
		names[fmt.Sprint(item.ID)] = item.Name
	}
	return names, nil
}

// copyright writes a notice with its sign, once.
func copyright(notice string) string {
	if strings.Contains(notice, "©") {
		return notice
	}
	return "© " + notice
}
