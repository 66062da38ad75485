package app

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/contracts/video"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/preview"
	"litfass/services/admin/internal/catalogue/source"
	"litfass/services/admin/internal/catalogue/webhook"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/geocoder"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/remote"
)

// Config is the configuration of the service from the environment (deploy/docs/configuration.md).
// The commands read only the parts that they need: see OpenDatabase and similar functions.
type Config struct {
	run.Common
	Database Database
	Public   Public
	Calendar Calendar
	Signing  Signing
	Images   Images

	Tracing    tracing.Config
	Stream     stream.Config
	Accounts   user.Config
	Tokens     auth.TokenConfig
	Team       team.Config
	Mail       mail.Config
	Preview    preview.Config
	Moderation moderation.Config
	Audit      audit.Config
	Messages   inbox.Config
	Import     remote.Config
	Webhooks   webhook.Config
	Sources    source.Config
	Geocoder   geocoder.Config
	Limits     limit.Config

	PortalHosts    map[string]string `env:"PORTAL_HOSTS" envKeyValSeparator:"="`                     // as site and query have them
	VideoHosts     video.Hosts       `env:"VIDEO_HOSTS" envDefault:"youtube.com,youtu.be,vimeo.com"` // as the site has them
	Origins        []string          `env:"CORS_ORIGINS"`                                            // default: the origin of PUBLIC_URL
	SigningKeyAge  time.Duration     `env:"SIGNING_KEY_AGE" envDefault:"720h"`
	PasswordHashes int               `env:"PASSWORD_HASHES"` // at once, 19 MiB each; default: one for each core
}

// Database is the configuration of the database.
type Database struct {
	URL string `env:"DATABASE_URL,required,notEmpty"`
}

// consolePath is the path of the console below PUBLIC_URL.
const consolePath = "/console"

// Public is the public address of the deployment.
type Public struct {
	URL string `env:"PUBLIC_URL" envDefault:"http://127.0.0.1:8080"` // Load cuts slashes off its end
}

// Signing is the configuration of the signing keys.
type Signing struct {
	Secrets []seal.Secret `env:"SIGNING_KEY_SECRETS"` // seal the keys in the database; newest first
}

// Images is the configuration of the store of images.
type Images struct {
	URL string `env:"BLOB_URL"` // file:///folder or s3://bucket?…
}

// Calendar is the configuration of the calendar.
type Calendar struct {
	TimeZone string `env:"TIME_ZONE" envDefault:"Europe/Berlin"`
}

// zone returns the time zone.
func (c Calendar) zone() (*time.Location, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("TIME_ZONE: %w", err)
	}
	return zone, nil
}

// Load reads the whole configuration, with the defaults that depend on other variables. The error
// names every variable that is missing or not valid.
func Load() (Config, error) {
	c, err := run.Config(Config{Common: run.Common{Listen: ":8081"}})
	if err != nil {
		return c, err
	}
	origin, err := originOf(c.Public.URL)
	if err != nil {
		return c, err
	}
	if len(c.Origins) == 0 {
		c.Origins = []string{origin}
	}
	c.Public.URL = strings.TrimRight(c.Public.URL, "/")
	if c.Accounts.AppURL == "" {
		c.Accounts.AppURL = c.Public.URL + consolePath
	}
	c.Accounts.AppURL = strings.TrimRight(c.Accounts.AppURL, "/")
	if c.PasswordHashes == 0 {
		c.PasswordHashes = runtime.GOMAXPROCS(0)
	}
	return c, c.check()
}

// originOf returns the origin of PUBLIC_URL as browsers send it: scheme and host in lower case, and
// the port unless it is the scheme's own. It returns an error unless the address is http or https.
func originOf(publicURL string) (string, error) {
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

// counted returns the limits that the service counts in the database.
func (c Config) counted() map[string]limit.Row {
	return map[string]limit.Row{
		"POST /api/login":  {Max: c.Accounts.LoginAttempts, Window: c.Accounts.LoginWindow},
		"POST /api/signup": {Max: c.Accounts.SignupAttempts, Window: c.Accounts.SignupWindow},
	}
}
