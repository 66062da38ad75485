-- The picture of a series is an image like those of events, in the same table: a uuid is that of
-- one file.

-- +goose Up
ALTER TABLE event_image
    ALTER COLUMN event_uuid DROP NOT NULL,
    ADD COLUMN series_uuid uuid REFERENCES series ON DELETE CASCADE,
    ADD CONSTRAINT event_image_of_one CHECK (num_nonnulls(event_uuid, series_uuid) = 1),
    ADD CONSTRAINT event_image_of_series_is_main CHECK (series_uuid IS NULL OR identifier = 'main');

CREATE UNIQUE INDEX event_image_by_series ON event_image (series_uuid) WHERE series_uuid IS NOT NULL;

-- +goose Down
DELETE FROM event_image
WHERE series_uuid IS NOT NULL;
ALTER TABLE event_image
    DROP COLUMN series_uuid,
    ALTER COLUMN event_uuid SET NOT NULL;
