// The query service answers the public operations of Litfass from a read node's index.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"
	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/project"
	"litfass/pkg/media/blob"
	"litfass/services/query/internal/api"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/images"
	"litfass/services/query/internal/keys"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/reports"
	"litfass/services/query/internal/rotation"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
	"litfass/services/query/internal/sitemap"
	"litfass/services/query/internal/suggest"
)

const (
	// headerLimit fits a request with three full lists of uuids, or with one that is too long, so that
	// the answer can name it. Each incoming request has a buffer of that length.
	headerLimit = 128 << 10
	// bodyLimit fits several lists of the maximum of uuids in a POST.
	bodyLimit = 2 << 20
	// answerBuffer has room for a usual answer, which then leaves in one piece.
	answerBuffer = 32 << 10
)

func main() {
	var cli struct {
		Version kong.VersionFlag `help:"Print version, commit and date of the program."`

		Serve struct{} `cmd:"" default:"1" help:"Answer the public operations. This is the default."`
	}
	kong.Parse(&cli, kong.Name("query"), kong.Vars{"version": run.ReadBuild().String()},
		kong.Description("The public read side of Litfass. Configured by the environment."))
	run.Main("query", serve)
}

// serve wires the service together and runs it until ctx ends.
func serve(ctx context.Context) error {
	config, log, flush, err := begin()
	if err != nil {
		return err
	}
	defer flush()
	zone, err := config.zone()
	if err != nil {
		return err
	}
	cacheBytes := tuneMemory(config.CacheBytes, log)
	signal := cache.NewSignal(time.Now)
	e, err := connect(config)
	if err != nil {
		return err
	}
	known := newFilters(e, signal, log)
	answers := cache.New(signal, cacheBytes, config.QueryTimeout)
	reader := lists.NewReader(e, signal, time.Now)
	dumps := config.dumps(reader, e.Check, zone, log)
	blobs, closeBlobs, err := openBlobs(ctx, config.BlobURL, log)
	if err != nil {
		return err
	}
	defer closeBlobs()
	connection, closeStream, err := openStream(config.Stream, log)
	if err != nil {
		return err
	}
	defer closeStream()
	feed, hub := newChanges(config, connection, signal, log)
	figures := metrics(answers, signal, hub, e.Load())
	limits, apiKeys, err := newLimits(config.Limits, log, figures)
	if err != nil {
		return err
	}
	defer func() { _ = limits.Close() }() // counts are written with each request
	drain := web.NewDrain(config.StopDelay)
	rotating := rotation.New(config.ReadNode, config.ReadyLag, signal.Position, time.Now)
	app := newApp(config, drain, log, figures, readiness(e, known.places, rotating))
	api.Mount(app, api.Deps{
		Search: search.NewSearcher(e, known.places, known.portals, known.lists, answers), Places: known.places, Portals: known.portals,
		Curated: known.lists, Series: known.series, Lists: reader, Cache: answers,
		Images:  images.New(images.Options{Lists: reader, Series: known.series, Cache: answers, Blobs: blobs}),
		Suggest: suggest.New(e, answers), Sitemap: sitemap.New(e, config.PublicURL, config.Language), PortalHosts: config.PortalHosts,
		Site: config.site(zone), Caching: config.caching(), Now: time.Now, Zone: zone, Signal: signal,
		PositionWait: config.PositionWait,
		Reports:      newReporter(reader, connection), TrustedProxies: config.TrustedProxies, Limits: limits, Keys: apiKeys,
		SiteKey: config.SiteKey, Log: feed, Hub: hub, Dumps: dumps, License: config.DataLicense,
	})

	group := run.NewGroup(log, config.StopDelay+config.StopTimeout)
	if connection != nil {
		follow(group, connection, config.ReadNode, signal, apiKeys)
		serving := func(ctx context.Context) bool { return !drain.Begun() && e.Check(ctx) == nil }
		group.Add("rotation", func(ctx context.Context) error { return rotating.Run(ctx, connection, serving, log) })
	}
	group.Add("changes", hub.Run)
	group.Add("http", func(ctx context.Context) error { return web.Serve(ctx, app, config.Listen, config.StopTimeout, log) })
	group.Add("drain", drain.Run)
	group.Add("dumps", dumps.Run)
	return group.Run(ctx)
}

// filters are the stores of what searches are narrowed by.
type filters struct {
	places  *places.Store
	portals *portals.Store
	lists   *curated.Store
	series  *series.Store
}

func newFilters(e *engine.Engine, signal *cache.Signal, log *slog.Logger) filters {
	return filters{
		places:  places.NewStore(places.InIndexes(e), signal, time.Now, log),
		portals: portals.NewStore(portals.InIndex(e), signal, time.Now, log),
		lists:   curated.NewStore(curated.InIndex(e), signal, time.Now),
		series:  series.NewStore(e, signal, time.Now),
	}
}

