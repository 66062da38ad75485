package editing

import (
	"context"

	"litfass/services/admin/internal/catalogue/rules"
)

// List returns a list to the members of its organization. A stranger's, and for all but platform
// administrators one of the operator, is a NotFound fault.
func (e *Editor) List(ctx context.Context, list string) (Versioned[*rules.List], error) {
	return get(ctx, e, lists, list)
}

// CreateList adds a list and gives it its uuid. It needs EditOrganization in its organization, or
// for one of the operator a platform administrator. It returns the faults of create.
func (e *Editor) CreateList(ctx context.Context, l *rules.List) (created Versioned[*rules.List], err error) {
	if l.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, lists, l)
}

// UpdateList applies an edit to a list. It needs the right to create it, also where it moves to. It
// returns the faults of update.
func (e *Editor) UpdateList(
	ctx context.Context, at Target, edit func(*rules.List) error,
) (Versioned[*rules.List], error) {
	return update(ctx, e, lists, at, edit)
}

// RemoveList deletes a list. It needs the right to create it. It returns the faults of remove.
func (e *Editor) RemoveList(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, lists, at, password)
}
