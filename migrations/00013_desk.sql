-- A user's messages and todos, and the audit of every write.

-- +goose Up
CREATE TABLE message (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    from_user_id integer NOT NULL REFERENCES app_user,
    org_uuid uuid REFERENCES organization ON DELETE SET NULL, -- the organization it was addressed to
    subject text_500 NOT NULL,
    body text_10000 NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE message_recipient (
    message_id integer NOT NULL REFERENCES message ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES app_user,
    read_at timestamptz,
    PRIMARY KEY (user_id, message_id)
);

CREATE INDEX message_recipient_by_message ON message_recipient (message_id);

CREATE TABLE todo (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    user_id integer NOT NULL REFERENCES app_user,
    title text_500 NOT NULL,
    description text_10000,
    due_date day,
    completed boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX todo_by_user ON todo (user_id, due_date DESC NULLS LAST, id DESC);

-- Who did what, when and from where. Entries outlive the rows that they describe, so they refer to
-- them by value. before and after contain only the changed fields, without secrets.
CREATE TABLE audit_entry (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    actor_user_id integer, -- NULL: the program itself, its command line, or an organization's API key
    actor_api_key uuid,
    org_uuid uuid, -- whose managers may read it
    action text NOT NULL CHECK (action ~ '^[a-z_]+\.[a-z_]+$'), -- e.g. user.activate
    entity_kind text NOT NULL CHECK (entity_kind ~ '^[a-z_]+$'),
    entity_id text NOT NULL CHECK (entity_id <> ''),
    address inet,
    request_id text,
    before jsonb CHECK (jsonb_typeof(before) = 'object'),
    after jsonb CHECK (jsonb_typeof(after) = 'object')
);

CREATE INDEX audit_entry_by_organization ON audit_entry (org_uuid, id DESC) WHERE org_uuid IS NOT NULL;
CREATE INDEX audit_entry_by_actor ON audit_entry (actor_user_id, id DESC) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_entry_by_entity ON audit_entry (entity_kind, entity_id, id DESC);

-- Recorded entries cannot be changed.

-- +goose StatementBegin
CREATE FUNCTION audit_entry_refuse_update() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION 'an audit entry never changes' USING ERRCODE = 'restrict_violation';
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER audit_entry_refuse_update
    BEFORE UPDATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse_update();

-- +goose Down
DROP TRIGGER audit_entry_refuse_update ON audit_entry;
DROP FUNCTION audit_entry_refuse_update();
DROP TABLE audit_entry;
DROP TABLE todo;
DROP TABLE message_recipient;
DROP TABLE message;
