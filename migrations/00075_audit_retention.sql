-- Entries of the audit lose the addresses of clients after a time. The entries up to one id have lost
-- them, so each is looked at once; no index of a large table has to be built for it.

-- +goose Up
CREATE TABLE audit_forgotten (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    addresses_until bigint NOT NULL DEFAULT 0 -- the id of an entry
);

INSERT INTO audit_forgotten DEFAULT VALUES;

-- +goose Down
DROP TABLE audit_forgotten;
