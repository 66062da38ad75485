package editing

import (
	"context"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
)

// Portal returns a portal to the members of its organization. A stranger's, and for all but
// platform administrators one of the operator, is a NotFound fault.
func (e *Editor) Portal(ctx context.Context, portal string) (Versioned[*rules.Portal], error) {
	return get(ctx, e, portals, portal)
}

// CreatePortal adds a portal and gives it its uuid. It needs EditOrganization in its organization,
// or for one of the operator a platform administrator. It returns the faults of create, and a
// Conflict for a slug that has a host name.
func (e *Editor) CreatePortal(ctx context.Context, p *rules.Portal) (created Versioned[*rules.Portal], err error) {
	p.Normalize()
	if err := e.slugReserved(ctx, p.Slug); err != nil {
		return created, e.RefuseNew(ctx, p, err)
	}
	if p.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, portals, p)
}

// UpdatePortal applies an edit to a portal. It needs the right to create it, also where it moves
// to. It returns the faults of update, and a Conflict for a new slug that has a host name.
func (e *Editor) UpdatePortal(
	ctx context.Context, at Target, edit func(*rules.Portal) error,
) (Versioned[*rules.Portal], error) {
	return update(ctx, e, portals, at, func(p *rules.Portal) error {
		before := p.Slug
		if err := edit(p); err != nil {
			return err
		}
		if p.Normalize(); p.Slug == before {
			return nil
		}
		return e.slugReserved(ctx, p.Slug)
	})
}

// slugReserved returns a Conflict if a slug has a host name, whose pages a portal with it takes
// over, and the principal is no platform administrator.
func (e *Editor) slugReserved(ctx context.Context, slug string) error {
	if !slices.Contains(e.PortalSlugs, slug) || auth.PrincipalOf(ctx).PlatformAdmin {
		return nil
	}
	refused := fault.New(fault.Conflict, "refused", "the slug has a host name, so only operators may give it to a portal")
	refused.Violations = fault.Violations{fault.Violate("slug", reason.SlugTaken)}
	return refused
}

// RemovePortal deletes a portal. It needs the right to create it. It returns the faults of remove.
func (e *Editor) RemovePortal(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, portals, at, password)
}
