package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
)

const organizationRows = `
    SELECT
        uuid, name, description, legal_form, nonprofit, holding_org_uuid, contact_email, contact_phone, web_link,
        street, house_number, address_addition, postal_code, city, state, country, lat, lon, version
    FROM organization`

const selectStoredOrganizations = `
SELECT version, row_to_json(row)
FROM (` + organizationRows + `
    WHERE uuid = ANY ($1::uuid[])
) AS row`

// Organizations returns the organizations of those uuids that exist.
func Organizations(ctx context.Context, tx pgx.Tx, uuids []string) (Found[*catalog.Organization], error) {
	found, err := readByKey[*catalog.Organization](ctx, tx, selectStoredOrganizations, uuids)
	if err != nil {
		return nil, fmt.Errorf("read organizations: %w", err)
	}
	return found, nil
}

const upsertOrganizations = `
INSERT INTO organization AS stored (
    uuid, name, description, legal_form, nonprofit, holding_org_uuid, contact_email, contact_phone, web_link,
    street, house_number, address_addition, postal_code, city, state, country, lat, lon
)
SELECT
    uuid, name, description, legal_form, nonprofit, holding_org_uuid, contact_email, contact_phone, web_link,
    street, house_number, address_addition, postal_code, city, state, country, lat, lon
FROM json_populate_recordset(NULL::organization, $1)
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    name = excluded.name,
    description = excluded.description,
    legal_form = excluded.legal_form,
    nonprofit = excluded.nonprofit,
    holding_org_uuid = excluded.holding_org_uuid,
    contact_email = excluded.contact_email,
    contact_phone = excluded.contact_phone,
    web_link = excluded.web_link,
    street = excluded.street,
    house_number = excluded.house_number,
    address_addition = excluded.address_addition,
    postal_code = excluded.postal_code,
    city = excluded.city,
    state = excluded.state,
    country = excluded.country,
    lat = excluded.lat,
    lon = excluded.lon,
    version = stored.version + 1,
    updated_at = now()
RETURNING uuid::text, version`

// WriteOrganizations creates or changes organizations; stored holds those that exist, and the caller has locked their rows.
func WriteOrganizations(
	ctx context.Context, tx pgx.Tx, organizations []*catalog.Organization, stored Found[*catalog.Organization],
) (Versions, error) {
	versions, err := write(ctx, tx, upsertOrganizations, organizations, stored)
	if err != nil {
		return nil, fmt.Errorf("write organizations: %w", err)
	}
	return versions, nil
}

// lockHoldings has two numbers, which sets it apart from the locks of relays, and another first one than limits have.
const lockHoldings = `SELECT pg_advisory_xact_lock(7105646, 0)`

// LockHoldings keeps others from naming holding organizations until the transaction ends: two that each close a half of a
// circle may have no row in common.
func LockHoldings(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, lockHoldings); err != nil {
		return fmt.Errorf("lock holding organizations: %w", err)
	}
	return nil
}

const selectCircularHoldings = `
WITH RECURSIVE above AS (
    SELECT uuid AS start, holding_org_uuid AS uuid
    FROM organization
    WHERE uuid = ANY ($1::uuid[])
    UNION
    SELECT above.start, organization.holding_org_uuid
    FROM above
    JOIN organization ON organization.uuid = above.uuid
)
SELECT start::text
FROM above
WHERE uuid = start`

// CircularHoldings returns those of the organizations that are, over any number of steps, their own holding organization.
// Call it after LockHoldings.
func CircularHoldings(ctx context.Context, tx pgx.Tx, uuids []string) ([]string, error) {
	rows, err := tx.Query(ctx, selectCircularHoldings, uuids)
	if err != nil {
		return nil, fmt.Errorf("follow holding organizations: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

const deleteOrganization = `DELETE FROM organization WHERE uuid = $1::uuid`

// DeleteOrganization deletes an organization that nothing uses.
func DeleteOrganization(ctx context.Context, tx pgx.Tx, uuid string) error {
	return deleteByKey(ctx, tx, deleteOrganization, uuid)
}
