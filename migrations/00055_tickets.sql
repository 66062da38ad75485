-- Tickets of a date and what changed: whether there are places, when tickets are sold, and its start
-- and status as they were published before. Times are local to the place.

-- +goose Up
ALTER TABLE event
ADD COLUMN tariffs jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tariffs) = 'array'),
ADD COLUMN status_changed_at timestamptz(0);

ALTER TABLE event_date
ADD COLUMN availability item_key,
ADD COLUMN remaining_places int CHECK (remaining_places >= 0),
ADD COLUMN availability_version bigint NOT NULL DEFAULT 1, -- of the two above
ADD COLUMN on_sale_from text CHECK (on_sale_from ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
ADD COLUMN on_sale_until text CHECK (on_sale_until ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
ADD COLUMN previous_start text CHECK (previous_start ~ '^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$'),
ADD COLUMN status_changed_at timestamptz(0);

-- The right to change the availability of dates is bit 29, which bit 25, to edit events, includes
-- (RULES.md, Rights).
ALTER DOMAIN permission_mask DROP CONSTRAINT permission_mask_check;
ALTER DOMAIN permission_mask ADD CONSTRAINT permission_mask_check CHECK (VALUE & 1057427327 = VALUE);

-- whole_permissions adds the permissions that others of a set include.
CREATE FUNCTION whole_permissions(mask bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN mask | ((mask & 33554432) << 4);

-- +goose Down
DROP FUNCTION whole_permissions(bigint);
UPDATE membership SET permissions = permissions & 520556415 WHERE permissions & 536870912 <> 0;
UPDATE invitation SET permissions = permissions & 520556415 WHERE permissions & 536870912 <> 0;
UPDATE api_key SET permissions = permissions & 520556415 WHERE permissions & 536870912 <> 0;
ALTER DOMAIN permission_mask DROP CONSTRAINT permission_mask_check;
ALTER DOMAIN permission_mask ADD CONSTRAINT permission_mask_check CHECK (VALUE & 520556415 = VALUE);

ALTER TABLE event_date
DROP COLUMN availability,
DROP COLUMN remaining_places,
DROP COLUMN availability_version,
DROP COLUMN on_sale_from,
DROP COLUMN on_sale_until,
DROP COLUMN previous_start,
DROP COLUMN status_changed_at;

ALTER TABLE event
DROP COLUMN tariffs,
DROP COLUMN status_changed_at;
