package lists

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/series"
)

// VenueNames returns the list of the names of all venues, ordered by name, then uuid, as JSON.
func (r *Reader) VenueNames(ctx context.Context) (*encoded.Text, error) { return r.venueNames.Get(ctx) }

// VenueNamesOf returns the names of the venues of an organization, ordered by name, then uuid.
func (r *Reader) VenueNamesOf(ctx context.Context, orgUUID string) ([]publicapi.Named, error) {
	return r.names(ctx, document.Venues, filter.VenuesOf(orgUUID))
}

// OrganizationNames returns the list of the names of all organizations, ordered by name, then uuid,
// as JSON.
func (r *Reader) OrganizationNames(ctx context.Context) (*encoded.Text, error) {
	return r.organizationNames.Get(ctx)
}

// allNames returns a function that reads the list of all names of an index.
func (r *Reader) allNames(index string) func(context.Context) (*encoded.Text, error) {
	return func(ctx context.Context) (*encoded.Text, error) {
		names, err := r.names(ctx, index, filter.Existing())
		if err != nil {
			return nil, err
		}
		list, err := value.JSON(names)
		if err != nil {
			return nil, fmt.Errorf("encode the names of %s: %w", index, err)
		}
		return encoded.New(list), nil
	}
}

// namesByUUID returns a function that reads all names of an index by uuid.
func (r *Reader) namesByUUID(index string) func(context.Context) (map[string]string, error) {
	return func(ctx context.Context) (map[string]string, error) {
		records, err := r.names(ctx, index, filter.Existing())
		if err != nil {
			return nil, err
		}
		names := make(map[string]string, len(records))
		for _, record := range records {
			names[record.UUID] = record.Name
		}
		return names, nil
	}
}

func (r *Reader) readSeriesTitles(ctx context.Context) (map[string]map[string]string, error) {
	rows, err := series.Rows(ctx, r.engine)
	if err != nil {
		return nil, err
	}
	titles := make(map[string]map[string]string, len(rows))
	for _, row := range rows {
		titles[row.UUID] = row.Names
	}
	return titles, nil
}

func (r *Reader) names(ctx context.Context, index string, match filter.Expr) ([]publicapi.Named, error) {
	q := engine.Question{Limit: namesAtOnce, Attributes: []string{"id", "name", "city"}}
	names, length := []publicapi.Named{}, 0
	for {
		hits, _, err := r.byName(ctx, index, match, q)
		if err == nil && slices.ContainsFunc(hits, lacksName) {
			q.Attributes = append(q.Attributes, "view.name", "view.city")
			hits, _, err = r.byName(ctx, index, match, q)
		}
		if err != nil {
			return nil, err
		}
		for _, hit := range hits {
			name, err := nameOf(hit)
			if err != nil {
				return nil, fmt.Errorf("decode a name of %s: %w", index, err)
			}
			names, length = append(names, name), length+len(hit)
		}
		if q.Offset += len(hits); len(hits) < namesAtOnce || q.Offset >= maxNames || length > maxNamesBytes {
			return names, nil
		}
	}
}

const (
	// namesAtOnce is the number of names that are read at once.
	namesAtOnce = 5_000
	// maxNames and maxNamesBytes bound the names that are read, in the order of names: those that
	// follow are found by a search.
	maxNames, maxNamesBytes = 50_000, 8 << 20
)

// lacksName reports whether a document has its name only in its view, as in document.Version 3.
func lacksName(hit []byte) bool {
	_, err := engine.Member(hit, "name")
	return err != nil
}

func nameOf(hit []byte) (publicapi.Named, error) {
	var record struct {
		publicapi.Named
		View struct{ Name, City string } // of Version 3
	}
	err := json.Unmarshal(hit, &record)
	if record.Name == "" {
		record.Name, record.City = record.View.Name, record.View.City
	}
	return record.Named, err
}
