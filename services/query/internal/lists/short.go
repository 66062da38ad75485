package lists

import (
	"context"
	"slices"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// wholeAtOnce is the number of whole lists that are read at once where an index of an earlier
// release has no short ones.
const wholeAtOnce = 10

// ShortLists returns the lists of editors with these uuids as a page shows them, in that order,
// without those that are gone.
func (r *Reader) ShortLists(ctx context.Context, uuids []string) ([]publicapi.ShortList, error) {
	short := make(map[string]publicapi.ShortList, len(uuids))
	whole, err := r.shortLists(ctx, uuids, short, "id", "short")
	for ids := range slices.Chunk(whole, wholeAtOnce) {
		if err == nil {
			_, err = r.shortLists(ctx, ids, short, "id", "view", "entries")
		}
	}
	if err != nil {
		return nil, err
	}
	shown := make([]publicapi.ShortList, 0, len(uuids))
	for _, uuid := range uuids {
		if one, found := short[uuid]; found {
			shown = append(shown, one)
		}
	}
	return shown, nil
}

// shortLists reads some lists into a map by uuid, and returns the ids of those that lack what it
// takes.
func (r *Reader) shortLists(ctx context.Context, ids []string, into map[string]publicapi.ShortList, attributes ...string) (others []string, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	compiled, _ := filter.Compile(filter.Named(filter.Existing(), ids))
	found, err := engine.Documents[document.List](ctx, r.engine, document.Lists, compiled, attributes)
	for _, d := range found {
		switch {
		case d.Short != nil:
			into[d.ID] = d.Short.Value
		case d.View != nil:
			into[d.ID] = d.View.Value.Short(len(d.Entries.Value))
		default:
			others = append(others, d.ID)
		}
	}
	return others, err
}
