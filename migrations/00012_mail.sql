-- The queue of mails, and the tokens in them.
--
-- A token's secret exists only in the mail: it is generated when the mail is composed, and only its
-- hash is stored. So a queued mail contains no secret, and a token's validity starts when its mail
-- is sent.

-- +goose Up
CREATE TABLE mail_outbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    recipient email_address NOT NULL,
    template text NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    locale user_language NOT NULL,
    arguments jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(arguments) = 'object'), -- never a secret
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL, -- of the next attempt
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error text,
    sent_at timestamptz,
    failed_at timestamptz, -- given up
    CONSTRAINT mail_outbox_ends_once CHECK (num_nonnulls(sent_at, failed_at) <= 1)
);

CREATE INDEX mail_outbox_due ON mail_outbox (due_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mail_outbox_by_time ON mail_outbox (created_at);

CREATE TABLE one_time_token (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    purpose text NOT NULL CHECK (purpose IN ('activate', 'reset', 'invite')),
    user_id integer REFERENCES app_user,
    invitation_uuid uuid REFERENCES invitation ON DELETE CASCADE,
    mail_id bigint REFERENCES mail_outbox ON DELETE SET NULL, -- the mail that contains it
    password_hash text CHECK (password_hash LIKE '$argon2id$%'), -- of this signup; set on the account by activation
    hash sha256, -- of the secret; NULL until the mail is composed
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CONSTRAINT one_time_token_hash UNIQUE (hash),
    CONSTRAINT one_time_token_one_per_mail UNIQUE (mail_id),
    CONSTRAINT one_time_token_for_user_or_invitation CHECK (
        (purpose = 'invite') = (invitation_uuid IS NOT NULL)
        AND (purpose <> 'invite') = (user_id IS NOT NULL)
    ),
    CONSTRAINT one_time_token_activates_a_password CHECK ((purpose = 'activate') = (password_hash IS NOT NULL))
);

CREATE INDEX one_time_token_by_user ON one_time_token (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX one_time_token_by_invitation ON one_time_token (invitation_uuid) WHERE invitation_uuid IS NOT NULL;
CREATE INDEX one_time_token_by_expiry ON one_time_token (expires_at);

-- +goose Down
DROP TABLE one_time_token;
DROP TABLE mail_outbox;
