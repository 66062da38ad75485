-- What the relay knows of the stream that it publishes to: which one it is, how far it had got when
-- rows of the outbox were last deleted because it had them, and whether it is being filled anew. A
-- stream that is another one, or ends earlier, has lost what the outbox does not hold any more.

-- +goose Up
CREATE TABLE relay_stream (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    identity text NOT NULL CHECK (identity <> ''),
    sequence bigint NOT NULL CHECK (sequence >= 0),
    -- The greatest id of the rows of the outbox that fill it anew; NULL once they are published.
    refill_until bigint
);

-- +goose Down
DROP TABLE relay_stream;
