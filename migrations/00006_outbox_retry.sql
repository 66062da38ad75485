-- An entity whose state cannot be published must not hold up the others: its outbox rows stay, with the reason, and are
-- tried again later and later. A new row of the same entity is tried at once.

-- +goose Up
ALTER TABLE outbox
    ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- that failed
    ADD COLUMN retry_at timestamptz, -- not before then; NULL: at once
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
