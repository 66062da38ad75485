package main

import (
	"errors"
	"net/netip"
	"strings"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/video"
	"litfass/services/site/internal/view"
)

// config is the site's configuration from the environment.
type config struct {
	run.Common
	Tracing tracing.Config
	Limits  limit.Config

	QueryURL string `env:"QUERY_URL,required"` // of the query service, without a path
	Preview  string `env:"PREVIEW_URL"`        // of the admin service, only for preview links; "" shows none
	APIKey   string `env:"SITE_API_KEY"`       // as the query service has it, which then limits the site by nothing
	Public   string `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"`

	Name       string `env:"SITE_NAME" envDefault:"Litfass"`
	Theme      string `env:"SITE_THEME"`                                                                       // a CSS file that sets the variables of the theme
	Imprint    string `env:"IMPRINT_URL"`                                                                      // shown in the footer; "" for none
	Privacy    string `env:"PRIVACY_URL"`                                                                      // the same
	Publish    string `env:"PUBLISH_URL" envDefault:"/console/signup"`                                         // of "Publish an event"; "off" hides it
	Route      string `env:"ROUTE_URL" envDefault:"https://www.openstreetmap.org/directions?to={lat}%2C{lon}"` // of directions; "off" hides them
	MapFile    string `env:"MAP_FILE"`                                                                         // a PMTiles archive: a path, or blob:KEY of BLOB_URL; "" for the program's
	BlobURL    string `env:"BLOB_URL"`                                                                         // only for an archive in the blob store
	TileURL    string `env:"TILE_URL"`                                                                         // of map images, with {z}, {x} and {y}, instead of the archive
	TileCredit string `env:"TILE_CREDIT"`                                                                      // whom the map credits for its tiles

	Language language.Code `env:"DEFAULT_LANGUAGE" envDefault:"en"` // of pages for clients that name none, as the query service has it

	TimeZone string `env:"TIME_ZONE" envDefault:"Europe/Berlin"` // of "today", as the query service has it

	Portals map[string]string `env:"PORTAL_HOSTS" envKeyValSeparator:"="` // the slugs of portals by the host names that they have of their own

	VideoHosts video.Hosts `env:"VIDEO_HOSTS" envDefault:"youtube.com,youtu.be,vimeo.com"` // whose players visitors may open, as admin has them

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"` // whose X-Forwarded-For is believed

	QueryTimeout time.Duration `env:"QUERY_TIMEOUT" envDefault:"3s"`     // of one question to another service
	CacheBytes   int           `env:"CACHE_BYTES" envDefault:"67108864"` // of cached pages; 0 caches none
	Compress     bool          `env:"COMPRESS" envDefault:"true"`        // answers, for clients that ask for it

	// How long others may keep pages that change with the catalogue; see web.Caching.
	CacheMaxAge          time.Duration `env:"CACHE_MAX_AGE" envDefault:"0s"`
	StaleWhileRevalidate time.Duration `env:"STALE_WHILE_REVALIDATE" envDefault:"0s"`
}

// load reads the configuration. The error names the variables that are missing or invalid.
func load() (config, error) {
	return run.Config(config{Common: run.Common{Listen: ":8084"}})
}

// checkRoute returns an error if directions would lead nowhere.
func (c config) checkRoute() error {
	if c.Route == off {
		return nil
	}
	at := strings.NewReplacer("{lat}", "0", "{lon}", "0").Replace(c.Route)
	if view.SafeLink(at) == "" || !strings.Contains(c.Route, "{lat}") || !strings.Contains(c.Route, "{lon}") {
		return errors.New("ROUTE_URL: must be an address of http or https with {lat} and {lon}, or off")
	}
	return nil
}

func (c config) caching() web.Caching {
	return web.Caching{MaxAge: c.CacheMaxAge, StaleWhileRevalidate: c.StaleWhileRevalidate}
}
