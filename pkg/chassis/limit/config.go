package limit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is the configuration of the limits.
type Config struct {
	Switch string   `env:"RATE_LIMITS" envDefault:"on"`                      // on or off
	Rows   []string `env:"LIMITS"`                                           // override rows of Table: GET /api/events=60/1m
	Tiers  []string `env:"LIMIT_TIERS" envDefault:"standard=10,partner=100"` // of API keys: factors of the limits
	URL    string   `env:"LIMITS_URL"`                                       // of the Valkey or Redis with the shared counts
}

// TierStandard is the tier of a key without a tier, or with one that is not configured.
const TierStandard = "standard"

const (
	maxRequests = 1_000_000
	maxFactor   = 10_000 // of a tier
	minWindow   = time.Second
	maxWindow   = 24 * time.Hour
)

// off reports whether there are no limits.
func (c Config) off() (bool, error) {
	switch c.Switch {
	case "", "on":
		return false, nil
	case "off":
		return true, nil
	default:
		return false, fmt.Errorf("RATE_LIMITS is %q, it must be on or off", c.Switch)
	}
}

// table returns Table with the overrides of LIMITS. The error names every invalid row.
func (c Config) table() ([]Row, error) {
	table := slices.Clone(Table)
	var bad []error
	seen := map[string]bool{}
	for _, text := range c.Rows {
		row, err := parseRow(text)
		i := slices.IndexFunc(table, func(r Row) bool { return r.Operation == row.Operation })
		switch {
		case err != nil:
		case i < 0:
			err = fmt.Errorf("%q is no row; the rows are %s", row.Operation, operations())
		case table[i].SetBy != "":
			err = fmt.Errorf("%q is set by %s", row.Operation, table[i].SetBy)
		case seen[row.Operation]:
			err = fmt.Errorf("%q is given twice", row.Operation)
		default:
			seen[row.Operation] = true
			table[i] = row
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("LIMITS: %w", err))
		}
	}
	return table, errors.Join(bad...)
}

// operations lists the rows that LIMITS may name.
func operations() string {
	var names []string
	for _, row := range Table {
		if row.SetBy == "" {
			names = append(names, strconv.Quote(row.Operation))
		}
	}
	return strings.Join(names, ", ")
}

// parseRow reads an override: "GET /api/events=60/1m", or "GET /api/events=off".
func parseRow(text string) (Row, error) {
	operation, limit, found := strings.Cut(strings.TrimSpace(text), "=")
	row := Row{Operation: strings.TrimSpace(operation)}
	if !found {
		return row, fmt.Errorf("%q is not of the form GET /api/events=60/1m", text)
	}
	limit = strings.TrimSpace(limit)
	if limit == "off" {
		return row, nil
	}
	requests, window, _ := strings.Cut(limit, "/")
	var err error
	if row.Max, err = strconv.Atoi(requests); err != nil || row.Max < 1 || row.Max > maxRequests {
		return row, fmt.Errorf("%q: %q must be a number of requests from 1 to %d, a slash and a time, or off",
			row.Operation, limit, maxRequests)
	}
	if row.Window, err = time.ParseDuration(window); err != nil || row.Window < minWindow || row.Window > maxWindow {
		return row, fmt.Errorf("%q: the time %q must be from 1s to 24h", row.Operation, window)
	}
	return row, nil
}

var tierName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// ReadTiers returns the factor of the limits for each tier, always including TierStandard. The
// error names every invalid tier.
func (c Config) ReadTiers() (map[string]int, error) {
	tiers := map[string]int{}
	var bad []error
	for _, text := range c.Tiers {
		name, number, _ := strings.Cut(strings.TrimSpace(text), "=")
		times, err := strconv.Atoi(number)
		switch {
		case !tierName.MatchString(name):
			err = fmt.Errorf("LIMIT_TIERS: %q is not of the form partner=100", text)
		case err != nil || times < 1 || times > maxFactor:
			err = fmt.Errorf("LIMIT_TIERS: %s must be a number from 1 to %d", name, maxFactor)
		case tiers[name] != 0:
			err = fmt.Errorf("LIMIT_TIERS: %s is given twice", name)
		}
		if err != nil {
			bad = append(bad, err)
		}
		tiers[name] = times
	}
	if len(bad) == 0 && tiers[TierStandard] == 0 {
		bad = append(bad, fmt.Errorf("LIMIT_TIERS: the tier %s is missing", TierStandard))
	}
	return tiers, errors.Join(bad...)
}
