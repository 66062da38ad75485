-- The organizer's words on why an event or a date is cancelled, deferred or rescheduled.

-- +goose Up
ALTER TABLE event ADD COLUMN status_note text_2000;
ALTER TABLE event_date ADD COLUMN status_note text_2000;

-- +goose Down
ALTER TABLE event_date DROP COLUMN status_note;
ALTER TABLE event DROP COLUMN status_note;
