// Package litfass is a client of the public operations of Litfass: it searches for dates, reads
// events, venues and organizations, follows the change feed, keeps copies of parts of the
// catalogue, and verifies the notifications of webhooks. It needs the standard library only.
package litfass

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// PageSize is the number of entries that iterators ask for at once, the most that the service
	// takes.
	PageSize = 200
	// longestAddress is the length of a query string from which on a search is sent as a body.
	longestAddress = 4000
)

// Client reads from one service. It is safe for concurrent use while its fields do not change.
type Client struct {
	Base   string       // such as https://events.example.org, without /api
	APIKey string       // raises the limits of requests; may be empty
	HTTP   *http.Client // sends the requests; nil: http.DefaultClient

	// Timeout is how long one attempt may take. Streams have no such limit.
	Timeout time.Duration
	// Retries is how often a request is sent again after a failure that may pass, such as a limit of
	// requests or a connection that breaks.
	Retries int
	// LongestWait is the longest time that the service may ask to wait before that. An answer that
	// asks for more is an error at once.
	LongestWait time.Duration

	position string
}

// New returns a client with the usual patience: 30 seconds for an attempt, 3 retries, and at most a
// minute before each.
func New(base string) *Client {
	return &Client{Base: base, Timeout: 30 * time.Second, Retries: 3, LongestWait: time.Minute}
}

// At returns a client whose answers are complete up to a position, as the header Litfass-Position
// of a write or the field Position of an answer has it: they show that write and all before it.
func (c *Client) At(position string) *Client {
	at := *c
	at.position = position
	return &at
}

// Search returns a page of the dates that a search finds.
func (c *Client) Search(ctx context.Context, q Search) (*EventsFound, error) {
	return read[EventsFound](ctx, c, request{path: "/api/events", query: values(q), body: q})
}

// Dates returns all dates that a search finds, page by page, in the order of the search. Without
// words, and unless they are sorted by their change, each date comes once even while others are
// added. After an error, which is the last element, nothing follows.
func (c *Client) Dates(ctx context.Context, q Search) iter.Seq2[Date, error] {
	return func(yield func(Date, error) bool) {
		if q.Limit == 0 {
			q.Limit = PageSize
		}
		for {
			page, err := c.Search(ctx, q)
			if err != nil {
				yield(Date{}, err)
				return
			}
			for _, date := range page.Events {
				if !yield(date, nil) {
					return
				}
			}
			if len(page.Events) < q.Limit {
				return
			}
			q.Offset, q.LastEventStartAt, q.LastEventDateUUID = 0, page.LastEventStartAt, page.LastEventDateUUID
		}
	}
}

// Facets counts what a search finds by the values of some dimensions.
func (c *Client) Facets(ctx context.Context, q FacetsQuery) (*Facets, error) {
	return read[Facets](ctx, c, request{path: "/api/events/facets", query: values(q), body: q})
}

// Event returns an event with all its dates. Names are in the language, such as "de"; "": English.
func (c *Client) Event(ctx context.Context, uuid, lang string) (*Event, error) {
	return read[Event](ctx, c, request{path: "/api/event/" + url.PathEscape(uuid), query: inLanguage(lang)})
}

// Venue returns a venue with its spaces.
func (c *Client) Venue(ctx context.Context, uuid string) (*Venue, error) {
	return read[Venue](ctx, c, request{path: "/api/venue/" + url.PathEscape(uuid)})
}

// Venues returns a page of the venues that a search finds.
func (c *Client) Venues(ctx context.Context, q VenueSearch) (*VenuesFound, error) {
	return read[VenuesFound](ctx, c, request{path: "/api/venues", query: values(q)})
}

// Contributor returns a contributor. That of one that was merged into another has another uuid.
func (c *Client) Contributor(ctx context.Context, uuid string) (*Contributor, error) {
	return read[Contributor](ctx, c, request{path: "/api/contributor/" + url.PathEscape(uuid)})
}

// Contributors returns a page of the contributors with a text in their names.
func (c *Client) Contributors(ctx context.Context, q ContributorSearch) (*ContributorsFound, error) {
	return read[ContributorsFound](ctx, c, request{path: "/api/contributors", query: values(q)})
}

// Series returns a series, such as a festival, by its slug, its uuid or the uuid of a part of it.
func (c *Client) Series(ctx context.Context, slug string) (*Series, error) {
	return c.SeriesIn(ctx, slug, "")
}

// SeriesIn is Series with the texts in a language, such as "de", as far as they are translated; ""
// is that of the original.
func (c *Client) SeriesIn(ctx context.Context, slug, lang string) (*Series, error) {
	return read[Series](ctx, c, request{path: "/api/series/" + url.PathEscape(slug), query: inLanguage(lang)})
}

// AllSeries returns a page of the series by title.
func (c *Client) AllSeries(ctx context.Context, q SeriesQuery) (*SeriesFound, error) {
	return read[SeriesFound](ctx, c, request{path: "/api/series", query: values(q)})
}

// Organization returns an organization.
func (c *Client) Organization(ctx context.Context, uuid string) (*Organization, error) {
	return read[Organization](ctx, c, request{path: "/api/organization/" + url.PathEscape(uuid)})
}

// Organizations returns a page of the organizations with a text in their names.
func (c *Client) Organizations(ctx context.Context, q OrganizationSearch) (*OrganizationsFound, error) {
	return read[OrganizationsFound](ctx, c, request{path: "/api/organizations", query: values(q)})
}

// Suggestions complete a typed text, the best first.
type Suggestions struct {
	Complete
	Suggestions []Suggestion `json:"suggestions"`
}

// Suggestion is a thing whose name has the typed words.
type Suggestion struct {
	Kind   string            `json:"kind"` // event, venue, organization, city, tag or contributor
	Text   string            `json:"text"`
	Detail string            `json:"detail"`
	UUID   string            `json:"uuid"`
	Filter map[string]string `json:"filter"` // parameters of the search that it stands for
	Count  int               `json:"count"`  // of the events that this search finds
}

// Suggest completes a typed text. limit 0 asks for the usual number of suggestions.
func (c *Client) Suggest(ctx context.Context, typed string, limit int) (*Suggestions, error) {
	query := url.Values{"q": {typed}}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return read[Suggestions](ctx, c, request{path: "/api/suggest", query: query})
}

func inLanguage(lang string) url.Values {
	if lang == "" {
		return nil
	}
	return url.Values{"lang": {lang}}
}
