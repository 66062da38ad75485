package filter

import (
	"context"
	"net/url"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
)

// Respelled returns a request whose words find nothing by query with the API's spelling of them;
// nil for none, and for an address that asks for its words exactly.
func Respelled(ctx context.Context, api *client.Reads, r *page.Request, query url.Values) (*page.Request, error) {
	if !r.Has("search") || r.Has(page.Exact) {
		return nil, nil
	}
	query = page.Clone(query, page.Cursor...)
	query.Set("group", "event")
	query.Set("limit", "1")
	var answer publicapi.Events
	if err := api.Data(ctx, "/api/events", query, &answer); err != nil || answer.Hints == nil || answer.Hints.Search == "" {
		return nil, err
	}
	return r.WithValue("search", string(answer.Hints.Search)), nil
}

// Correct says that a page is that of other words than the visitor's, and leads back to these. r
// is the request with the other words.
func (b *Bar) Correct(r *page.Request, words string) {
	if words == r.Value("search") {
		return
	}
	exactly := r.Filter(append(page.Cursor, "search")...)
	exactly.Set("search", words)
	exactly.Set(page.Exact, "true")
	b.Exact = Choice{Name: words, Value: r.Value("search"), Link: r.Link(r.Path, exactly)}
	b.Form.Search = words
}
