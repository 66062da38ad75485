package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/services/projector/internal/node"
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
	// CompactAbove is how many times the bytes in use the index's files take before it is rebuilt in
	// CompactHours, hours of TimeZone; 0: never.
	CompactAbove float64 `env:"COMPACT_ABOVE" envDefault:"1.5"`
	CompactHours hours   `env:"COMPACT_HOURS" envDefault:"2-5"`
}

// hours are read from a text such as "2-5".
type hours node.Hours

// UnmarshalText reads two hours of a day.
func (h *hours) UnmarshalText(text []byte) error {
	from, before, found := strings.Cut(string(text), "-")
	var errs [2]error
	h.From, errs[0] = strconv.Atoi(from)
	h.Before, errs[1] = strconv.Atoi(before)
	if !found || errors.Join(errs[:]...) != nil || h.From < 0 || h.From > 23 || h.Before < 0 || h.Before > 24 {
		return fmt.Errorf("%q is not two hours of a day such as 2-5", text)
	}
	return nil
}

// The engine's files are looked at this often, and smaller ones are not compacted.
const (
	compactEvery = 10 * time.Minute
	compactLeast = 128 << 20
)

// compaction returns when the index is rebuilt because it has grown.
func (c config) compaction() node.Compaction {
	return node.Compaction{
		Above: c.CompactAbove, Least: compactLeast, Quiet: node.Hours(c.CompactHours), Every: compactEvery,
		Now: func() time.Time {
			zone, err := time.LoadLocation(c.TimeZone)
			if err != nil {
				panic(err) // load has checked it
			}
			return time.Now().In(zone)
		},
	}
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
	case c.CompactAbove != 0 && c.CompactAbove < 1:
		return c, fmt.Errorf("COMPACT_ABOVE %g is neither 0 nor at least 1", c.CompactAbove)
	case !strings.HasPrefix(c.PublicURL, "http://") && !strings.HasPrefix(c.PublicURL, "https://"):
		return c, fmt.Errorf("PUBLIC_URL %q is not an http or https address", c.PublicURL)
	}
	if _, err := time.LoadLocation(c.TimeZone); err != nil {
		return c, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return c, c.Index.Check()
}
