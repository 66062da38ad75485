package editing

import (
	"context"

	"litfass/services/admin/internal/catalogue/rules"
)

// Space returns a space to the members of its venue's organization. A stranger's is a NotFound
// fault.
func (e *Editor) Space(ctx context.Context, space string) (Versioned[*rules.Space], error) {
	return get(ctx, e, spaces, space)
}

// CreateSpace adds a space to a venue and gives it its uuid. It needs AddSpace in the venue's
// organization. It returns the faults of create.
func (e *Editor) CreateSpace(ctx context.Context, s *rules.Space) (created Versioned[*rules.Space], err error) {
	if s.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, spaces, s)
}

// UpdateSpace applies an edit to a space. It needs EditSpace, also where the space moves to. It
// returns the faults of update, and Conflict for a space that events use and that would leave its
// venue.
func (e *Editor) UpdateSpace(
	ctx context.Context, at Target, edit func(*rules.Space) error,
) (Versioned[*rules.Space], error) {
	return update(ctx, e, spaces, at, edit)
}

// RemoveSpace deletes a space. It needs DeleteSpace. It returns the faults of remove.
func (e *Editor) RemoveSpace(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, spaces, at, password)
}
