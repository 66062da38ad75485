package app

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/platform/postgres"
)

const selectBackup = `
SELECT last_value
FROM backed_up_at`

// backupTime returns the metric of the time when the last backup was complete. It reads the
// database on every scrape, and shows the last known value while that does not answer.
func backupTime(db *postgres.DB) prometheus.Collector {
	var known atomic.Int64
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "litfass_backup_timestamp_seconds",
		Help: "When the last backup was complete, by backup.sh; 0 before the first.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		var seconds int64
		if err := db.QueryRow(ctx, selectBackup).Scan(&seconds); err == nil {
			known.Store(seconds)
		}
		return float64(known.Load())
	})
}
