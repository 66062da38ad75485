-- Addresses that an organization has read on a schedule, and the events that they had and that may
-- be events of the catalogue already.

-- +goose Up
CREATE TABLE event_source (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    name text_500 NOT NULL,
    address text NOT NULL CHECK (address <> '' AND length(address) <= 2048),
    record text NOT NULL CHECK (record <> '' AND length(record) <= 2048), -- the source of imported_event
    interval_minutes integer NOT NULL CHECK (interval_minutes BETWEEN 15 AND 10080),
    paused boolean NOT NULL,
    settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object'), -- of its imports
    answers_for integer REFERENCES app_user ON DELETE SET NULL, -- by whose rights it is read
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL DEFAULT 1,

    next_read_at timestamptz NOT NULL,
    claimed_until timestamptz, -- while one process reads it
    etag text CHECK (length(etag) <= 500),
    last_modified text CHECK (length(last_modified) <= 500),
    content sha256, -- of the file that was last imported
    imported_at timestamptz, -- when it was
    read_at timestamptz, -- when it was last tried
    succeeded_at timestamptz,
    failures integer NOT NULL DEFAULT 0, -- since it last succeeded
    failing_since timestamptz,
    failure jsonb, -- the last reason
    warned_at timestamptz, -- when those who answer for it got a mail, since it last succeeded
    report jsonb, -- of the last import
    UNIQUE (org_uuid, record),
    CHECK ((failures = 0) = (failing_since IS NULL)),
    CHECK ((failures = 0) = (failure IS NULL))
);

CREATE INDEX event_source_due ON event_source (next_read_at) WHERE NOT paused;
CREATE INDEX event_source_by_person ON event_source (answers_for);

CREATE TABLE source_duplicate (
    source_uuid uuid NOT NULL REFERENCES event_source ON DELETE CASCADE,
    external_id text NOT NULL CHECK (external_id <> '' AND length(external_id) <= 500),
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE, -- that it looks like
    entry jsonb NOT NULL CHECK (jsonb_typeof(entry) = 'object'), -- as the source had it
    decision text CHECK (decision IN ('same', 'different')), -- NULL: not decided
    seen_at timestamptz NOT NULL,
    decided_at timestamptz,
    PRIMARY KEY (source_uuid, external_id),
    CHECK ((decision IS NULL) = (decided_at IS NULL))
);

CREATE INDEX event_date_by_start ON event_date (start_date, start_time); -- of possible duplicates
CREATE INDEX source_duplicate_by_event ON source_duplicate (event_uuid);

-- +goose Down
DROP INDEX event_date_by_start;
DROP TABLE source_duplicate;
DROP TABLE event_source;
