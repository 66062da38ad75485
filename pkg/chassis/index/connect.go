// Package index accesses the index of a read node: the indexes of package document in Meilisearch,
// with their settings, their documents and a record of their origin.
//
// Errors contain a fault: Unavailable when the engine is down or overloaded (try again), Invalid
// when it will never accept the request (its Code is the engine's), NotFound when an index, a task
// or a key does not exist, Internal otherwise.
package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/meilisearch/meilisearch-go"
)

// Config is the address and key of the engine and the prefix of this read node's index names.
type Config struct {
	URL    string `env:"MEILI_URL"`
	Key    string `env:"MEILI_KEY"`
	Prefix string `env:"INDEX_PREFIX"` // several read nodes may share an engine
}

var prefixes = regexp.MustCompile(`^[a-zA-Z0-9_-]{0,200}$`)

// Check returns an error that names the first invalid setting.
func (c Config) Check() error {
	address, err := url.Parse(c.URL)
	switch {
	case err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https"):
		return errors.New("MEILI_URL is not an http or https address")
	case !prefixes.MatchString(c.Prefix):
		return fmt.Errorf("INDEX_PREFIX %q may hold only letters, digits, _ and -", c.Prefix)
	}
	return nil
}

const (
	connections    = 128 // idle connections kept open, so that a search does not open one
	connectTimeout = 5 * time.Second
)

// Client is a connection to the indexes of one read node. It is safe for concurrent use. Every call
// takes a context; none retries.
type Client struct {
	engine meilisearch.ServiceManager
	prefix string
}

// Connect returns a client for the engine at config.URL. It does not wait for the engine: see
// Health.
func Connect(config Config) *Client {
	return ConnectVia(config, &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout: connectTimeout,
		MaxIdleConns:        connections,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true, // the engine is near: compressing costs more than it saves
	})
}

// ConnectVia is Connect with the caller's transport.
func ConnectVia(config Config, transport http.RoundTripper) *Client {
	engine := meilisearch.New(strings.TrimRight(config.URL, "/"),
		meilisearch.WithAPIKey(config.Key),
		meilisearch.WithCustomClient(&http.Client{Transport: transport}),
		meilisearch.WithCustomJsonUnmarshaler(unmarshal),
		meilisearch.DisableRetries(),
	)
	return &Client{engine: engine, prefix: config.Prefix}
}

// unmarshal is json.Unmarshal, except that it passes a raw answer on without validating and copying
// it. These two would cost a search more than the rest of its work in a query service.
func unmarshal(data []byte, into any) error {
	if raw, ok := into.(*json.RawMessage); ok {
		*raw = data
		return nil
	}
	return json.Unmarshal(data, into)
}

// aside is the prefix of the indexes next to the live ones; see Client.Aside.
const aside = "aside_"

// Aside returns a client for the second set of indexes of the same read node: the set that a
// rebuild fills, and after the swap the former one.
func (c *Client) Aside() *Client { return &Client{engine: c.engine, prefix: c.prefix + aside} }

// Name returns the name in the engine of an index of package document.
func (c *Client) Name(index string) string { return c.prefix + index }

// Index returns the engine's interface to an index of package document, for searching. Pass its
// errors through Fault.
func (c *Client) Index(index string) meilisearch.IndexManager { return c.engine.Index(c.Name(index)) }

// Engine returns the engine's own interface, for searches over several indexes. Pass its errors
// through Fault.
func (c *Client) Engine() meilisearch.ServiceManager { return c.engine }

// Health returns nil when the engine answers, else an Unavailable fault.
func (c *Client) Health(ctx context.Context) error {
	if _, err := c.engine.HealthWithContext(ctx); err != nil {
		return fmt.Errorf("health of the index: %w", Fault(err))
	}
	return nil
}

// Size is the size of the engine's files in bytes.
type Size struct {
	Whole int64
	Used  int64 // of pages with content: others are filled before the files grow further
}

// Size returns the size of the files of all indexes of the engine.
func (c *Client) Size(ctx context.Context) (Size, error) {
	stats, err := c.engine.GetStatsWithContext(ctx, nil)
	if err != nil {
		return Size{}, fmt.Errorf("read the size of the index: %w", Fault(err))
	}
	whole, _ := stats.DatabaseSize.(float64)
	used, _ := stats.UsedDatabaseSize.(float64)
	return Size{Whole: int64(whole), Used: int64(used)}, nil
}

// Count returns the number of documents in an index. It returns a NotFound fault when there is no
// such index.
func (c *Client) Count(ctx context.Context, index string) (int64, error) {
	stats, err := c.Index(index).GetStatsWithContext(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("count documents of %s: %w", c.Name(index), Fault(err))
	}
	return stats.NumberOfDocuments, nil
}
