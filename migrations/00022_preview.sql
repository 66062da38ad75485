-- Links that show an event to people without an account, before it is public. Only the hash of the
-- token in the link is stored. A link that is revoked is deleted.

-- +goose Up
CREATE TABLE preview_link (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);

CREATE INDEX preview_link_by_event ON preview_link (event_uuid);

-- +goose Down
DROP TABLE preview_link;
