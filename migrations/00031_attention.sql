-- The counts in the head of each page: open reports, and mails that were given up.

-- +goose Up
CREATE INDEX event_report_open ON event_report (created_at) WHERE closed_at IS NULL;
CREATE INDEX mail_outbox_given_up ON mail_outbox (failed_at) WHERE failed_at IS NOT NULL;

-- +goose Down
DROP INDEX mail_outbox_given_up;
DROP INDEX event_report_open;
