-- The events that file imports have brought into an organization: the event of each external id of
-- a source, and digests of its values in the file at the time. Comparing with these, an import
-- changes only the values that have changed in the file since, and keeps edits made here.

-- +goose Up
CREATE TABLE imported_event (
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    source text NOT NULL CHECK (source <> '' AND length(source) <= 2048),
    external_id text NOT NULL CHECK (external_id <> '' AND length(external_id) <= 500),
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    -- By the name of a field: a digest of the value that the file had.
    digests jsonb NOT NULL CHECK (jsonb_typeof(digests) = 'object'),
    -- For each date: its key in the file, its uuid, and a digest of its values in the file.
    dates jsonb NOT NULL CHECK (jsonb_typeof(dates) = 'array'),
    imported_at timestamptz NOT NULL,
    PRIMARY KEY (org_uuid, source, external_id)
);

CREATE INDEX imported_event_event ON imported_event (event_uuid);

-- +goose Down
DROP TABLE imported_event;
