-- Links of events get ids of their own, which clients name when they change or delete one. The
-- default gives each stored link its id, and each link that a program writes without one.

-- +goose Up
-- A new UUIDv7: the milliseconds since 1970, then the random part of a version 4. PostgreSQL has a
-- built-in function for it only since version 18.
-- +goose StatementBegin
CREATE FUNCTION new_uuid_v7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN (
    lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14)
)::uuid;
-- +goose StatementEnd

ALTER TABLE event_link ADD COLUMN uuid uuid_v7 NOT NULL DEFAULT new_uuid_v7();
ALTER TABLE event_link ADD CONSTRAINT event_link_uuid UNIQUE (uuid);

-- Venues near a point are found by their latitude.
CREATE INDEX venue_by_latitude ON venue (lat) WHERE lat IS NOT NULL;

-- +goose Down
DROP INDEX venue_by_latitude;
ALTER TABLE event_link DROP CONSTRAINT event_link_uuid;
ALTER TABLE event_link DROP COLUMN uuid;
DROP FUNCTION new_uuid_v7();
