-- The outbox: entities whose public state changed. A command writes its rows and these in one
-- transaction; the relay publishes the entity's current state, then deletes the rows. Ids are not
-- in commit order.

-- +goose Up
CREATE TABLE outbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event')),
    entity_id text NOT NULL CHECK (entity_id <> ''),
    created_at timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
CREATE FUNCTION outbox_notify() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('catalog_outbox', '');
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER outbox_notify
    AFTER INSERT ON outbox
    FOR EACH STATEMENT EXECUTE FUNCTION outbox_notify();

-- The revision of published changes: the relay takes one for each transaction.
CREATE SEQUENCE catalog_revision;

-- +goose Down
DROP SEQUENCE catalog_revision;
DROP TRIGGER outbox_notify ON outbox;
DROP FUNCTION outbox_notify();
DROP TABLE outbox;
