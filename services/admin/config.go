package main

import (
	"fmt"
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
	Origins   []string `env:"CORS_ORIGINS"`                         // whose pages may use the operations; none: those of PUBLIC_URL
}

// load reads the configuration. The error names what is missing or not valid.
func load() (config, error) {
	return run.Config(config{Common: run.Common{Listen: ":8081"}})
}

func (c config) zone() (*time.Location, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return zone, nil
}
