-- The transaction that wrote each row of the outbox: the relay has to know which of them are still
-- to be published, because a position claims that all transactions up to it are. Rows written
-- before this migration get its own transaction; no answer has named theirs.

-- +goose Up
ALTER TABLE outbox
    ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();

CREATE INDEX outbox_unsent ON outbox (xid) WHERE attempts = 0;

-- +goose Down
DROP INDEX outbox_unsent;
ALTER TABLE outbox
    DROP COLUMN xid;
