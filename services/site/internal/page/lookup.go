package page

import (
	"context"
	"fmt"
	"net/url"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// needs are the lists of names that a page shows something of.
type needs struct {
	accessibility, visitorInfo                                        bool
	languages, licenses, legalForms, linkTypes, occasions, spaceTypes bool
}

// lookUp reads the lists that are needed into names, at once, in the language with this code.
func lookUp(
	ctx context.Context, reads *errgroup.Group, api *client.Reads, lang string, names *view.Names, wanted needs,
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
	flags(wanted.accessibility, "/api/accessibility/flags", &names.Accessibility)
	flags(wanted.visitorInfo, "/api/visitor-info/flags", &names.VisitorInfo)
	items(wanted.languages, "languages", &names.Languages)
	items(wanted.licenses, "licenses", &names.Licenses)
	items(wanted.legalForms, "legal-forms", &names.LegalForms)
	items(wanted.linkTypes, "link-types", &names.LinkTypes)
	items(wanted.occasions, "event-occasions", &names.Occasions)
	items(wanted.spaceTypes, "space-types", &names.SpaceTypes)
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
