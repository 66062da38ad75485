package postgres

import (
	"context"
	"time"
)

// Acquire acquires and releases a connection for work that began at a time.
func (db *DB) Acquire(ctx context.Context, began time.Time) error {
	conn, err := db.acquire(ctx, began)
	if err == nil {
		conn.Release()
	}
	return err
}
