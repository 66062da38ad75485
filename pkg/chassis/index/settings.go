package index

import (
	"context"
	"fmt"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/contracts/document"
)

// Ensure prepares the engine for this read node: it enables the filter CONTAINS, creates missing
// indexes, gives each the settings of package document, and waits until all of that has succeeded.
//
// Unchanged settings cost the engine nothing; changed ones make it index all documents again.
// Therefore a read node whose settings have changed is rebuilt next to the old indexes instead (see
// Aside and Swap).
func (c *Client) Ensure(ctx context.Context) error {
	if err := c.allowContains(ctx); err != nil {
		return err
	}
	if err := c.create(ctx); err != nil {
		return err
	}
	var tasks []int64
	for _, settings := range everyIndex() {
		started, err := c.configure(ctx, settings)
		if err != nil {
			return fmt.Errorf("settings of %s: %w", c.Name(settings.Name), Fault(err))
		}
		tasks = append(tasks, started...)
	}
	if err := c.Wait(ctx, tasks...); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// allowContains enables the filter CONTAINS, which is experimental in Meilisearch 1.21.
func (c *Client) allowContains(ctx context.Context) error {
	features := c.engine.ExperimentalFeatures()
	current, err := features.GetWithContext(ctx)
	if err == nil && !current.ContainsFilter {
		_, err = features.SetContainsFilter(true).UpdateWithContext(ctx)
	}
	if err != nil {
		return fmt.Errorf("allow CONTAINS: %w", Fault(err))
	}
	return nil
}

// Whole reports whether every index exists.
func (c *Client) Whole(ctx context.Context) (bool, error) {
	missing, err := c.missing(ctx)
	return len(missing) == 0, err
}

// missing returns the indexes that do not exist.
func (c *Client) missing(ctx context.Context) (missing []document.Index, err error) {
	for _, settings := range everyIndex() {
		found, err := c.exists(ctx, settings.Name)
		if err != nil {
			return nil, err
		}
		if !found {
			missing = append(missing, settings)
		}
	}
	return missing, nil
}

// create creates every missing index.
func (c *Client) create(ctx context.Context) error {
	missing, err := c.missing(ctx)
	if err != nil {
		return err
	}
	var tasks []int64
	for _, settings := range missing {
		task, err := c.engine.CreateIndexWithContext(ctx, &meilisearch.IndexConfig{
			Uid: c.Name(settings.Name), PrimaryKey: settings.PrimaryKey,
		})
		if err != nil {
			return fmt.Errorf("create %s: %w", c.Name(settings.Name), Fault(err))
		}
		tasks = append(tasks, task.TaskUID)
	}
	for _, task := range tasks {
		if err := c.Wait(ctx, task); err != nil && !hasCode(err, codeIndexExists) {
			return fmt.Errorf("create indexes: %w", err)
		}
	}
	return nil
}

// configure sends the settings of an index. Three of them need separate calls, because the client's
// Settings cannot express granular filters, false, and an empty list. The engine runs the tasks of
// one index together.
func (c *Client) configure(ctx context.Context, settings document.Index) ([]int64, error) {
	index := c.Index(settings.Name)
	var tasks []int64
	collect := func(task *meilisearch.TaskInfo, err error) error {
		if err == nil {
			tasks = append(tasks, task.TaskUID)
		}
		return err
	}
	searchable, filterable := settings.Searchable, filters(settings)
	if searchable == nil {
		searchable = []string{}
	}
	if err := collect(index.UpdateSearchableAttributesWithContext(ctx, &searchable)); err != nil {
		return nil, err
	}
	if err := collect(index.UpdateFilterableAttributesWithContext(ctx, &filterable)); err != nil {
		return nil, err
	}
	if err := collect(index.UpdateFacetSearchWithContext(ctx, false)); err != nil {
		return nil, err
	}
	if err := collect(index.UpdateSettingsWithContext(ctx, common(settings))); err != nil {
		return nil, err
	}
	return tasks, nil
}

// filters returns the operators by which each attribute may be filtered. STARTS WITH and CONTAINS
// come with equality; a compared attribute may also be tested for equality. Other attributes cannot
// be filtered and take no space.
func filters(settings document.Index) []any {
	rules := []any{}
	for _, group := range []struct {
		attributes []string
		comparison bool
	}{{settings.Equal, false}, {settings.Compare, true}} {
		if len(group.attributes) == 0 {
			continue
		}
		rules = append(rules, meilisearch.AttributeRule{
			AttributePatterns: group.attributes,
			Features: meilisearch.AttributeFeatures{
				Filter: meilisearch.FilterFeatures{Equality: true, Comparison: group.comparison},
			},
		})
	}
	return rules
}

func common(settings document.Index) *meilisearch.Settings {
	prefixSearch := "indexingTime"
	return &meilisearch.Settings{
		RankingRules:       settings.Ranking,
		SortableAttributes: settings.Sortable,
		ProximityPrecision: meilisearch.ByAttribute, // word distances would cost more than the rest of indexing
		PrefixSearch:       &prefixSearch,
		Pagination:         &meilisearch.Pagination{MaxTotalHits: document.MaxTotalHits},
		Faceting: &meilisearch.Faceting{
			MaxValuesPerFacet: document.MaxValuesPerFacet,
			SortFacetValuesBy: map[string]meilisearch.SortFacetType{"*": meilisearch.SortFacetTypeAlpha},
		},
		TypoTolerance: &meilisearch.TypoTolerance{
			Enabled:             true,
			MinWordSizeForTypos: meilisearch.MinWordSizeForTypos{OneTypo: 5, TwoTypos: 9},
			DisableOnWords:      []string{},
			DisableOnAttributes: []string{},
			DisableOnNumbers:    true, // "2025" is not a typo of "2026"
		},
	}
}
