// Package engine is the search engine of a read node as the query service sees it: the only package
// that knows Meilisearch.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meilisearch/meilisearch-go"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
)

// notReady is how long clients wait before they retry while the indexes do not exist yet.
const notReady = 5 * time.Second

// Engine is a read node's engine. It is safe for concurrent use. Its errors are Unavailable faults
// when the engine is down, too slow, still empty, refuses our key or is overloaded; any other is a
// bug of ours.
type Engine struct {
	client  *index.Client
	timeout time.Duration
	metrics prometheus.Collector // durations of questions; nil unless made by Connect
	lanes   *lanes
	checks  *singleflight.Group
}

// New returns the engine of a client. Each question to it is limited by the timeout, without its
// wait for a turn. At most defaultConcurrency searches run at once; see Limited.
func New(client *index.Client, timeout time.Duration) *Engine {
	return &Engine{
		client: client, timeout: timeout, lanes: newLanes(defaultConcurrency), checks: &singleflight.Group{},
	}
}

// Within returns the same engine with another timeout, for questions with long answers.
func (e *Engine) Within(timeout time.Duration) *Engine {
	other := *e
	other.timeout = timeout
	return &other
}

// Question asks for a page of documents of an index of package document.
type Question struct {
	Filter     string   // as package filter compiles it; "" for every document
	Words      string   // each must be found; free of the engine's operators, see package params
	In         []string // the attributes that words are looked for in; none: all that are searched
	Distinct   string   // an attribute of which each value is found once; "" for every document
	Sort       []string // "attribute:asc"; none: the order of the index's ranking rules
	Attributes []string // of the documents in the answer
	Offset     int
	Limit      int
	Scores     bool     // each document with its relevance, from 0 to 1, as "_rankingScore"
	Facets     []string // attributes whose values are counted; see Values
}

// Search returns the engine's unparsed answer to a question; see Hits. The error is ErrUnsearchable
// when no document has one of the attributes in which words are searched.
func (e *Engine) Search(ctx context.Context, name string, q Question) ([]byte, error) {
	return e.search(ctx, name, q.request())
}

func (q Question) request() *meilisearch.SearchRequest {
	return &meilisearch.SearchRequest{
		Query: q.Words, MatchingStrategy: meilisearch.All, Sort: q.Sort, AttributesToRetrieve: q.Attributes,
		Offset: int64(q.Offset), Limit: int64(q.Limit), ShowRankingScore: q.Scores,
		AttributesToSearchOn: q.In, Distinct: q.Distinct, Facets: q.Facets, Filter: optional(q.Filter),
	}
}

// optional returns a filter as the engine's client omits it if it is empty.
func optional(filter string) any {
	if filter == "" {
		return nil
	}
	return filter
}

func (e *Engine) search(ctx context.Context, name string, request *meilisearch.SearchRequest) ([]byte, error) {
	ctx, done, err := e.turn(ctx, e.lanes.searches)
	if err != nil {
		return nil, err
	}
	defer done()
	answer, err := e.client.Index(name).SearchRawWithContext(ctx, request.Query, request)
	if err != nil {
		return nil, describe("search "+name, err)
	}
	return *answer, nil
}

// Check returns nil when the engine answers searches from indexes that have been complete, even
// when it is fully loaded. Concurrent checks share one search.
func (e *Engine) Check(ctx context.Context) error {
	check := Upkeep(func(ctx context.Context) (bool, error) { return true, e.check(ctx) })
	answer := e.checks.DoChan("", func() (any, error) { return check(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-answer:
		return result.Err
	}
}

func (e *Engine) check(ctx context.Context) error {
	if _, err := e.Search(ctx, document.Dates, Question{Limit: 1, Attributes: []string{"date_uuid"}}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	state, found, err := e.client.State(ctx)
	switch {
	case err != nil:
		return describe("check", err)
	case !found || state.Filling:
		return fault.New(fault.Unavailable, "index_filling", "the search index is being filled")
	default:
		return nil
	}
}

// ErrOutdated means that an index of another version cannot answer the question. The projector is
// rebuilding the index, or will.
var ErrOutdated = errors.New("the index was built by another version")

// ErrNoIndex means that an index does not exist: the indexes are not filled yet, or an earlier
// release without the index has built them. The projector replaces the indexes.
var ErrNoIndex = errors.New("there is no such index")

// ErrUnsearchable means that no document of an index has an attribute in which words are searched.
var ErrUnsearchable = errors.New("no document has words there")

// describe turns an error of the engine's client into one that a client of ours may see.
func describe(doing string, err error) error {
	err = index.Fault(err)
	switch {
	case index.Unsearchable(err):
		err = unready(fmt.Errorf("%w: %w", ErrUnsearchable, err), "index_unavailable", "the search index is not ready yet")
	case fault.Is(err, fault.Unavailable):
	case index.Outdated(err):
		err = unready(fmt.Errorf("%w: %w", ErrOutdated, err),
			"index_outdated", "the search index is being rebuilt, and until then it cannot answer this request; try again in a moment")
	case index.NoIndex(err):
		err = unready(fmt.Errorf("%w: %w", ErrNoIndex, err), "index_unavailable", "the search index is not ready yet")
	case fault.Is(err, fault.NotFound), fault.Is(err, fault.Internal): // or our key is not known yet
		err = unready(err, "index_unavailable", "the search index is not ready yet")
	case fault.Is(err, fault.Invalid): // never the client's fault: we make the questions
		err = fault.Wrap(err, fault.Internal, "", "something went wrong on our side")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func unready(err error, code, text string) error {
	f := fault.Wrap(err, fault.Unavailable, code, "%s", text)
	f.RetryAfter = notReady
	return f
}
