package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/meilisearch/meilisearch-go"
)

// Counting asks how many documents of an index match.
type Counting struct {
	Filter string   // as package filter compiles it; "" for every document
	Words  string   // as of a Question
	By     []string // attributes whose values are counted, too
	// Distinct is an attribute of whose values each is counted once, whichever documents have it.
	// The values of other attributes are those of any one of these documents then.
	Distinct string
}

// Counts are how many documents match in all, and how many have each value of an attribute.
type Counts struct {
	Total  int
	Values map[string]map[string]int // by attribute, then value; nil without attributes
}

// Count counts exactly, all questions in one request.
func (e *Engine) Count(ctx context.Context, name string, questions ...Counting) ([]Counts, error) {
	if len(questions) == 1 {
		return e.countOne(ctx, name, questions[0])
	}
	request := &meilisearch.MultiSearchRequest{Queries: make([]*meilisearch.SearchRequest, len(questions))}
	for i, q := range questions {
		request.Queries[i] = q.request()
		request.Queries[i].IndexUID = e.client.Name(name)
		if q.Filter != "" {
			request.Queries[i].Filter = q.Filter
		}
	}
	answer, err := e.searchAll(ctx, name, request)
	if err != nil {
		return nil, err
	}
	return countsIn(answer)
}

func (e *Engine) countOne(ctx context.Context, name string, q Counting) ([]Counts, error) {
	answer, err := e.search(ctx, name, q.Filter, q.request())
	if err != nil {
		return nil, err
	}
	results := make([]meilisearch.SearchResponse, 1)
	if err := json.Unmarshal(answer, &results[0]); err != nil {
		return nil, fmt.Errorf("decode the engine's counts: %w", err)
	}
	return countsIn(results)
}

// request returns the question as the engine's client asks it, without its filter.
func (q Counting) request() *meilisearch.SearchRequest {
	var noHits int64 // asking for pages, even of no hits, makes the engine count exactly
	return &meilisearch.SearchRequest{
		Query: q.Words, MatchingStrategy: meilisearch.All, Facets: q.By, Distinct: q.Distinct, HitsPerPage: &noHits,
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

// SearchAll returns the documents that each of several questions finds, all asked in one request:
// by attribute, as JSON. Scores are not among them.
func (e *Engine) SearchAll(ctx context.Context, name string, questions ...Question) ([][]Hit, error) {
	request := &meilisearch.MultiSearchRequest{Queries: make([]*meilisearch.SearchRequest, len(questions))}
	for i, q := range questions {
		request.Queries[i] = q.request()
		request.Queries[i].IndexUID = e.client.Name(name)
		if q.Filter != "" {
			request.Queries[i].Filter = q.Filter
		}
	}
	results, err := e.searchAll(ctx, name, request)
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

// searchAll asks all searches of a request, of one index, in one turn.
func (e *Engine) searchAll(
	ctx context.Context, name string, request *meilisearch.MultiSearchRequest,
) ([]meilisearch.SearchResponse, error) {
	if len(request.Queries) == 0 {
		return nil, nil
	}
	ctx, done, err := e.turn(ctx, e.lanes.searches)
	if err != nil {
		return nil, err
	}
	defer done()
	answer, err := e.client.Engine().MultiSearchWithContext(ctx, request)
	if err != nil {
		return nil, describe("search "+name, err)
	}
	if len(answer.Results) != len(request.Queries) {
		return nil, fmt.Errorf("search %s: %w", name, ErrAnswer)
	}
	return answer.Results, nil
}
