-- The video of an event.

-- +goose Up
ALTER TABLE event ADD COLUMN video_link web_url;

-- +goose Down
ALTER TABLE event DROP COLUMN video_link;
