-- A preview link that has ended stays ended: it is deleted when its maker or its key loses the right
-- to edit there (bit 25), and when the event changes its organization. Otherwise it would be valid
-- again, unseen in the meantime, when the right came back.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION preview_link_end_of_member() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.permissions & (1::bigint << 25) <> 0 THEN
        RETURN NULL;
    END IF;
    DELETE FROM preview_link
    WHERE made_by = OLD.user_id
        AND org_uuid = OLD.org_uuid
        AND NOT EXISTS (SELECT FROM app_user WHERE id = OLD.user_id AND is_platform_admin);
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER preview_link_end
    AFTER DELETE OR UPDATE OF permissions ON membership
    FOR EACH ROW
    EXECUTE FUNCTION preview_link_end_of_member();

-- +goose StatementBegin
CREATE FUNCTION preview_link_end_of_user() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM preview_link AS link
    WHERE link.made_by = NEW.id
        AND (
            NEW.deactivated_at IS NOT NULL
            OR NOT EXISTS (
                SELECT FROM membership
                WHERE user_id = NEW.id AND org_uuid = link.org_uuid AND permissions & (1::bigint << 25) <> 0
            )
        );
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER preview_link_end
    AFTER UPDATE OF deactivated_at, is_platform_admin ON app_user
    FOR EACH ROW
    WHEN (NEW.deactivated_at IS NOT NULL OR OLD.is_platform_admin AND NOT NEW.is_platform_admin)
    EXECUTE FUNCTION preview_link_end_of_user();

-- +goose StatementBegin
CREATE FUNCTION preview_link_end_of_key() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM preview_link
    WHERE api_key_uuid = NEW.uuid;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER preview_link_end
    AFTER UPDATE OF revoked_at, permissions ON api_key
    FOR EACH ROW
    WHEN (NEW.revoked_at IS NOT NULL OR NEW.permissions & (1::bigint << 25) = 0)
    EXECUTE FUNCTION preview_link_end_of_key();

-- +goose StatementBegin
CREATE FUNCTION preview_link_end_of_event() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM preview_link
    WHERE event_uuid = NEW.uuid;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER preview_link_end
    AFTER UPDATE OF org_uuid ON event
    FOR EACH ROW
    WHEN (OLD.org_uuid <> NEW.org_uuid)
    EXECUTE FUNCTION preview_link_end_of_event();

-- +goose Down
DROP TRIGGER preview_link_end ON event;
DROP FUNCTION preview_link_end_of_event();
DROP TRIGGER preview_link_end ON api_key;
DROP FUNCTION preview_link_end_of_key();
DROP TRIGGER preview_link_end ON app_user;
DROP FUNCTION preview_link_end_of_user();
DROP TRIGGER preview_link_end ON membership;
DROP FUNCTION preview_link_end_of_member();
