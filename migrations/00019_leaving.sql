-- Accounts can be deleted. Messages outlive their sender's account, and audit entries lose the
-- personal data in them. A message also records what it replies to, and whether its sender keeps it.

-- +goose Up
ALTER TABLE message
    ALTER COLUMN from_user_id DROP NOT NULL, -- NULL: the account was deleted
    ADD COLUMN kept_by_sender boolean NOT NULL DEFAULT true, -- false: the sender has deleted it
    ADD COLUMN reply_to integer REFERENCES message ON DELETE SET NULL,
    ADD CONSTRAINT message_kept_by_a_sender CHECK (from_user_id IS NOT NULL OR NOT kept_by_sender);

-- Every column that refers to an account is found by it when the account is deleted.
CREATE INDEX message_by_sender ON message (from_user_id) WHERE from_user_id IS NOT NULL;
CREATE INDEX message_by_replied ON message (reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX membership_by_inviter ON membership (invited_by) WHERE invited_by IS NOT NULL;
CREATE INDEX invitation_by_inviter ON invitation (invited_by);
CREATE INDEX invitation_by_accepter ON invitation (accepted_by) WHERE accepted_by IS NOT NULL;
CREATE INDEX api_key_by_creator ON api_key (created_by);
CREATE INDEX api_key_by_revoker ON api_key (revoked_by) WHERE revoked_by IS NOT NULL;
CREATE INDEX mail_outbox_by_recipient ON mail_outbox (lower(recipient));

-- Recorded entries still cannot be changed, except that the address and the values of fields can
-- become null.

-- +goose StatementBegin
CREATE FUNCTION audit_fields_forgotten(was jsonb, becomes jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN was IS NOT DISTINCT FROM becomes OR coalesce((
    SELECT bool_and(o.value IS NOT NULL AND n.value IS NOT NULL AND (n.value = 'null' OR n.value = o.value))
    FROM jsonb_each(was) AS o
    FULL JOIN jsonb_each(becomes) AS n USING (key)
), false);
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION audit_entry_only_forget() RETURNS trigger
    LANGUAGE plpgsql
AS $$
DECLARE
    erasable text[] := '{address,before,after}';
BEGIN
    IF to_jsonb(NEW) - erasable <> to_jsonb(OLD) - erasable
        OR NEW.address IS NOT NULL AND NEW.address IS DISTINCT FROM OLD.address
        OR NOT audit_fields_forgotten(OLD.before, NEW.before)
        OR NOT audit_fields_forgotten(OLD.after, NEW.after)
    THEN
        RAISE EXCEPTION 'an audit entry can only lose personal data' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END;
$$;
-- +goose StatementEnd

DROP TRIGGER audit_entry_refuse_update ON audit_entry;

CREATE TRIGGER audit_entry_refuse_update
    BEFORE UPDATE OF id, at, actor_user_id, actor_api_key, org_uuid, action, entity_kind, entity_id, request_id
    ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse_update();

CREATE TRIGGER audit_entry_only_forget
    BEFORE UPDATE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_entry_only_forget();

-- +goose Down
DROP TRIGGER audit_entry_only_forget ON audit_entry;
DROP TRIGGER audit_entry_refuse_update ON audit_entry;
CREATE TRIGGER audit_entry_refuse_update
    BEFORE UPDATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse_update();
DROP FUNCTION audit_entry_only_forget();
DROP FUNCTION audit_fields_forgotten(jsonb, jsonb);

DROP INDEX mail_outbox_by_recipient;
DROP INDEX api_key_by_revoker;
DROP INDEX api_key_by_creator;
DROP INDEX invitation_by_accepter;
DROP INDEX invitation_by_inviter;
DROP INDEX membership_by_inviter;
DROP INDEX message_by_replied;
DROP INDEX message_by_sender;

DELETE FROM message WHERE from_user_id IS NULL;
ALTER TABLE message
    DROP COLUMN reply_to,
    DROP COLUMN kept_by_sender,
    ALTER COLUMN from_user_id SET NOT NULL;
