-- The choices that an organization has made for an imported file: an import of a file with the same
-- columns begins with them.

-- +goose Up
CREATE TABLE import_choice (
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    header sha256 NOT NULL, -- of the format and the names of the columns
    mapping jsonb NOT NULL CHECK (jsonb_typeof(mapping) = 'object'), -- fields by names of columns
    date_order text NOT NULL CHECK (date_order IN ('', 'dmy', 'mdy')),
    venues jsonb NOT NULL CHECK (jsonb_typeof(venues) = 'array'), -- of venues that the file names otherwise
    kinds jsonb NOT NULL CHECK (jsonb_typeof(kinds) = 'array'), -- of types of events, likewise
    chosen_at timestamptz NOT NULL,
    PRIMARY KEY (org_uuid, header)
);

-- +goose Down
DROP TABLE import_choice;
