package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
)

// config is the projector's configuration from the environment.
type config struct {
	run.Common
	Tracing   tracing.Config
	Stream    stream.Config
	Index     index.Config
	ReadNode  string `env:"READ_NODE" envDefault:"local"` // names the consumer, the lease and the freshness signal
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"`
	// TimeZone is where dates are whose venues have no time zone, or that have no venue.
	TimeZone string `env:"TIME_ZONE" envDefault:"Europe/Berlin"`
	// SelfCheck is the number of entities compared with the stream each second; 0: none.
	SelfCheck int `env:"SELF_CHECK_PER_SECOND" envDefault:"2"`
}

// maxSelfChecks bounds the share of the engine that the comparison takes.
const maxSelfChecks = 1000

// readNodes matches names that are valid in consumers and subjects.
var readNodes = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// load reads the configuration. The error names the missing or invalid setting.
func load() (config, error) {
	c, err := run.Config(config{Common: run.Common{Listen: ":8083"}})
	switch {
	case err != nil:
		return c, err
	case !readNodes.MatchString(c.ReadNode):
		return c, fmt.Errorf("READ_NODE %q may hold only letters, digits, _ and -", c.ReadNode)
	case c.SelfCheck < 0 || c.SelfCheck > maxSelfChecks:
		return c, fmt.Errorf("SELF_CHECK_PER_SECOND %d is not between 0 and %d", c.SelfCheck, maxSelfChecks)
	case !strings.HasPrefix(c.PublicURL, "http://") && !strings.HasPrefix(c.PublicURL, "https://"):
		return c, fmt.Errorf("PUBLIC_URL %q is not an http or https address", c.PublicURL)
	}
	if _, err := time.LoadLocation(c.TimeZone); err != nil {
		return c, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return c, c.Index.Check()
}
