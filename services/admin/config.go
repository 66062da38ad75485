package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"litfass/pkg/run"
	"litfass/pkg/stream"
)

// config is the admin service's configuration from the environment.
type config struct {
	run.Common
	DatabaseURL string        `env:"DATABASE_URL,required,notEmpty"`
	Stream      stream.Config // needed by serve, verify and republish
	Identity    identityConfig

	PublicURL string   `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"`
	TimeZone  string   `env:"TIME_ZONE" envDefault:"Europe/Berlin"` // in which a day begins
	Origins   []string `env:"CORS_ORIGINS"`                         // CORS; default: the origin of PUBLIC_URL
}

// load reads the configuration. The error names what is missing or not valid.
func load() (config, error) {
	c, err := run.Config(config{Common: run.Common{Listen: ":8081"}})
	if err != nil {
		return c, err
	}
	public, err := origin(c.PublicURL)
	if err == nil && len(c.Origins) == 0 {
		c.Origins = []string{public}
	}
	return c, err
}

// origin returns the origin of PUBLIC_URL as browsers send it: scheme and host in lower case, and
// the port unless it is the scheme's own. It returns an error unless the address is http or https.
func origin(publicURL string) (string, error) {
	address, err := url.Parse(strings.ToLower(publicURL))
	if err != nil || address.Host == "" {
		return "", errors.New("PUBLIC_URL is not an http or https address")
	}
	switch address.Scheme {
	case "http":
		return "http://" + strings.TrimSuffix(address.Host, ":80"), nil
	case "https":
		return "https://" + strings.TrimSuffix(address.Host, ":443"), nil
	default:
		return "", errors.New("PUBLIC_URL is not an http or https address")
	}
}

func (c config) zone() (*time.Location, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return zone, nil
}
