-- Lists: events and dates in the order of an editor, each list of an organization or of the
-- operator. What the entries name need not be public, nor exist (any more).

-- +goose Up
CREATE TABLE list (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid REFERENCES organization, -- NULL: the operator's
    slug slug NOT NULL UNIQUE,
    name text_500 NOT NULL,
    description text_10000,
    titles jsonb NOT NULL CHECK (jsonb_typeof(titles) = 'array'), -- [{language, title, description}]
    public boolean NOT NULL,
    entries jsonb NOT NULL CHECK (jsonb_typeof(entries) = 'array'), -- [{event_uuid, date_uuid, note}]
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX list_by_organization ON list (org_uuid);

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'list', 'apikey'));

-- +goose Down
DELETE FROM outbox
WHERE kind = 'list';
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'apikey'));
DROP TABLE list;
