package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// Outcome is the effect of saving an entity.
type Outcome string

// The outcomes. A refused entity has none.
const (
	Created   Outcome = "created"
	Changed   Outcome = "changed"
	Unchanged Outcome = "unchanged"
)

// Result is the result of one entity of a batch: an outcome, or the *fault.Fault that refused it.
type Result struct {
	Outcome Outcome
	Version int64 // of the entity, as it now is
	Err     error
}

// Operator changes the catalogue for the operator's commands, without checks of permissions. No
// request uses it.
type Operator struct{ db *postgres.DB }

// NewOperator returns an operator of a database.
func NewOperator(db *postgres.DB) *Operator { return &Operator{db} }

// Save creates or changes the entities of a batch, of any kinds, in one transaction. An entity may
// refer to one that comes earlier in the same batch; of several entities with one key the last one
// wins. The entities are normalized in place. A refused entity has its fault in its result, and the
// others are saved; saving them again reports Unchanged. An error concerns the whole batch, such as
// a database that cannot be reached: then nothing is saved.
func (o *Operator) Save(ctx context.Context, batch []rules.Entity) ([]Result, error) {
	results := make([]Result, len(batch))
	var valid []*item
	var positions []int // of the valid ones in the batch
	for i, entity := range batch {
		it, err := newItem(entity)
		if err != nil {
			results[i].Err = fault.Of(err)
			continue
		}
		valid, positions = append(valid, it), append(positions, i)
	}
	if len(valid) == 0 {
		return results, nil
	}
	if err := o.db.InTx(ctx, func(tx pgx.Tx) error { return saveBatch(ctx, tx, valid) }); err != nil {
		return nil, err
	}
	for i, it := range valid {
		results[positions[i]] = it.result
	}
	return results, nil
}
