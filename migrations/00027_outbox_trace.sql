-- The trace in which each row of the outbox was written (W3C Trace Context), null outside of a
-- trace. A transaction that belongs to one says so in a setting of its own, which every statement
-- that inserts rows takes over; programs that do not know the setting write no trace.

-- +goose Up
ALTER TABLE outbox
    ADD COLUMN traceparent text DEFAULT nullif(current_setting('litfass.traceparent', true), '')
    CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');

-- +goose Down
ALTER TABLE outbox
    DROP COLUMN traceparent;
