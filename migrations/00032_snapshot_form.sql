-- The forms in which entities have been published: for each kind, a digest of the fields of its
-- snapshots and of the queries that read them, as each program has it. The form that appeared last
-- is the current one. Entities that were published in another form are published again, in the
-- order of their ids.

-- +goose Up
CREATE SEQUENCE snapshot_form_number;

CREATE TABLE snapshot_form (
    kind text NOT NULL CHECK (kind <> ''),
    digest text NOT NULL CHECK (digest <> ''),
    number bigint NOT NULL DEFAULT nextval('snapshot_form_number'), -- the greatest of a kind is current
    seen_at timestamptz NOT NULL DEFAULT now(), -- when a process with this form ran last
    -- The id up to which entities have been published again in this form, '' at the beginning; NULL
    -- once all have.
    after text,
    PRIMARY KEY (kind, digest)
);

CREATE VIEW current_snapshot_form AS
SELECT DISTINCT ON (kind) kind, digest, seen_at, after
FROM snapshot_form
ORDER BY kind, number DESC;

-- The stream, and its sequence, up to which messages are in the current forms or are going to be
-- published again. Leaders of a version without forms, or with older ones, do not write these.
ALTER TABLE relay_stream
    ADD COLUMN form_identity text,
    ADD COLUMN form_sequence bigint CHECK (form_sequence >= 0);

-- +goose Down
ALTER TABLE relay_stream
    DROP COLUMN form_sequence,
    DROP COLUMN form_identity;
DROP VIEW current_snapshot_form;
DROP TABLE snapshot_form;
DROP SEQUENCE snapshot_form_number;
