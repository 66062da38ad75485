-- A venue can be used by the events of every organization unless its owner closed it.

-- +goose Up
ALTER TABLE venue
    ADD COLUMN use text NOT NULL DEFAULT 'open',
    ADD CONSTRAINT venue_use CHECK (use IN ('open', 'closed'));

-- +goose Down
ALTER TABLE venue
    DROP COLUMN use;
