package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/dump"
	"litfass/services/query/internal/feed"
)

// config is the query service's configuration from the environment.
type config struct {
	run.Common
	Tracing  tracing.Config
	Index    index.Config
	Stream   stream.Config // optional: without NATS_URL nothing is cached between requests, and no report accepted
	Limits   limit.Config
	Changes  changes.Bounds
	SiteKey  string `env:"SITE_API_KEY"`                 // of the site's requests, which are not limited
	ReadNode string `env:"READ_NODE" envDefault:"local"` // of whose freshness signal is heard

	PublicURL string `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"` // of the pages that answers lead to
	SiteName  string `env:"SITE_NAME" envDefault:"Litfass"`                // the title of feeds

	PortalHosts map[string]string `env:"PORTAL_HOSTS" envKeyValSeparator:"="` // as the site has them

	BlobURL string `env:"BLOB_URL"` // of images, the same as admin's

	DumpFolder  string         `env:"DUMP_FOLDER"`                  // of dumps of the catalogue; "" for none
	DumpTime    dump.TimeOfDay `env:"DUMP_TIME" envDefault:"03:30"` // in TIME_ZONE
	DataLicense string         `env:"DATA_LICENSE"`                 // an address

	ReadyLag time.Duration `env:"READY_LAG" envDefault:"30s"` // behind other read nodes; 0: no limit

	TimeZone string `env:"TIME_ZONE" envDefault:"Europe/Berlin"` // of the word "today"

	Language language.Code `env:"DEFAULT_LANGUAGE" envDefault:"en"` // of pages whose address names none, as the site has it
	Origins  []string      `env:"CORS_ORIGINS" envDefault:"*"`

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"` // proxies whose X-Forwarded-For is trusted

	QueryTimeout time.Duration `env:"QUERY_TIMEOUT" envDefault:"3s"`      // of one question to the engine
	EngineLoad   int           `env:"ENGINE_CONCURRENCY" envDefault:"16"` // searches in flight to the engine
	Connections  int           `env:"MAX_CONNECTIONS" envDefault:"4096"`  // of clients, open at once
	CacheBytes   *int          `env:"CACHE_BYTES"`                        // of cached answers; 0 caches none, nil: see tuneMemory
	PositionWait time.Duration `env:"POSITION_WAIT" envDefault:"2s"`      // for the position that a request names
	Compress     bool          `env:"COMPRESS" envDefault:"true"`         // answers, for clients that accept it

	// How long clients may cache answers that change with the catalogue; see web.Caching.
	CacheMaxAge          time.Duration `env:"CACHE_MAX_AGE" envDefault:"0s"`
	StaleWhileRevalidate time.Duration `env:"STALE_WHILE_REVALIDATE" envDefault:"0s"`
}

// load reads the configuration. The error names missing and invalid variables.
func load() (config, error) {
	c, err := run.Config(config{Common: run.Common{Listen: ":8082"}})
	if err == nil && !strings.HasPrefix(c.PublicURL, "http://") && !strings.HasPrefix(c.PublicURL, "https://") {
		err = fmt.Errorf("PUBLIC_URL %q is not an http or https address", c.PublicURL)
	}
	if err == nil && c.DataLicense != "" && !strings.HasPrefix(c.DataLicense, "http://") && !strings.HasPrefix(c.DataLicense, "https://") {
		err = fmt.Errorf("DATA_LICENSE %q is not an http or https address", c.DataLicense)
	}
	return c, err
}

// dumps returns what writes and reads the dumps of the catalogue; nil without a folder.
func (c config) dumps(from dump.Source, check func(context.Context) error, zone *time.Location, log *slog.Logger) *dump.Dumper {
	if c.DumpFolder == "" {
		return nil
	}
	return dump.New(dump.Options{
		Folder: c.DumpFolder, Source: from, Check: check, Site: c.site(zone), Language: cmp.Or(string(c.Language), language.Default),
		At: c.DumpTime, Zone: zone, Now: time.Now, Log: log,
	})
}

func (c config) zone() (*time.Location, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return zone, nil
}

// site describes the origin of feeds.
func (c config) site(zone *time.Location) feed.Site {
	return feed.Site{Name: c.SiteName, URL: strings.TrimRight(c.PublicURL, "/"), Zone: zone}
}

func (c config) caching() web.Caching {
	return web.Caching{MaxAge: c.CacheMaxAge, StaleWhileRevalidate: c.StaleWhileRevalidate}
}
