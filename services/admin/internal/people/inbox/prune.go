package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Config is the retention of messages.
type Config struct {
	Age time.Duration `env:"MESSAGE_AGE" envDefault:"17520h"`
}

// pruned is the number of messages that one round of the janitor looks at.
const pruned = 20_000

// deleteOld deletes the messages of before $1 among the oldest $2, with all copies. Ids grow with
// time.
const deleteOld = `
DELETE FROM message
WHERE id IN (
    SELECT oldest.id
    FROM (SELECT id, created_at FROM message ORDER BY id LIMIT $2) AS oldest
    WHERE oldest.created_at < $1
)`

// Prune deletes the oldest messages, read or not, a part of them in each call.
func (c Config) Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	if _, err := tx.Exec(ctx, deleteOld, now.Add(-c.Age), pruned); err != nil {
		return fmt.Errorf("prune messages: %w", err)
	}
	return nil
}
