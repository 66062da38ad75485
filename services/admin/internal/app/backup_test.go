package app

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/catalogue/store/storetest"
)

func TestBackupIsShown(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	registry := prometheus.NewRegistry()
	registry.MustRegister(backupTime(db))
	shown := func() float64 {
		t.Helper()
		families, err := registry.Gather()
		if err != nil || len(families) != 1 {
			t.Fatalf("%v, %v", families, err)
		}
		return families[0].GetMetric()[0].GetGauge().GetValue()
	}
	if got := shown(); got != 0 {
		t.Errorf("%v before the first backup", got)
	}
	if _, err := db.Exec(t.Context(), `SELECT setval('backed_up_at', 1800000000)`); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != 1800000000 {
		t.Errorf("shows %v", got)
	}
	db.Close()
	if got := shown(); got != 1800000000 {
		t.Errorf("shows %v while the database is down", got)
	}
}
