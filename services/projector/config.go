package main

import (
	"fmt"
	"regexp"
	"strings"

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
	// SelfCheck is how many entities are compared with the stream each second; 0: none.
	SelfCheck int `env:"SELF_CHECK_PER_SECOND" envDefault:"2"`
}

// mostSelfChecks bounds what the comparison may take from the changes.
const mostSelfChecks = 1000

// readNodes are names that may stand in a consumer's name and in a subject.
var readNodes = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// load reads the configuration. The error names what is missing or not valid.
func load() (config, error) {
	c, err := run.Config(config{Common: run.Common{Listen: ":8083"}})
	switch {
	case err != nil:
		return c, err
	case !readNodes.MatchString(c.ReadNode):
		return c, fmt.Errorf("READ_NODE %q may hold only letters, digits, _ and -", c.ReadNode)
	case c.SelfCheck < 0 || c.SelfCheck > mostSelfChecks:
		return c, fmt.Errorf("SELF_CHECK_PER_SECOND %d is not between 0 and %d", c.SelfCheck, mostSelfChecks)
	case !strings.HasPrefix(c.PublicURL, "http://") && !strings.HasPrefix(c.PublicURL, "https://"):
		return c, fmt.Errorf("PUBLIC_URL %q is not an http or https address", c.PublicURL)
	}
	return c, c.Index.Check()
}
