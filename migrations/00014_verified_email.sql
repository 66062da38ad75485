-- Whether a user has proved to read the mails to their address. New accounts have, through a mailed
-- link or the operator; a changed address is only a claim until a password is set through a link
-- mailed to it.

-- +goose Up
ALTER TABLE app_user ADD COLUMN email_verified boolean NOT NULL DEFAULT true;

-- +goose Down
ALTER TABLE app_user DROP COLUMN email_verified;
