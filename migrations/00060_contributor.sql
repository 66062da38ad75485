-- Contributors: the people and groups that take part in events. One belongs to the organization that
-- first named it, which edits it together with the operator; events of all organizations may name it.

-- +goose Up
CREATE TABLE contributor (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid REFERENCES organization ON DELETE SET NULL, -- NULL: the operator's
    type item_key NOT NULL CHECK (type IN ('person', 'group')),
    name text_500 NOT NULL,
    note text_500, -- distinguishes it from others of the same name
    description text_10000,
    web_link web_url,
    wikidata text CHECK (wikidata ~ '^Q[1-9][0-9]{0,11}$'),
    former_uuids uuid[] NOT NULL DEFAULT '{}', -- of contributors that were merged into it
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX contributor_by_organization ON contributor (org_uuid);

CREATE INDEX contributor_by_name ON contributor (lower(name), uuid);

CREATE INDEX contributor_by_former_uuid ON contributor USING gin (former_uuids)
WHERE former_uuids <> '{}';

CREATE TABLE event_contributor (
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    position integer NOT NULL,
    contributor_uuid uuid NOT NULL REFERENCES contributor,
    role item_key NOT NULL,
    PRIMARY KEY (event_uuid, position)
);

CREATE INDEX event_contributor_by_contributor ON event_contributor (contributor_uuid);

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'list', 'series', 'contributor', 'apikey'));

-- +goose Down
DELETE FROM outbox
WHERE kind = 'contributor';
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'list', 'series', 'apikey'));
DELETE FROM lookup
WHERE name = 'contributor-roles';
DROP TABLE event_contributor;
DROP TABLE contributor;