// follow adds the receivers of the freshness signal and of the API keys.
func follow(group *run.Group, from *stream.Stream, node string, signal *cache.Signal, known *keys.Known) {
	group.Add("freshness", func(ctx context.Context) error { return listen(ctx, from, node, signal) })
	group.Add("keys", func(ctx context.Context) error { return from.FollowKeys(ctx, known) })
}

// readiness returns the conditions under which the service can answer requests.
func readiness(e *engine.Engine, store *places.Store, rotating *rotation.Rotation) []web.Check {
	return []web.Check{
		{Name: "index", Run: e.Check},
		{Name: "places", Run: func(ctx context.Context) error { _, err := store.Map(ctx); return err }},
		{Name: "lag", Run: rotating.Check},
	}
}

// begin reads the configuration, and starts the log and the traces. flush exports the last spans.
func begin() (c config, log *slog.Logger, flush func(), err error) {
	if c, err = load(); err != nil {
		return c, nil, nil, err
	}
	log = c.Logger("query")
	run.LogStart(log)
	flush, err = tracing.Setup(c.Tracing, "query", log)
	return c, log, flush, err
}

// connect returns the read node's engine with its limit of concurrent searches.
func connect(config config) (*engine.Engine, error) {
	e, err := engine.Connect(config.Index, config.QueryTimeout)
	if err != nil {
		return nil, err
	}
	return e.Limited(config.EngineLoad)
}

// newLimits returns the limits, nil if there are none, and the keys that raise them.
func newLimits(
	config limit.Config, log *slog.Logger, metrics prometheus.Registerer,
) (*limit.Limiter, *keys.Known, error) {
	known := keys.New(time.Now)
	known.Register(metrics)
	limits, err := limit.New(limit.Options{Config: config, Log: log, Metrics: metrics, Now: time.Now})
	return limits, known, err
}

// openBlobs returns the store of images and a function that closes it; nil without an address.
func openBlobs(ctx context.Context, address string, log *slog.Logger) (_ *blob.Store, closeStore func(), err error) {
	if address == "" {
		log.Warn("BLOB_URL is not set: pictures cannot be shown")
		return nil, func() {}, nil
	}
	store, err := blob.Open(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	return store, func() { _ = store.Close() }, nil // it has only been read, or written to its end
}

func newApp(config config, drain *web.Drain, log *slog.Logger, metrics *prometheus.Registry, ready []web.Check) *fiber.App {
	app := web.New(web.Options{
		Service: "query", Log: log, Metrics: metrics, Ready: ready, Drain: drain, Origins: config.Origins,
		ResponseTypes: api.ResponseTypes(), HeaderLimit: headerLimit, BodyLimit: bodyLimit,
		Compress: config.Compress, Connections: config.Connections,
	})
	app.Server().WriteBufferSize = answerBuffer
	app.Server().ReduceMemoryUsage = true // idle connections release their buffers, which are as large as headerLimit
	return app
}

// openStream opens the connection to NATS, which need not be up yet, and returns it with a function
// that closes it; nil without an address.
func openStream(config stream.Config, log *slog.Logger) (_ *stream.Stream, closeStream func(), err error) {
	if config.URL == "" {
		log.Warn("NATS_URL is not set: answers are not kept, and reports cannot be taken")
		return nil, func() {}, nil
	}
	connection, err := stream.Open(config, log)
	if err != nil {
		return nil, nil, err
	}
	return connection, connection.Close, nil
}

// newChanges returns the log of changes and the hub of those who wait for some; connection is nil
// without NATS.
func newChanges(
	config config, connection *stream.Stream, signal *cache.Signal, log *slog.Logger,
) (*changes.Log, *changes.Hub) {
	var journal changes.Journal
	if connection != nil {
		journal = connection
	}
	read := changes.NewLog(journal, signal, project.New(config.PublicURL, config.TimeZone), log)
	return read, changes.NewHub(read, config.Changes, time.Now)
}

// newReporter returns the sender of reports; connection is nil without NATS.
func newReporter(events reports.Events, connection *stream.Stream) *reports.Sender {
	if connection == nil {
		return reports.New(events, nil)
	}
	return reports.New(events, connection)
}

// listen hears the read node's freshness signal until ctx ends. It waits for NATS indefinitely:
// without the signal the service answers, too, but caches nothing.
func listen(ctx context.Context, connection *stream.Stream, node string, signal *cache.Signal) error {
	if err := connection.Await(ctx); err != nil {
		return err
	}
	unsubscribe, err := connection.OnApplied(node, signal.Hear)
	if err != nil {
		return fmt.Errorf("hear the freshness signal: %w", err)
	}
	defer unsubscribe()
	<-ctx.Done()
	return nil
}
