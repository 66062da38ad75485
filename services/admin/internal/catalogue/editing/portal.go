package editing

import (
	"context"

	"litfass/services/admin/internal/catalogue/rules"
)

// Portal returns a portal to the members of its organization. A stranger's, and for all but
// platform administrators one of the operator, is a NotFound fault.
func (e *Editor) Portal(ctx context.Context, portal string) (Versioned[*rules.Portal], error) {
	return get(ctx, e, portals, portal)
}

// CreatePortal adds a portal and gives it its uuid. It needs EditOrganization in its organization,
// or for one of the operator a platform administrator. It returns the faults of create.
func (e *Editor) CreatePortal(ctx context.Context, p *rules.Portal) (created Versioned[*rules.Portal], err error) {
	if p.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, portals, p)
}

// UpdatePortal applies an edit to a portal. It needs the right to create it, also where it moves
// to. It returns the faults of update.
func (e *Editor) UpdatePortal(
	ctx context.Context, at Target, edit func(*rules.Portal) error,
) (Versioned[*rules.Portal], error) {
	return update(ctx, e, portals, at, edit)
}

// RemovePortal deletes a portal. It needs the right to create it. It returns the faults of remove.
func (e *Editor) RemovePortal(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, portals, at, password)
}
