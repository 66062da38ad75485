-- Notices beyond the bounds of package sending are counted until the next digest of their receiver.

-- +goose Up
CREATE TABLE held_notice (
    user_id integer NOT NULL REFERENCES app_user ON DELETE CASCADE,
    template text NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    notices integer NOT NULL CHECK (notices > 0),
    since timestamptz NOT NULL, -- of the first
    PRIMARY KEY (user_id, template)
);

-- +goose Down
DROP TABLE held_notice;
