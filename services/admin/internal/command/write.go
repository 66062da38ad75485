package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

// writeOrganizations writes organizations and refuses any that would come to hold itself over other organizations. Those
// that come to have another holding organization do so one after the other.
func writeOrganizations(
	ctx context.Context, tx pgx.Tx, organizations []*catalog.Organization, stored postgres.Found[*catalog.Organization],
) (postgres.Versions, error) {
	versions, err := postgres.WriteOrganizations(ctx, tx, organizations, stored)
	if err != nil {
		return nil, err
	}
	var held []string
	for _, o := range organizations {
		before, exists := stored[o.UUID]
		if o.HoldingOrgUUID != "" && (!exists || before.Entity.HoldingOrgUUID != o.HoldingOrgUUID) {
			held = append(held, o.UUID)
		}
	}
	if len(held) == 0 {
		return versions, nil
	}
	if err := postgres.LockHoldings(ctx, tx); err != nil {
		return nil, err
	}
	circular, err := postgres.CircularHoldings(ctx, tx, held)
	if err != nil {
		return nil, err
	}
	if len(circular) > 0 {
		bad := fault.Violations{{Field: "holding_org_uuid", Reason: "names an organization that this one holds itself"}}
		return nil, bad.Err("invalid_organization", "the organization is not valid")
	}
	return versions, nil
}

// writeSpaces writes spaces and refuses any that would leave its venue while events use it there.
func writeSpaces(
	ctx context.Context, tx pgx.Tx, spaces []*catalog.Space, stored postgres.Found[*catalog.Space],
) (postgres.Versions, error) {
	for _, space := range spaces {
		before, exists := stored[space.UUID]
		if !exists || before.Entity.VenueUUID == space.VenueUUID {
			continue
		}
		uses, err := postgres.UsesOfSpace(ctx, tx, space.UUID)
		if err != nil {
			return nil, err
		}
		if uses.Events > 0 {
			return nil, fault.New(fault.Conflict, "space_in_use", "the space cannot move to another venue: %s", describe(uses))
		}
	}
	return postgres.WriteSpaces(ctx, tx, spaces, stored)
}

// explain replaces a refusal of an event for a date or an image of another event by one that names each of them.
func explain(ctx context.Context, tx pgx.Tx, i *item) error {
	if i.entity.Kind() != catalog.KindEvent || !fault.Is(i.result.Err, fault.Conflict) {
		return nil
	}
	foreign, err := postgres.ForeignParts(ctx, tx, i.entity.Key(), slices.Concat(i.dates, i.images))
	if err != nil || len(foreign) == 0 {
		return err
	}
	refused := fault.New(fault.Conflict, "uuid_taken", "the event holds what belongs to another event")
	for n, uuid := range i.dates {
		if foreign[uuid] {
			refused.Violations = append(refused.Violations, taken("dates", n, "date"))
		}
	}
	for n, uuid := range i.images {
		if foreign[uuid] {
			refused.Violations = append(refused.Violations, taken("images", n, "image"))
		}
	}
	i.refuse(refused)
	return nil
}

func taken(list string, position int, part string) fault.Violation {
	return fault.Violation{Field: fmt.Sprintf("%s[%d].uuid", list, position), Reason: "is that of another event's " + part}
}
