package main

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/contracts/language"
)

// config is the console's configuration from the environment.
type config struct {
	run.Common
	Tracing tracing.Config
	Limits  limit.Config

	AdminURL string        `env:"ADMIN_URL,required"` // of the admin service, without a path
	QueryURL string        `env:"QUERY_URL,required"` // of the query service, without a path
	Public   string        `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"`
	APIKey   string        `env:"SITE_API_KEY"`                   // the query service's SITE_API_KEY; with it the console is not rate-limited
	Secrets  []seal.Secret `env:"CONSOLE_SECRETS,required"`       // seal the cookies; newest first
	Timeout  time.Duration `env:"ADMIN_TIMEOUT" envDefault:"10s"` // of one request to a service

	Name       string `env:"SITE_NAME" envDefault:"Litfass"`
	Theme      bool   `env:"CONSOLE_THEME"` // whether pages load /theme.css, which the site has with SITE_THEME
	TileURL    string `env:"TILE_URL"`      // of map tiles, as the site has it; "" draws only land
	TileCredit string `env:"TILE_CREDIT"`
	TimeZone   string `env:"TIME_ZONE" envDefault:"Europe/Berlin"` // of "today", as the admin service has it

	Language language.Code `env:"DEFAULT_LANGUAGE" envDefault:"en"` // of pages for clients that name none

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"` // whose X-Forwarded-For is believed
}

// load reads the configuration. The error names missing and unreadable settings.
func load() (config, error) {
	c, err := run.Config(config{Common: run.Common{Listen: ":8085"}})
	if err != nil {
		return c, err
	}
	c.Public = strings.TrimRight(c.Public, "/")
	if address, err := url.Parse(c.Public); err != nil || address.Host == "" ||
		address.Scheme != "http" && address.Scheme != "https" {
		return c, errors.New("PUBLIC_URL is not an http or https address")
	}
	return c, nil
}
