-- Portals: named parts of the public catalogue, each of an organization or of the operator. What a
-- filter and the lists name need not exist (any more).

-- +goose Up
CREATE TABLE portal (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid REFERENCES organization, -- NULL: the operator's
    slug slug NOT NULL UNIQUE,
    name text_500 NOT NULL,
    titles jsonb NOT NULL CHECK (jsonb_typeof(titles) = 'array'), -- [{language, title}]
    languages text[] NOT NULL,
    look jsonb NOT NULL CHECK (jsonb_typeof(look) = 'object'),
    filter jsonb NOT NULL CHECK (jsonb_typeof(filter) = 'object'), -- parameters of the search
    include jsonb NOT NULL CHECK (jsonb_typeof(include) = 'object'), -- {org_uuids, venue_uuids, event_uuids}
    exclude jsonb NOT NULL CHECK (jsonb_typeof(exclude) = 'object'),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX portal_by_organization ON portal (org_uuid);

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'apikey'));

-- +goose Down
DELETE FROM outbox
WHERE kind = 'portal';
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'apikey'));
DROP TABLE portal;
