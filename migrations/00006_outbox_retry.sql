-- An entity whose state cannot be published must not block the others: its outbox rows stay, with
-- the reason, and are retried at growing intervals. A new row of the same entity is tried
-- immediately.

-- +goose Up
ALTER TABLE outbox
    ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- failed ones
    ADD COLUMN retry_at timestamptz, -- not before this time; NULL: immediately
    ADD COLUMN last_error text,
    ADD CONSTRAINT outbox_failure_is_whole CHECK (
        (attempts = 0) = (retry_at IS NULL) AND (attempts = 0) = (last_error IS NULL)
    );

CREATE INDEX outbox_waiting ON outbox (kind, entity_id) WHERE attempts > 0;

-- +goose Down
DROP INDEX outbox_waiting;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_failure_is_whole,
    DROP COLUMN last_error,
    DROP COLUMN retry_at,
    DROP COLUMN attempts;
