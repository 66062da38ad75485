-- The record of an imported event outlives the event: one that was deleted here is not created
-- again when the file is imported again.

-- +goose Up
ALTER TABLE imported_event DROP CONSTRAINT imported_event_event_uuid_fkey;

-- +goose Down
DELETE FROM imported_event
WHERE NOT EXISTS (SELECT FROM event WHERE uuid = event_uuid);
ALTER TABLE imported_event
    ADD CONSTRAINT imported_event_event_uuid_fkey FOREIGN KEY (event_uuid) REFERENCES event ON DELETE CASCADE;
