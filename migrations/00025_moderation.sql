-- Visitors' reports of events, and events that a platform administrator has taken back: their
-- organization cannot release these until an administrator lifts that.

-- +goose Up
-- A report outlives its event, so that it refers to it by value. reporter and email are personal
-- data and are deleted when they are not needed any more (package moderation).
CREATE TABLE event_report (
    uuid uuid_v7 PRIMARY KEY,
    event_uuid uuid NOT NULL,
    event_title text_2000 NOT NULL, -- when it was reported
    org_uuid uuid NOT NULL, -- that the event belonged to then
    reason text NOT NULL CHECK (reason IN ('spam', 'wrong', 'offensive', 'illegal', 'copyright', 'other')),
    body text_2000,
    email email_address, -- where the reporter may be asked
    reporter sha256, -- of the event and the reporter's network; NULL: forgotten
    created_at timestamptz NOT NULL,
    closed_at timestamptz,
    outcome text CHECK (outcome IN ('dismissed', 'resolved', 'taken_back')),
    note text_2000,
    CONSTRAINT event_report_is_whole CHECK (num_nonnulls(closed_at, outcome, note) IN (0, 3)),
    CONSTRAINT event_report_closed_forgets CHECK (closed_at IS NULL OR reporter IS NULL)
);

-- While a report is open, the same reporter's next one about the same event is the same report.
CREATE UNIQUE INDEX event_report_once ON event_report (event_uuid, reporter) WHERE reporter IS NOT NULL;

CREATE INDEX event_report_by_time ON event_report (created_at DESC, uuid DESC);
CREATE INDEX event_report_by_event ON event_report (event_uuid);
CREATE INDEX event_report_by_organization ON event_report (org_uuid);
CREATE INDEX event_report_by_email ON event_report (lower(email)) WHERE email IS NOT NULL;

ALTER TABLE event
    ADD COLUMN taken_back_at timestamptz,
    ADD COLUMN taken_back_reason text_2000,
    ADD CONSTRAINT event_taken_back_for_a_reason CHECK ((taken_back_at IS NULL) = (taken_back_reason IS NULL)),
    ADD CONSTRAINT event_taken_back_is_not_public CHECK (
        taken_back_at IS NULL OR NOT event_status_is_public(release_status)
    );

-- +goose Down
ALTER TABLE event
    DROP CONSTRAINT event_taken_back_is_not_public,
    DROP CONSTRAINT event_taken_back_for_a_reason,
    DROP COLUMN taken_back_reason,
    DROP COLUMN taken_back_at;
DROP TABLE event_report;
