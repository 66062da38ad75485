package app

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/presence"
	"litfass/services/admin/internal/catalogue/preview"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/quota"
)

// prunes are the jobs of the janitor that delete the rows of several packages.
func prunes(config Config) []func(context.Context, pgx.Tx, time.Time) error {
	return []func(context.Context, pgx.Tx, time.Time) error{
		apikey.Prune, config.Audit.Prune, config.Messages.Prune, moderation.Prune, notice.SendHeld, presence.Prune, preview.Prune, quota.Prune,
		team.Prune,
	}
}

// growing are the tables that grow with use, not with the catalogue. Their sizes are exported also
// before the database was asked.
var growing = []string{
	"attempt", "audit_entry", "event_report", "held_notice", "invitation", "mail_outbox", "message", "outbox", "refresh_token",
	"session", "webhook_delivery",
}

const selectSizes = `
SELECT relname::text, pg_total_relation_size(oid)::float8, greatest(reltuples, 0)::float8
FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

// sizesEvery is the time for which the sizes of tables are not read again.
const sizesEvery = time.Minute

type tableSize struct {
	Table       string
	Bytes, Rows float64
}

// tableSizes exports the size of each table. It shows the last known ones while the database does
// not answer.
type tableSizes struct {
	db          *postgres.DB
	bytes, rows *prometheus.Desc

	mutex sync.Mutex
	read  time.Time
	known map[string]tableSize
}

func newTableSizes(db *postgres.DB) *tableSizes {
	s := &tableSizes{
		db:    db,
		bytes: prometheus.NewDesc("litfass_table_bytes", "Size of a table in PostgreSQL with its indexes.", []string{"table"}, nil),
		rows:  prometheus.NewDesc("litfass_table_rows", "Rows of a table, as PostgreSQL estimates them.", []string{"table"}, nil),
		known: map[string]tableSize{},
	}
	for _, table := range growing {
		s.known[table] = tableSize{}
	}
	return s
}

// Describe is part of prometheus.Collector.
func (s *tableSizes) Describe(into chan<- *prometheus.Desc) { into <- s.bytes; into <- s.rows }

// Collect is part of prometheus.Collector.
func (s *tableSizes) Collect(into chan<- prometheus.Metric) {
	for table, size := range s.sizes() {
		into <- prometheus.MustNewConstMetric(s.bytes, prometheus.GaugeValue, size.Bytes, table)
		into <- prometheus.MustNewConstMetric(s.rows, prometheus.GaugeValue, size.Rows, table)
	}
}

func (s *tableSizes) sizes() map[string]tableSize {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if now := time.Now(); now.Sub(s.read) >= sizesEvery {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if found, err := postgres.List[tableSize](ctx, s.db, "sizes of tables", selectSizes); err == nil {
			s.read, s.known = now, map[string]tableSize{}
			for _, size := range found {
				s.known[size.Table] = size
			}
		}
	}
	return maps.Clone(s.known)
}
