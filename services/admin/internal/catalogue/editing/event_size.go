package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

const (
	// certainlySmall is a size of an event, with weightOfOther for each entity that its snapshot shows,
	// at which nothing need be measured.
	certainlySmall = 2 << 20
	weightOfOther  = 64 << 10
)

// refuseLargeSnapshots refuses events that the stream would not take, public or not. Events that
// are stored already may keep what they have.
func refuseLargeSnapshots(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	for _, d := range diffs {
		others, bytes := map[string]bool{}, d.after.Bytes()
		for _, r := range rules.References(d.after) {
			others[r.Key] = true
		}
		if bytes+weightOfOther*len(others) <= certainlySmall || !d.created && bytes <= d.before.Bytes() {
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
		if len(data) > change.MaxBytes {
			return invalid(rules.KindEvent, d.after.RefuseSnapshot(len(data)))
		}
	}
	return nil
}
