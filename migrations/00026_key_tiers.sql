-- An API key raises the limits of public operations by its tier. The query services, which have no
-- database, learn of keys from the stream: of their hashes, tiers and ends, nothing else. Triggers
-- enqueue a key with each write that decides whether it is of use, so that no command omits it.

-- +goose Up
ALTER TABLE api_key
    ADD COLUMN tier text NOT NULL DEFAULT 'standard' CHECK (tier ~ '^[a-z][a-z0-9_-]{0,31}$');

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (
        kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'apikey')
    );

-- Whether the creator of a key is active and, for an organization's key, may act there.
CREATE FUNCTION api_key_creator_has_access(creator integer, organization uuid) RETURNS boolean
    LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (
        SELECT
        FROM app_user u
        WHERE u.id = creator
            AND u.activated_at IS NOT NULL
            AND u.deactivated_at IS NULL
            AND (
                organization IS NULL
                OR u.is_platform_admin
                OR EXISTS (
                    SELECT FROM membership m WHERE m.user_id = creator AND m.org_uuid = organization
                )
            )
    )
$$;

-- +goose StatementBegin
CREATE FUNCTION outbox_api_key() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO outbox (kind, entity_id)
    SELECT 'apikey', encode(CASE TG_OP WHEN 'DELETE' THEN OLD.hash ELSE NEW.hash END, 'hex');
    RETURN NULL;
END;
$$;

CREATE FUNCTION outbox_api_keys_of_user() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO outbox (kind, entity_id)
    SELECT 'apikey', encode(hash, 'hex')
    FROM api_key
    WHERE created_by = NEW.id AND revoked_at IS NULL;
    RETURN NULL;
END;
$$;

CREATE FUNCTION outbox_api_keys_of_member() RETURNS trigger
    LANGUAGE plpgsql
AS $$
DECLARE
    member membership;
BEGIN
    member := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    IF EXISTS (SELECT FROM api_key WHERE created_by = member.user_id AND org_uuid = member.org_uuid) THEN
        INSERT INTO outbox (kind, entity_id)
        SELECT 'apikey', encode(hash, 'hex')
        FROM api_key
        WHERE created_by = member.user_id AND org_uuid = member.org_uuid AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

-- The use of a key changes only last_used_at.
CREATE TRIGGER outbox_api_key
    AFTER INSERT OR DELETE OR UPDATE OF hash, tier, created_by, org_uuid, expires_at, revoked_at ON api_key
    FOR EACH ROW EXECUTE FUNCTION outbox_api_key();

CREATE TRIGGER outbox_api_keys_of_user
    AFTER UPDATE OF activated_at, deactivated_at, is_platform_admin ON app_user
    FOR EACH ROW
    WHEN (
        (OLD.activated_at, OLD.deactivated_at, OLD.is_platform_admin)
        IS DISTINCT FROM (NEW.activated_at, NEW.deactivated_at, NEW.is_platform_admin)
    )
    EXECUTE FUNCTION outbox_api_keys_of_user();

CREATE TRIGGER outbox_api_keys_of_member
    AFTER INSERT OR DELETE ON membership
    FOR EACH ROW EXECUTE FUNCTION outbox_api_keys_of_member();

-- +goose Down
DROP TRIGGER outbox_api_keys_of_member ON membership;
DROP TRIGGER outbox_api_keys_of_user ON app_user;
DROP TRIGGER outbox_api_key ON api_key;
DROP FUNCTION outbox_api_keys_of_member();
DROP FUNCTION outbox_api_keys_of_user();
DROP FUNCTION outbox_api_key();
DROP FUNCTION api_key_creator_has_access(integer, uuid);
DELETE FROM outbox WHERE kind = 'apikey';
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event'));
ALTER TABLE api_key
    DROP COLUMN tier;
