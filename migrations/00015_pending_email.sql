-- A new e-mail address is pending until the link mailed to it is followed; until then the former
-- one is used for login.

-- +goose Up
ALTER TABLE app_user ADD COLUMN pending_email email_address;

ALTER TABLE one_time_token DROP CONSTRAINT one_time_token_purpose_check;
ALTER TABLE one_time_token ADD CONSTRAINT one_time_token_purpose_check
    CHECK (purpose IN ('activate', 'reset', 'invite', 'email'));

-- +goose Down
DELETE FROM one_time_token WHERE purpose = 'email';
ALTER TABLE one_time_token DROP CONSTRAINT one_time_token_purpose_check;
ALTER TABLE one_time_token ADD CONSTRAINT one_time_token_purpose_check
    CHECK (purpose IN ('activate', 'reset', 'invite'));
ALTER TABLE app_user DROP COLUMN pending_email;
