-- Tariffs of a single date, which stand for those of its event. An empty list: those of the event.

-- +goose Up
ALTER TABLE event_date
ADD COLUMN tariffs jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tariffs) = 'array');

-- +goose Down
ALTER TABLE event_date
DROP COLUMN tariffs;
