package stack

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"litfass/deploy/local/gateway"
	"litfass/deploy/local/proc"
	"litfass/deploy/natsusers"
)

// The names of the processes, for Stack.Process and Stack.Command.
const (
	Postgres  = "postgres"
	NATS      = "nats"
	Meili     = "meilisearch"
	Admin     = "admin"
	Projector = "projector"
	Query     = "query"
	Site      = "site"
	Console   = "console"
)

// service is a row of the table of Litfass's own processes.
type service struct {
	name  string
	args  []string                 // arguments that make the program serve
	count func(Options) int        // how many instances of it there are
	port  func(Ports) int          // where an instance listens
	env   func(addresses) []string // its variables besides its address
}

func perReadNode(options Options) int { return max(options.ReadNodes, 1) }

func perAdmin(options Options) int { return max(options.Admins, 1) }

// addresses configure the services. An address from the launcher's environment replaces that of the
// local engine.
type addresses struct {
	database, nats  string
	natsPasswords   map[string]string // by user; none of a server from the environment
	meili, meiliKey string
	readKey         string // Meilisearch key that can only read
	readNode        string // name of a further read node; "" for the first, which keeps the services' default
	public          string
	data            string // folder for mails and images
	signingSecret   string
	admin, query    string // addresses of the services that pages are made from
	siteKey         string // API key of site and console
	consoleSecret   string
}

// images returns the image store that admin and query share.
func (a addresses) images() string {
	return setting("BLOB_URL", "file://"+filepath.ToSlash(filepath.Join(a.data, "pictures")))
}

// trustedProxies is the variable of the services that limit by the client's address: it comes from
// the gateway, and admin has it from the console, too.
func (addresses) trustedProxies() string {
	return "TRUSTED_PROXIES=" + setting("TRUSTED_PROXIES", "127.0.0.0/8")
}

// language is the variable for the language of pages for clients that name none: that of the demo
// catalogue.
func (addresses) language() string { return "DEFAULT_LANGUAGE=" + setting("DEFAULT_LANGUAGE", "de") }

// node returns the variable that names a read node.
func (a addresses) node() []string {
	if a.readNode == "" {
		return nil
	}
	return []string{"READ_NODE=" + a.readNode}
}

// stream returns the variables for NATS, with the user of a service.
func (a addresses) stream(user string) []string {
	variables := []string{"NATS_URL=" + a.nats}
	if password, known := a.natsPasswords[user]; known {
		variables = append(variables, "NATS_USER="+user, "NATS_PASSWORD="+password)
	}
	return variables
}

// services is the table. A projector creates the index and the read key, so it precedes query.
var services = []service{
	{
		name: Admin, args: []string{"serve"}, count: perAdmin,
		port: func(p Ports) int { return p.Admin },
		env: func(a addresses) []string {
			return append(a.stream(natsusers.Admin),
				"DATABASE_URL="+a.database, "PUBLIC_URL="+a.public,
				"SIGNING_KEY_SECRETS="+setting("SIGNING_KEY_SECRETS", a.signingSecret),
				"MAIL_DIR="+filepath.Join(a.data, "mail"), // used as long as MAIL_URL is not set
				"BLOB_URL="+a.images(),
				a.trustedProxies(),
			)
		},
	},
	{
		name: Projector, args: []string{"serve"}, count: perReadNode,
		port: func(p Ports) int { return p.Projector },
		env: func(a addresses) []string {
			return append(append(a.node(), a.stream(natsusers.Projector)...),
				"MEILI_URL="+a.meili, "MEILI_KEY="+a.meiliKey, "PUBLIC_URL="+a.public)
		},
	},
	{
		name: Query, args: []string{"serve"}, count: perReadNode,
		port: func(p Ports) int { return p.Query },
		env: func(a addresses) []string {
			return append(append(a.node(), a.stream(natsusers.Query)...),
				"MEILI_URL="+a.meili, "MEILI_KEY="+a.readKey, "BLOB_URL="+a.images(),
				"GOMEMLIMIT="+setting("GOMEMLIMIT", "204MiB"), // query shares this machine with the other services
				"SITE_API_KEY="+a.siteKey, "PUBLIC_URL="+a.public, a.trustedProxies(), a.language())
		},
	},
	{
		name: Site, args: []string{"serve"}, count: perReadNode,
		port: func(p Ports) int { return p.Site },
		env: func(a addresses) []string {
			return []string{
				"QUERY_URL=" + a.query, "PREVIEW_URL=" + a.admin, "SITE_API_KEY=" + a.siteKey, "PUBLIC_URL=" + a.public,
				a.trustedProxies(), a.language(),
			}
		},
	},
	{
		name: Console, args: []string{"serve"}, count: perAdmin,
		port: func(p Ports) int { return p.Console },
		env: func(a addresses) []string {
			return []string{
				"ADMIN_URL=" + a.admin, "QUERY_URL=" + a.query, "PUBLIC_URL=" + a.public,
				"SITE_API_KEY=" + a.siteKey, "CONSOLE_SECRETS=" + setting("CONSOLE_SECRETS", a.consoleSecret),
				a.trustedProxies(), a.language(),
			}
		},
	},
}

// serviceNamed returns a row of the table and the number of one of its instances, counted from 0,
// by the instance's name. It panics for an unknown name.
func serviceNamed(name string) (row service, number int) {
	row, number, found := findService(name)
	if !found {
		panic("stack: there is no service " + name)
	}
	return row, number
}

// findService is serviceNamed for a name that may be that of another process.
func findService(name string) (row service, number int, found bool) {
	for _, row := range services {
		if row.name == name {
			return row, 0, true
		}
		if text, further := strings.CutPrefix(name, row.name+"-"); further {
			if number, err := strconv.Atoi(text); err == nil && number > 1 {
				return row, number - 1, true
			}
		}
	}
	return service{}, 0, false
}

// environment returns the variables of one instance of a service.
func (s *Stack) environment(row service, number int) []string {
	instance := s.instances[number]
	env := []string{"LISTEN=" + address(row.port(instance.ports)), "LOG_FORMAT=text"}
	if row.count(s.options) > 1 {
		env = append(env, "STOP_DELAY="+setting("STOP_DELAY", gateway.NoticeStop.String()))
	}
	return append(append(env, row.env(instance.at)...), s.options.Env...)
}

// process returns an instance of a service as a process that is ready when it answers /livez.
// Whether it can do its work, /readyz of the gateway reports.
func (s *Stack) process(row service, number int) *proc.Process {
	name := numbered(row.name, number)
	live := "http://" + address(row.port(s.instances[number].ports)) + "/livez"
	return proc.New(proc.Spec{
		Name:    name,
		Command: append([]string{s.binary(row.name)}, row.args...),
		Env:     s.environment(row, number),
		Dir:     s.options.Data,
		LogFile: s.LogFile(name),
		Ready:   func(ctx context.Context) error { return answers(ctx, live) },
	})
}

// answers returns nil when a GET is answered with 200.
func answers(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}

// setting returns an environment variable, or the second argument if it is not set.
func setting(variable, otherwise string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return otherwise
}
