-- How many of each thing an owner has added on the last day on which any was added: the bounds of a
-- day are those of package quota. A row is locked until its transaction ends, so that simultaneous
-- creations count each other.

-- +goose Up
CREATE TABLE quota (
    owner text NOT NULL CHECK (length(owner) <= 64), -- uuid of an organization or a venue, or the id of an account
    thing text NOT NULL CHECK (length(thing) <= 40),
    day date NOT NULL, -- UTC
    added integer NOT NULL CHECK (added > 0),
    PRIMARY KEY (owner, thing)
);

-- +goose Down
DROP TABLE quota;
