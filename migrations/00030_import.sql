-- What imports of files have brought into an organization: which event each external id of a source
-- has become, and what the file said of it then. An import compares with it to change only what the
-- file has changed since, and to keep what people have edited.

-- +goose Up
CREATE TABLE imported_event (
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    source text NOT NULL CHECK (source <> '' AND length(source) <= 2048),
    external_id text NOT NULL CHECK (external_id <> '' AND length(external_id) <= 500),
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    -- By the name of a field: a digest of the value that the file had.
    digests jsonb NOT NULL CHECK (jsonb_typeof(digests) = 'object'),
    -- Of each date: its key in the file, its uuid, and a digest of what the file said of it.
    dates jsonb NOT NULL CHECK (jsonb_typeof(dates) = 'array'),
    imported_at timestamptz NOT NULL,
    PRIMARY KEY (org_uuid, source, external_id)
);

CREATE INDEX imported_event_event ON imported_event (event_uuid);

-- +goose Down
DROP TABLE imported_event;
