package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

const (
	// certainlySmall is a size of an event at which its snapshot need not be measured, with
	// weightOfOther for each entity that the snapshot shows.
	certainlySmall = 2 << 20
	weightOfOther  = 64 << 10
)

// refuseLargeSnapshots refuses events that the stream would not take, public or not. An event that
// was too large before may keep what it has, and be cancelled.
func refuseLargeSnapshots(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	for _, d := range diffs {
		others, bytes := map[string]bool{}, d.after.Bytes()
		for _, r := range rules.References(d.after) {
			others[r.Key] = true
		}
		if bytes+weightOfOther*len(others) <= certainlySmall {
			continue
		}
		snapshot, err := outbox.Preview(ctx, tx, d.key)
		if err != nil {
			return err
		}
		c, err := change.New(change.KindEvent, d.key, 1, snapshot)
		if err != nil {
			return err
		}
		data, err := c.Encode()
		if err != nil {
			return err
		}
		if len(data) > change.MaxBytes && !wasTooLarge(d, len(data)-bytes) {
			return invalid(rules.KindEvent, d.after.RefuseSnapshot(len(data)))
		}
	}
	return nil
}

// wasTooLarge reports whether an event was too large before an edit that adds nothing to it. others
// are the bytes of its snapshot that are not its own.
func wasTooLarge(d diff[*rules.Event], others int) bool {
	return !d.created && d.before.Bytes()+others > change.MaxBytes && d.after.BytesOfContent() <= d.before.BytesOfContent()
}
