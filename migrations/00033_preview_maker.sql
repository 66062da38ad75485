-- A preview link has an id, by which it is revoked, and its maker and organization: it ends with the
-- maker's right to edit there (package preview). A link of an older program has no maker and ends by
-- its time.

-- +goose Up
ALTER TABLE preview_link
    ADD COLUMN uuid uuid_v7 NOT NULL DEFAULT new_uuid_v7(),
    ADD COLUMN org_uuid uuid REFERENCES organization ON DELETE CASCADE, -- that the event belonged to then
    ADD COLUMN made_by integer REFERENCES app_user ON DELETE CASCADE, -- the user, or the creator of the key
    ADD COLUMN api_key_uuid uuid REFERENCES api_key ON DELETE CASCADE,
    ADD CONSTRAINT preview_link_uuid UNIQUE (uuid);

UPDATE preview_link
SET org_uuid = event.org_uuid
FROM event
WHERE event.uuid = preview_link.event_uuid;

CREATE INDEX preview_link_by_organization ON preview_link (org_uuid);
CREATE INDEX preview_link_by_maker ON preview_link (made_by);
CREATE INDEX preview_link_by_key ON preview_link (api_key_uuid);

-- +goose Down
ALTER TABLE preview_link
    DROP COLUMN api_key_uuid,
    DROP COLUMN made_by,
    DROP COLUMN org_uuid,
    DROP COLUMN uuid;
