-- A refresh token that was exchanged moments ago may be exchanged again (two tabs, one retry), so a
-- session can have several refresh tokens that are not spent. The password of an account is chosen
-- at its activation, so activation tokens no longer need the hash of the signup's password; the
-- column stays until no running version reads it.

-- +goose Up
DROP INDEX refresh_token_one_unspent;
ALTER TABLE refresh_token DROP CONSTRAINT refresh_token_rotated_from_key;
CREATE INDEX refresh_token_by_rotated_from ON refresh_token (rotated_from) WHERE rotated_from IS NOT NULL;

ALTER TABLE one_time_token DROP CONSTRAINT one_time_token_activates_a_password;
ALTER TABLE one_time_token ADD CONSTRAINT one_time_token_password_of_activation
    CHECK (password_hash IS NULL OR purpose = 'activate');

-- +goose Down
DELETE FROM one_time_token WHERE purpose = 'activate' AND password_hash IS NULL;
ALTER TABLE one_time_token DROP CONSTRAINT one_time_token_password_of_activation;
ALTER TABLE one_time_token ADD CONSTRAINT one_time_token_activates_a_password
    CHECK ((purpose = 'activate') = (password_hash IS NOT NULL));

DELETE FROM session s
WHERE (SELECT count(*) FROM refresh_token t WHERE t.session_id = s.id AND t.spent_at IS NULL) > 1
    OR EXISTS (
        SELECT
        FROM refresh_token t
        WHERE t.session_id = s.id AND t.rotated_from IS NOT NULL
        GROUP BY t.rotated_from
        HAVING count(*) > 1
    );
DROP INDEX refresh_token_by_rotated_from;
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_rotated_from_key UNIQUE (rotated_from);
CREATE UNIQUE INDEX refresh_token_one_unspent ON refresh_token (session_id) WHERE spent_at IS NULL;
