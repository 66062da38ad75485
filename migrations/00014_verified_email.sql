-- Whether a user is known to read the mails to their address. Accounts begin with a link that was mailed there, or by the
-- operator's word; who changes their address later only claims the new one, until a password is set by a link mailed to it.

-- +goose Up
ALTER TABLE app_user ADD COLUMN email_verified boolean NOT NULL DEFAULT true;

-- +goose Down
ALTER TABLE app_user DROP COLUMN email_verified;
