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

// notReady is how long a client waits before it asks again for indexes that are not there yet.
const notReady = 5 * time.Second

// Engine is a read node's engine. It is safe for concurrent use. Its errors are Unavailable faults
// when the engine is down, too slow, not filled yet or does not admit us, and when too much is
// asked of it at once; any other is our mistake.
type Engine struct {
	client  *index.Client
	timeout time.Duration
	asked   prometheus.Collector // how long questions took; nil unless made by Connect
	lanes   *lanes
	checks  *singleflight.Group
}

// New returns the engine that a client is connected to. Each question to it ends after the timeout,
// which begins when it is asked. At most defaultConcurrency are asked at once; see Limited.
func New(client *index.Client, timeout time.Duration) *Engine {
	return &Engine{
		client: client, timeout: timeout, lanes: newLanes(defaultConcurrency), checks: &singleflight.Group{},
	}
}

// Within returns the same engine with another timeout, for questions whose answers are long.
func (e *Engine) Within(timeout time.Duration) *Engine {
	other := *e
	other.timeout = timeout
	return &other
}

// Question asks an index of package document for a page of documents.
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
	Facets     []string // attributes whose values are counted, see Values
}

// Search returns the engine's answer to a question as it is; see Hits. The error is ErrUnsearchable
// when no document has one of the attributes that words are looked for in.
func (e *Engine) Search(ctx context.Context, name string, q Question) ([]byte, error) {
	return e.search(ctx, name, q.Filter, q.request())
}

// request returns the question as the engine's client asks it, without its filter.
func (q Question) request() *meilisearch.SearchRequest {
	return &meilisearch.SearchRequest{
		Query: q.Words, MatchingStrategy: meilisearch.All, Sort: q.Sort, AttributesToRetrieve: q.Attributes,
		Offset: int64(q.Offset), Limit: int64(q.Limit), ShowRankingScore: q.Scores,
		AttributesToSearchOn: q.In, Distinct: q.Distinct, Facets: q.Facets,
	}
}

func (e *Engine) search(
	ctx context.Context, name, filter string, request *meilisearch.SearchRequest,
) ([]byte, error) {
	if filter != "" {
		request.Filter = filter
	}
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

// Check returns nil when the engine answers searches from indexes that have been complete, also
// while it is asked as much as it may be. All who check at the same time share one search.
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

// ErrOutdated says that an index was built by another version and cannot be asked like this. The
// projector is rebuilding it, or will.
var ErrOutdated = errors.New("the index was built by another version")

// ErrUnsearchable says that no document of an index has an attribute in which words are looked for.
var ErrUnsearchable = errors.New("no document has words there")

// describe turns an error of the engine's client into one that a client of ours may see.
func describe(doing string, err error) error {
	err = index.Fault(err)
	switch {
	case index.Unsearchable(err):
		err = unready(fmt.Errorf("%w: %w", ErrUnsearchable, err))
	case fault.Is(err, fault.Unavailable):
	case index.Outdated(err):
		err = unready(fmt.Errorf("%w: %w", ErrOutdated, err))
	case fault.Is(err, fault.NotFound), fault.Is(err, fault.Internal): // no such index yet, or our key is not known yet
		err = unready(err)
	case fault.Is(err, fault.Invalid): // never the fault of our client: what we ask is made by us
		err = fault.Wrap(err, fault.Internal, "", "something went wrong on our side")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func unready(err error) error {
	f := fault.Wrap(err, fault.Unavailable, "index_unavailable", "the search index is not ready yet")
	f.RetryAfter = notReady
	return f
}
