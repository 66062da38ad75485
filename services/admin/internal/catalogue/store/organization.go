package store

import "litfass/services/admin/internal/catalogue/rules"

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

// deleteOrganization leaves the contributors of the organization that an event names to the
// operator.
const deleteOrganization = `
WITH unnamed AS (
    DELETE FROM contributor
    WHERE org_uuid = $1::uuid AND NOT EXISTS (SELECT FROM event_contributor WHERE contributor_uuid = contributor.uuid)
)
DELETE FROM organization
WHERE uuid = $1::uuid`

const countUsesOfOrganization = `
SELECT
    (SELECT count(*) FROM organization WHERE holding_org_uuid = $1::uuid),
    (SELECT count(*) FROM venue WHERE org_uuid = $1::uuid),
    (SELECT count(*) FROM event WHERE org_uuid = $1::uuid),
    (SELECT count(*) FROM portal WHERE org_uuid = $1::uuid),
    (SELECT count(*) FROM list WHERE org_uuid = $1::uuid),
    (SELECT count(*) FROM series WHERE org_uuid = $1::uuid)`

// Organizations are the rows of organizations. They are used by the organizations that they hold,
// and by their venues, events, portals, lists and series.
var Organizations = Table[*rules.Organization]{
	kind: rules.KindOrganization, read: selectStoredOrganizations, upsert: upsertOrganizations,
	remove: deleteOrganization, uses: countUsesOfOrganization,
}
