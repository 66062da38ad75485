package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/meilisearch/meilisearch-go"
)

// Counting asks for the number of matching documents of an index.
type Counting struct {
	Filter string   // as package filter compiles it; "" for every document
	Words  string   // as of a Question
	By     []string // attributes whose values are counted as well
	// Distinct is an attribute of which each value is counted once, however many documents have it.
	// The other attributes then take the values of any one of these documents.
	Distinct string
}

// Counts are the number of matching documents, and the numbers with each value of an attribute.
type Counts struct {
	Total  int
	Values map[string]map[string]int // by attribute, then value; nil without attributes
}

// Count counts exactly, all questions in one request.
func (e *Engine) Count(ctx context.Context, name string, questions ...Counting) ([]Counts, error) {
	if len(questions) == 1 {
		answer, err := e.search(ctx, name, questions[0].request())
		if err != nil {
			return nil, err
		}
		results := make([]meilisearch.SearchResponse, 1)
		if err := json.Unmarshal(answer, &results[0]); err != nil {
			return nil, fmt.Errorf("decode the engine's counts: %w", err)
		}
		return countsIn(results)
	}
	requests := make([]*meilisearch.SearchRequest, len(questions))
	for i, q := range questions {
		requests[i] = q.request()
	}
	results, err := e.searchAll(ctx, name, requests)
	if err != nil {
		return nil, err
	}
	return countsIn(results)
}

func (q Counting) request() *meilisearch.SearchRequest {
	var noHits int64 // asking for pages, even of no hits, makes the engine count exactly
	return &meilisearch.SearchRequest{
		Query: q.Words, MatchingStrategy: meilisearch.All, Facets: q.By, Distinct: q.Distinct, HitsPerPage: &noHits,
		Filter: optional(q.Filter),
	}
}

func countsIn(results []meilisearch.SearchResponse) ([]Counts, error) {
	counts := make([]Counts, len(results))
	for i, result := range results {
		counts[i].Total = int(result.TotalHits)
		if len(result.FacetDistribution) == 0 {
			continue
		}
		if err := json.Unmarshal(result.FacetDistribution, &counts[i].Values); err != nil {
			return nil, fmt.Errorf("decode the engine's counts: %w", err)
		}
	}
	return counts, nil
}

// SearchAll returns the documents that each of several questions finds, by attribute, as JSON. It
// sends one request. Scores are not included.
func (e *Engine) SearchAll(ctx context.Context, name string, questions ...Question) ([][]Hit, error) {
	requests := make([]*meilisearch.SearchRequest, len(questions))
	for i, q := range questions {
		requests[i] = q.request()
	}
	results, err := e.searchAll(ctx, name, requests)
	if err != nil {
		return nil, err
	}
	found := make([][]Hit, len(results))
	for i, result := range results {
		for _, hit := range result.Hits {
			found[i] = append(found[i], Hit(hit))
		}
	}
	return found, nil
}

// Hit is a document by attribute.
type Hit map[string]json.RawMessage

// searchAll sends several searches of one index in one request.
func (e *Engine) searchAll(
	ctx context.Context, name string, requests []*meilisearch.SearchRequest,
) ([]meilisearch.SearchResponse, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	ctx, done, err := e.turn(ctx, e.lanes.searches)
	if err != nil {
		return nil, err
	}
	defer done()
	for _, request := range requests {
		request.IndexUID = e.client.Name(name)
	}
	answer, err := e.client.Engine().MultiSearchWithContext(ctx, &meilisearch.MultiSearchRequest{Queries: requests})
	if err != nil {
		return nil, describe("search "+name, err)
	}
	if len(answer.Results) != len(requests) {
		return nil, fmt.Errorf("search %s: %w", name, ErrAnswer)
	}
	return answer.Results, nil
}
