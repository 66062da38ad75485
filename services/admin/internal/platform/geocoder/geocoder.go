// Package geocoder proposes positions for addresses: those of a geocoder that the operator has
// configured, and of the towns of the embedded gazetteer. What people type leaves the service only
// for that geocoder.
package geocoder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/town"
)

// Config is the configuration.
type Config struct {
	// URL is the address of the search of Photon (ending in /api) or of Nominatim (ending in /search);
	// "" for none.
	URL string `env:"GEOCODER_URL"`
	// Interval is the minimum time between two requests; the public Nominatim allows one a second.
	Interval time.Duration `env:"GEOCODER_INTERVAL" envDefault:"1s"`
	// Credit names the source of the positions. Both engines have the data of OpenStreetMap.
	Credit string `env:"GEOCODER_CREDIT" envDefault:"© OpenStreetMap contributors"`
}

const (
	timeout     = 3 * time.Second
	shortPause  = time.Minute // after a refusal that does not say for how long
	longPause   = time.Hour
	maxAnswer   = 1 << 20 // bytes
	maxRemote   = 5       // positions of the geocoder
	cacheSize   = 5_000
	cacheExpiry = 30 * 24 * time.Hour
)

// Address is what is known of an address; "" for an absent part.
type Address struct {
	Street, HouseNumber, PostalCode, City string
	Country                               string // ISO 3166-1 alpha-3
}

// Geocoder proposes positions.
type Geocoder struct {
	config Config
	agent  string  // names the deployment to the geocoder, as the terms of Nominatim ask
	engine *engine // nil without one
	client *http.Client
	cache  *expirable.LRU[string, []adminapi.Position] // by the address of the request and the country

	mu   sync.Mutex
	next time.Time // when the next request may begin
}

// New returns a geocoder of the deployment at a public URL. It refuses the URL of an engine that it
// does not know.
func New(config Config, publicURL string) (*Geocoder, error) {
	g := &Geocoder{
		config: config, agent: "Litfass (" + publicURL + ")", cache: expirable.NewLRU[string, []adminapi.Position](cacheSize, nil, cacheExpiry),
		client: &http.Client{Timeout: timeout, CheckRedirect: refuseRedirect},
	}
	if config.URL == "" {
		return g, nil
	}
	address, err := url.Parse(config.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, errors.New("GEOCODER_URL is not the http address of a geocoder")
	}
	switch path := strings.TrimSuffix(address.Path, "/"); {
	case strings.HasSuffix(path, "/api"):
		g.engine = &photon
	case strings.HasSuffix(path, "/search"), strings.HasSuffix(path, "/search.php"):
		g.engine = &nominatim
	default:
		return nil, errors.New("GEOCODER_URL ends neither in /api (Photon) nor in /search (Nominatim)")
	}
	return g, nil
}

// refuseRedirect keeps requests at the configured host.
func refuseRedirect(*http.Request, []*http.Request) error {
	return errors.New("the geocoder redirects elsewhere")
}

// Find proposes positions for an address, the most precise first: up to 5 of the geocoder for one
// with a street, and the towns of that name. A geocoder that does not answer is left out.
func (g *Geocoder) Find(ctx context.Context, a Address) adminapi.Positions {
	found := adminapi.Positions{Positions: []adminapi.Position{}, Credits: []string{}}
	if a.Street != "" && g.engine != nil {
		remote, err := g.ask(ctx, a)
		if err == nil && len(remote) > 0 {
			found.Positions = remote
			found.Credits = append(found.Credits, g.config.Credit)
		}
	}
	if towns := Towns(a.City, a.Country, 1); len(towns) > 0 {
		found.Positions = append(found.Positions, towns...)
		found.Credits = append(found.Credits, town.Attribution)
	}
	return found
}

// ask returns the answer of the geocoder to an address, cached or not.
func (g *Geocoder) ask(ctx context.Context, a Address) ([]adminapi.Position, error) {
	address := g.address(a)
	key := address + " " + a.Country
	if known, cached := g.cache.Get(key); cached {
		return known, nil
	}
	if !g.mayAsk() {
		return nil, errors.New("the geocoder was asked a moment ago")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", g.agent)
	answer, err := g.fetch(request)
	if err != nil {
		return nil, err
	}
	positions, err := g.engine.read(answer)
	if err != nil {
		return nil, fmt.Errorf("answer of the geocoder: %w", err)
	}
	positions = valid(positions, a.Country)
	g.cache.Add(key, positions)
	return positions, nil
}

// pause asks nothing for as long as a refusal says, in seconds or until a time, at most an hour.
func (g *Geocoder) pause(retryAfter string) {
	wait := shortPause
	if seconds, err := strconv.Atoi(retryAfter); err == nil && seconds > 0 {
		wait = min(time.Duration(min(seconds, int(longPause/time.Second)))*time.Second, longPause)
	} else if until, err := http.ParseTime(retryAfter); err == nil {
		wait = min(max(time.Until(until), g.config.Interval), longPause)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.next = time.Now().Add(wait)
}

// mayAsk reserves the next request.
func (g *Geocoder) mayAsk() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if now.Before(g.next) {
		return false
	}
	g.next = now.Add(g.config.Interval)
	return true
}
