-- Memberships with their permissions, invitations, and API keys.

-- +goose Up
CREATE DOMAIN member_role AS text
    CHECK (VALUE IN ('owner', 'manager', 'editor', 'contributor', 'viewer', 'custom'));

-- role is the preset that equals permissions, or "custom". An owner is a member with every bit.
CREATE TABLE membership (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES app_user,
    role member_role NOT NULL,
    permissions permission_mask NOT NULL,
    invited_by integer REFERENCES app_user,
    joined_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT membership_once_per_organization UNIQUE (org_uuid, user_id),
    CONSTRAINT membership_owner_has_every_bit CHECK ((role = 'owner') = (permissions = 520556415))
);

CREATE INDEX membership_by_user ON membership (user_id);

-- The last owner cannot leave or be demoted. Two transactions that each remove another owner are
-- serialised by the lock; the second one then sees the result of the first, as every statement does
-- under READ COMMITTED. An organization that is being deleted itself is not found, and its members
-- are deleted with it.

-- +goose StatementBegin
CREATE FUNCTION membership_keep_an_owner() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM organization WHERE uuid = OLD.org_uuid FOR NO KEY UPDATE;
    IF FOUND AND NOT EXISTS (SELECT FROM membership WHERE org_uuid = OLD.org_uuid AND role = 'owner') THEN
        RAISE EXCEPTION 'an organization keeps at least one owner'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'membership_last_owner', TABLE = 'membership';
    END IF;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE CONSTRAINT TRIGGER membership_keep_an_owner
    AFTER UPDATE OR DELETE ON membership
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.role = 'owner')
    EXECUTE FUNCTION membership_keep_an_owner();

-- An invitation is bound to its address, with or without an account.
CREATE TABLE invitation (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
    email email_address NOT NULL,
    role member_role NOT NULL,
    permissions permission_mask NOT NULL,
    invited_by integer NOT NULL REFERENCES app_user,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    accepted_by integer REFERENCES app_user,
    revoked_at timestamptz,
    CONSTRAINT invitation_owner_has_every_bit CHECK ((role = 'owner') = (permissions = 520556415)),
    CONSTRAINT invitation_accepted_by_somebody CHECK ((accepted_at IS NULL) = (accepted_by IS NULL)),
    CONSTRAINT invitation_ends_once CHECK (num_nonnulls(accepted_at, revoked_at) <= 1)
);

CREATE UNIQUE INDEX invitation_one_open ON invitation (org_uuid, lower(email))
    WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitation_by_email ON invitation (lower(email)) WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- A personal key acts for its user, within that user's permissions; an organization's key acts for
-- the organization.
CREATE TABLE api_key (
    uuid uuid_v7 PRIMARY KEY,
    user_id integer REFERENCES app_user,
    org_uuid uuid REFERENCES organization ON DELETE CASCADE,
    name text_500 NOT NULL,
    prefix text NOT NULL CHECK (prefix ~ '^[A-Za-z0-9_-]{4,20}$'), -- the key's visible beginning
    hash sha256 NOT NULL,
    permissions permission_mask NOT NULL,
    created_by integer NOT NULL REFERENCES app_user,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz, -- NULL: never
    last_used_at timestamptz,
    revoked_at timestamptz,
    revoked_by integer REFERENCES app_user,
    CONSTRAINT api_key_hash UNIQUE (hash),
    CONSTRAINT api_key_of_user_or_organization CHECK (num_nonnulls(user_id, org_uuid) = 1)
);

CREATE INDEX api_key_by_user ON api_key (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX api_key_by_organization ON api_key (org_uuid) WHERE org_uuid IS NOT NULL;

-- +goose Down
DROP TABLE api_key;
DROP TABLE invitation;
DROP TRIGGER membership_keep_an_owner ON membership;
DROP FUNCTION membership_keep_an_owner();
DROP TABLE membership;
DROP DOMAIN member_role;
