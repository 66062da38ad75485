-- People: their accounts and sessions, and the keys that sign tokens. Passwords and tokens are
-- stored as hashes only.

-- +goose Up
-- A set of a member's permission bits (RULES.md, Rights). 520556415 is the set of all
-- bits.
CREATE DOMAIN permission_mask AS bigint
    CHECK (VALUE & 520556415 = VALUE);

CREATE DOMAIN user_language AS text
    CHECK (VALUE IN ('de', 'en', 'da'));

CREATE DOMAIN sha256 AS bytea
    CHECK (octet_length(VALUE) = 32);

CREATE TABLE app_user (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    email email_address NOT NULL,
    password_hash text CHECK (password_hash LIKE '$argon2id$%'), -- NULL until the account is activated
    display_name text_500,
    first_name text_500,
    last_name text_500,
    locale user_language NOT NULL,
    theme text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    is_platform_admin boolean NOT NULL DEFAULT false, -- granted by the command line only
    avatar_key text_500, -- prefix of the avatar's sizes in the blob store
    avatar_type text CHECK (avatar_type IN ('image/jpeg', 'image/png')),
    activated_at timestamptz,
    deactivated_at timestamptz,
    last_active_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT app_user_activated_has_password CHECK (activated_at IS NULL OR password_hash IS NOT NULL),
    CONSTRAINT app_user_avatar_has_type CHECK ((avatar_key IS NULL) = (avatar_type IS NULL))
);

CREATE UNIQUE INDEX app_user_email ON app_user (lower(email));

-- An open session. Its refresh tokens form one family: each replaces the one before.
CREATE TABLE session (
    id uuid_v7 PRIMARY KEY,
    user_id integer NOT NULL REFERENCES app_user,
    user_agent text_500, -- shown to the owner
    created_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL, -- last login or refresh
    expires_at timestamptz NOT NULL, -- as its newest refresh token does
    revoked_at timestamptz,
    revoked_for text CHECK (revoked_for IN ('logout', 'reuse', 'password', 'deactivation')),
    CONSTRAINT session_revoked_for_a_reason CHECK ((revoked_at IS NULL) = (revoked_for IS NULL))
);

CREATE INDEX session_by_user ON session (user_id);
CREATE INDEX session_by_expiry ON session (expires_at);

CREATE TABLE refresh_token (
    hash sha256 PRIMARY KEY, -- of the whole token
    session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
    rotated_from bytea UNIQUE REFERENCES refresh_token ON DELETE CASCADE, -- at most one successor
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz
);

CREATE UNIQUE INDEX refresh_token_one_unspent ON refresh_token (session_id) WHERE spent_at IS NULL;
CREATE INDEX refresh_token_by_session ON refresh_token (session_id);

-- The keys that sign tokens, shared by all admin nodes. "next" is known to every node before it
-- signs; "retired" still verifies what it signed.
CREATE TABLE signing_key (
    kid uuid_v7 PRIMARY KEY,
    algorithm text NOT NULL CHECK (algorithm = 'EdDSA'),
    private_key bytea NOT NULL, -- the Ed25519 seed; sealed with the configured secret when sealed is true
    sealed boolean NOT NULL,
    public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
    state text NOT NULL CHECK (state IN ('next', 'active', 'retired')),
    created_at timestamptz NOT NULL,
    activated_at timestamptz,
    retired_at timestamptz,
    CONSTRAINT signing_key_dates_fit_state CHECK (
        (state = 'next') = (activated_at IS NULL)
        AND (state = 'retired') = (retired_at IS NOT NULL)
    )
);

CREATE UNIQUE INDEX signing_key_one_next_one_active ON signing_key (state) WHERE state <> 'retired';

-- Attempts that are limited by account or address, counted here so that the limits hold across
-- nodes.
CREATE TABLE attempt (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    action text NOT NULL CHECK (action ~ '^[a-z_]{1,40}$'),
    account sha256, -- of the e-mail address, with or without an account
    network cidr,
    at timestamptz NOT NULL,
    pending boolean NOT NULL, -- its result is not known yet
    CONSTRAINT attempt_of_something CHECK (num_nonnulls(account, network) > 0)
);

CREATE INDEX attempt_by_account ON attempt (action, account, at) WHERE account IS NOT NULL;
CREATE INDEX attempt_by_network ON attempt (action, network, at) WHERE network IS NOT NULL;
CREATE INDEX attempt_by_time ON attempt (at);

-- +goose Down
DROP TABLE attempt;
DROP TABLE signing_key;
DROP TABLE refresh_token;
DROP TABLE session;
DROP TABLE app_user;
DROP DOMAIN sha256;
DROP DOMAIN user_language;
DROP DOMAIN permission_mask;
