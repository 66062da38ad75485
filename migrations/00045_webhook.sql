-- Webhooks: addresses that are notified of changes, and the deliveries to them (package webhook).

-- +goose Up
CREATE TABLE webhook (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid REFERENCES organization ON DELETE CASCADE, -- its owner: an organization,
    user_id integer REFERENCES app_user ON DELETE CASCADE, -- a user, or the operator of the platform
    created_by integer REFERENCES app_user ON DELETE SET NULL,
    name text_500 NOT NULL,
    url text NOT NULL CHECK (url ~ '^https?://' AND char_length(url) <= 2048),
    types text[] NOT NULL CHECK (cardinality(types) BETWEEN 1 AND 50 AND array_position(types, NULL) IS NULL),
    filter jsonb NOT NULL CHECK (jsonb_typeof(filter) = 'object'),
    secret bytea NOT NULL, -- sealed with a configured secret when sealed is true
    sealed boolean NOT NULL,
    old_secret bytea, -- also signs until old_until
    old_sealed boolean,
    old_until timestamptz,
    active boolean NOT NULL DEFAULT true,
    ended_for text CHECK (ended_for IN ('failing', 'gone', 'backlog')), -- NULL: by its owner
    ended_at timestamptz,
    failures integer NOT NULL DEFAULT 0, -- attempts without an answer since the last answer
    rests_until timestamptz, -- no attempt until then
    succeeded_at timestamptz, -- the last delivery
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT webhook_one_owner CHECK (num_nonnulls(org_uuid, user_id) <= 1),
    CONSTRAINT webhook_old_secret CHECK (num_nonnulls(old_secret, old_sealed, old_until) IN (0, 3)),
    CONSTRAINT webhook_ended CHECK (active = (ended_at IS NULL) AND (ended_for IS NULL OR NOT active))
);

CREATE INDEX webhook_by_organization ON webhook (org_uuid);
CREATE INDEX webhook_by_user ON webhook (user_id);
CREATE INDEX webhook_by_creator ON webhook (created_by);

CREATE TABLE webhook_delivery (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL UNIQUE, -- derived from the webhook and the change: no change is stored twice
    webhook_uuid uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
    type text NOT NULL CHECK (type ~ '^[a-z]+\.[a-z]+$'),
    entity_id uuid NOT NULL, -- deliveries of one entity are sent in order of their numbers
    body bytea NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    began_at timestamptz, -- the first attempt
    ended_at timestamptz, -- the last attempt
    took_ms integer CHECK (took_ms >= 0), -- the last attempt
    status integer, -- of the last answer
    answer text CHECK (char_length(answer) <= 1000), -- its beginning
    problem text CHECK (problem IN ('not_public', 'timeout', 'unreachable', 'status', 'secret'))
);

CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_uuid, number);
CREATE INDEX webhook_delivery_in_order ON webhook_delivery (webhook_uuid, entity_id, number) WHERE state = 'pending';
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_uuid, number) WHERE state = 'pending';

-- What was announced to webhooks: the public state of each entity by its digest, and its
-- attributes by which webhooks filter. Traits are NULL for an entity that is not public.
CREATE TABLE webhook_entity (
    id uuid PRIMARY KEY,
    revision bigint NOT NULL,
    digest sha256,
    traits jsonb,
    CONSTRAINT webhook_entity_public CHECK ((digest IS NULL) = (traits IS NULL))
);

-- Edits of events of organizations with a webhook for drafts, in the transaction of the edit.
CREATE TABLE webhook_draft (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    event_uuid uuid NOT NULL,
    org_uuid uuid NOT NULL,
    was_public boolean NOT NULL -- before the edit
);

-- +goose Down
DROP TABLE webhook_draft;
DROP TABLE webhook_entity;
DROP TABLE webhook_delivery;
DROP TABLE webhook;
