-- The stream that the relay publishes to: its identity, its last sequence when published rows were
-- last deleted from the outbox, and whether it is being refilled. A stream with another identity,
-- or one that ends earlier, has lost messages whose rows the outbox no longer holds.

-- +goose Up
CREATE TABLE relay_stream (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    identity text NOT NULL CHECK (identity <> ''),
    sequence bigint NOT NULL CHECK (sequence >= 0),
    -- The greatest id of the outbox rows that refill the stream; NULL once they are published.
    refill_until bigint
);

-- +goose Down
DROP TABLE relay_stream;
